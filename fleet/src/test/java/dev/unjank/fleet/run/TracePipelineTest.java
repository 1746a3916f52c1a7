package dev.unjank.fleet.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracePipelineTest {

    @TempDir
    private Path folder;

    /** Read twice, the state could change in between, and traces were lost silently. */
    @Test
    void thatTooManyDidNotEndIsSaidAlsoIfOneComesBackTheNextMoment() throws Exception {
        AdmissionGate company = new AdmissionGate() {
            private int looks;

            @Override
            boolean isStuck() {
                return looks++ == 0;
            }
        };
        CountDownLatch never = new CountDownLatch(1);
        TracePipeline pipeline = new TracePipeline(FleetTestRuns.NAMES, folder, _ -> {}, _ -> {}, company);

        RunTotals tally = pipeline.run(_ -> never.await(), 1, new TraceNameSet(), RunTotals.NOTHING);

        assertThat(tally).isEqualTo(RunTotals.NOTHING);
        assertThat(pipeline.isStuck()).isTrue();
    }
}
