package dev.unjank.record.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.trace.tempfile.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines that are written to the kernel. Its list of uprobes is global, so only own lines may be changed. */
class UprobesTest {
    private static final String OTHERS = "p:other/probe /usr/lib/libc.so:0x0000000000000042";

    @TempDir
    private Path folder;

    private TraceFs fs;
    private Path list;

    @BeforeEach
    void kernel() throws IOException {
        list = Files.writeString(folder.resolve("uprobe_events"), OTHERS + "\n");
        fs = new TraceFs(folder);
    }

    private List<String> added() throws IOException {
        List<String> lines = Files.readAllLines(list);
        assertThat(lines).first().isEqualTo(OTHERS);
        return lines.subList(1, lines.size());
    }

    @Test
    void placesAreAddedAndTakenOutAgain() throws IOException {
        String event;
        try (Uprobes uprobes = new Uprobes(fs)) {
            event = uprobes.add("enter", Path.of("/opt/java/libjvm.so"), 0xaddc13);
            assertThat(event).matches("unjank_" + ProcessHandle.current().pid() + "_[0-9]+_[0-9]+/enter");
            assertThat(added()).containsExactly("p:" + event + " /opt/java/libjvm.so:0xaddc13");
        }
        assertThat(added()).hasSize(2).last().isEqualTo("-:" + event);
    }

    @Test
    void whatAKilledRecorderLeftIsTakenOutAndNothingElse() throws IOException {
        ProcessIdentity own = ProcessIdentity.of(ProcessHandle.current().pid());
        String dead = "unjank_" + Integer.MAX_VALUE + "_12345_1/enter";
        String samePid = "unjank_" + own.pid() + "_" + (Long.parseLong(own.start()) - 1) + "_1/enter";
        String living = "unjank_" + own.pid() + "_" + own.start() + "_7/enter";
        List<String> lines = new ArrayList<>(List.of(OTHERS));
        for (String event : List.of(dead, samePid, living, "unjank_tools/enter", "unjank_1_2_3_4/enter")) {
            lines.add("p:" + event + " /a:0x1");
        }
        lines.add("nonsense");
        Files.write(list, lines);

        Uprobes.removeStale(fs);

        assertThat(added()).filteredOn(line -> line.startsWith("-:")).containsExactly("-:" + dead, "-:" + samePid);
    }

    @Test
    void namesOfEarlierVersionsAreTakenOutIfNoProcessHasThePid() throws IOException {
        String dead = "unjank_" + Integer.MAX_VALUE + "_1/enter";
        String living = "unjank_" + ProcessHandle.current().pid() + "_7/enter";
        Files.writeString(list, OTHERS + "\np:" + dead + " /a:0x1\np:" + living + " /a:0x1\n");

        Uprobes.removeStale(fs);

        assertThat(added()).filteredOn(line -> line.startsWith("-:")).containsExactly("-:" + dead);
    }

    @Test
    void onePlaceThatCannotBeTakenOutKeepsNoOtherIn() throws IOException {
        Uprobes uprobes = new Uprobes(fs);
        uprobes.add("enter", Path.of("/a"), 1);
        uprobes.add("leave", Path.of("/a"), 2);
        Files.delete(list);

        assertThatThrownBy(uprobes::close)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/enter\"")
                .hasMessageContaining("/leave\"");
    }

    @Test
    void aKernelWithoutSuchEventsIsLeftAlone() throws IOException {
        Files.delete(list);

        Uprobes.removeStale(fs);

        assertThat(Uprobes.areAvailable(fs)).isFalse();
        assertThat(list).doesNotExist();
    }
}
