package dev.unjank.lab.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.lab.target.Work;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessorTimeTest {

    /** By processor time, so that it does not matter who else is at work on the machine. */
    @Test
    void computingIsSeen() throws IOException {
        long before = ProcessorTime.nanos();

        Work.nanos(TimeUnit.MILLISECONDS.toNanos(200));

        assertThat(ProcessorTime.nanos() - before).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(50));
    }
}
