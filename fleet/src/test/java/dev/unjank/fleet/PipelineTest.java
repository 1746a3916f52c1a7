package dev.unjank.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipelineTest {

    @TempDir
    private Path folder;

    /** Where that was looked at twice, what had not been asked was lost between the looks, and nobody knew. */
    @Test
    void thatTooManyDidNotEndIsSaidAlsoIfOneComesBackTheNextMoment() throws Exception {
        Company company = new Company() {
            private int looks;

            @Override
            boolean isStuck() {
                return looks++ == 0;
            }
        };
        CountDownLatch never = new CountDownLatch(1);
        Pipeline pipeline = new Pipeline(Traces.NAMES, folder, _ -> {}, _ -> {}, company);

        Tally tally = pipeline.run(_ -> never.await(), 1, new Seen(), Tally.NOTHING);

        assertThat(tally).isEqualTo(Tally.NOTHING);
        assertThat(pipeline.isStuck()).isTrue();
    }
}
