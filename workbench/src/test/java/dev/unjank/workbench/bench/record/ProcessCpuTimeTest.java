package dev.unjank.workbench.bench.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.workbench.lab.program.FixedWork;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessCpuTimeTest {

    /** By processor time, so that it does not matter who else is at work on the machine. */
    @Test
    void computingIsSeen() throws IOException {
        long before = ProcessCpuTime.nanos();

        FixedWork.nanos(TimeUnit.MILLISECONDS.toNanos(200));

        assertThat(ProcessCpuTime.nanos() - before).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(50));
    }
}
