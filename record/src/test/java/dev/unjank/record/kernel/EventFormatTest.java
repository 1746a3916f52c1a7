package dev.unjank.record.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.trace.write.TraceWriter;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class EventFormatTest {
    @Test
    void fieldsAreFoundByName() throws IOException {
        EventFormat format = EventFormat.parse(EventFormats.SCHED_SWITCH);

        assertThat(format.name()).isEqualTo("sched_switch");
        assertThat(format.id()).isEqualTo(372);
        assertThat(format.field("common_pid")).isEqualTo(new EventFormat.Field(4, 4, true, false));
        assertThat(format.field("prev_comm")).isEqualTo(new EventFormat.Field(8, 16, false, false));
        assertThat(format.field("prev_state")).isEqualTo(new EventFormat.Field(32, 8, true, false));
        assertThat(format.fieldOrNull("io_wait")).isNull();
        assertThatThrownBy(() -> format.field("io_wait"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("sched_switch")
                .hasMessageContaining("io_wait");
    }

    @Test
    void declarationsOfAllKindsAreUnderstood() throws IOException {
        EventFormat format = EventFormat.parse(EventFormats.PI_SETPRIO);

        assertThat(format.field("comm")).isEqualTo(new EventFormat.Field(8, 4, false, true));
        assertThat(format.field("utime")).isEqualTo(new EventFormat.Field(40, 8, false, false));
    }

    @Test
    void thePageIsAsTheKernelSays() throws IOException {
        assertThat(PageLayout.parse(EventFormats.HEADER_PAGE)).isEqualTo(RingBufferPageBuilder.LAYOUT);
        assertThatThrownBy(() -> PageLayout.parse("something else")).isInstanceOf(IOException.class);
    }

    @Test
    void theFileSystemIsFoundWhereItIsMounted() {
        TraceFs systems = TraceFs.mounted("proc /proc proc rw 0 0\nnodev /sys/kernel/tracing tracefs rw 0 0\n");
        assertThat(systems.root).isEqualTo(Path.of("/sys/kernel/tracing"));
        assertThat(systems.isOurs()).isFalse();
        TraceFs recorders = TraceFs.mounted("unjank /a\\040place tracefs rw 0 0\n");
        assertThat(recorders.root).isEqualTo(Path.of("/a place"));
        assertThat(recorders.isOurs()).isTrue();
        assertThat(TraceFs.mounted("proc /proc proc rw 0 0\n")).isNull();
    }

    @Test
    void countsOfABufferAreRead() {
        assertThat(TraceInstance.stats(3, """
                        entries: 4
                        overrun: 17
                        commit overrun: 1
                        bytes: 244
                        oldest event ts: 34204.365301
                        now ts: 34204.572477
                        dropped events: 2
                        read events: 31
                        """)).isEqualTo(new TraceWriter.CpuStats(3, 4, 17, 1, 2, 31));
    }
}
