package dev.unjank.workbench.bench.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.linux.LinuxThreads;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That there is a table; its figures are the machine's business. */
@Tag("slow")
class RecordBenchmarkTest {

    @Test
    void eachConditionHasARowWithItsTarget() throws IOException {
        assumeTrue(LinuxThreads.obstacle() == null, "attaching to a process needs Linux here");
        StringWriter output = new StringWriter();

        RecordBenchmark.run(EnumSet.of(RecordWorkload.MESSAGES), true, new PrintWriter(output), _ -> () -> {});

        assertThat(output.toString().lines())
                .anyMatch(line -> line.matches("messages: .*"))
                .anyMatch(line -> line.matches("  not recorded +[\\d,]+ .* ms .* ns"))
                .anyMatch(line -> line.matches("  the same, a round later .* %.*"))
                .anyMatch(line -> line.matches("  Flight Recorder, lock owners +[\\d,]+ .*<= 3 % +(yes|no)(, surely)?"))
                .anyMatch(line -> line.matches(
                        "  and the kernel's scheduling +([\\d,]+ .*<= 10 % +(yes|no)(, surely)?|not measured)"));
    }
}
