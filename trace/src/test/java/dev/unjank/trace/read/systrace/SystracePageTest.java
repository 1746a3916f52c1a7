package dev.unjank.trace.read.systrace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.read.TraceRowText;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages as Google's systrace writes them: with lists of processes, clock marks and the viewer's programs. */
class SystracePageTest {
    private static final String TAG = "  <script class=\"trace-data\" type=\"application/text\">\n";

    /** What systrace appends to the events of a tracer without clock marks. */
    private static final String CLOCK = "dummy-0000  [000] 0.0: 0: trace_event_clock_sync: parent_ts=0.0\n";

    private static final String EVENTS = """
            # tracer: nop
             <...>-1791  ( 1791) [001] ...1 28304.100000: tracing_mark_write: B|1791|a
             <...>-1791  ( 1791) [001] ...1 28307.700000: tracing_mark_write: E
            """;

    /** As systrace prints the list when it starts and again when it stops. */
    private static final String LISTS = """
            PROCESS DUMP
            USER            PID   PPID     VSZ    RSS WCHAN            PC S NAME                        COMM
            root              1      0   21728   2312 SyS_epoll_wait    0 S init                        init
            system         1791    594 5093924 346136 SyS_epoll_wait    0 S system_server               [Binder:1791_3]
            u0_a34         2017    594 4655480 220480 SyS_epoll_wait    0 S com.android.systemui        app_process32
            u0_a35         2100    594 4655480 220480 SyS_epoll_wait    0 S <pre-initialized>           app_process32
            USER            PID   TID CMD
            system         1791  1791 system_server
            system         1791  1803 Jit thread pool
            u0_a34         2017  2030 RenderThread
            USER            PID   PPID     VSZ    RSS WCHAN            PC S NAME                        COMM
            system         1791    594 5093924 346136 SyS_epoll_wait    0 S system_server               [Binder:1791_3]
            u0_a35         2100    594 4655480 220480 SyS_epoll_wait    0 S com.example                 app_process32
            USER            PID   TID CMD
            u0_a35         2100  2101 Signal Catcher
            """;

    private static final String OLD_LISTS = """
            PROCESS DUMP
            USER      PID   PPID  VSIZE  RSS   WCHAN              PC  NAME
            root      1     0     8744   788   SyS_epoll_ 0000000000 S /init
            system    1791  594   2093924 146136 SyS_epoll_ 0000000000 S system_server
            u0_a34    2017  594   1655480 120480 SyS_epoll_ 0000000000 S com.android.systemui
            USER      PID   PPID  VSIZE  RSS   WCHAN              PC  NAME
            system    1791  594   2093924 146136 SyS_epoll_ 0000000000 S system_server
            system    1803  1791  2093924 146136 futex_wait 0000000000 S Jit thread pool
            u0_a34    2017  594   1655480 120480 SyS_epoll_ 0000000000 S com.android.systemui
            u0_a34    2030  2017  1655480 120480 SyS_epoll_ 0000000000 S RenderThread
            """;

    @TempDir
    private Path dir;

    private Trace read(String text) throws IOException {
        Trace trace = TraceReader.read(Files.writeString(dir.resolve("trace.html"), text));
        TraceInvariants.check(trace);
        return trace;
    }

    private static String page(String... sections) {
        StringBuilder page = new StringBuilder("<!DOCTYPE html>\n<html><body>\n");
        for (String section : sections) {
            page.append(TAG).append(section).append("  </script>\n");
        }
        return page.append("</body></html>\n").toString();
    }

    private static void assertIsOfTheEvents(Trace trace) {
        assertThat(trace.warnings()).isEmpty();
        assertThat(trace.startNs()).isEqualTo(28_304_100_000_000L);
        assertThat(trace.endNs()).isEqualTo(28_307_700_000_000L);
        assertThat(trace.slices().name(0)).isEqualTo("a");
    }

    private static String process(Trace trace, int tid) {
        int utid = trace.threads().find(tid, trace.endNs());
        return trace.threads().name(utid) + " of "
                + trace.processes().name(trace.threads().upid(utid));
    }

    @Test
    void listsNameProcessesAndThreadsWhereverTheyAre() throws IOException {
        for (String page : List.of(
                page(LISTS, EVENTS), page(EVENTS, LISTS), page(LISTS + EVENTS), page(EVENTS + LISTS), LISTS + EVENTS)) {
            Trace trace = read(page);
            assertIsOfTheEvents(trace);
            assertThat(process(trace, 1791)).isEqualTo("system_server of system_server");
            assertThat(process(trace, 1803)).isEqualTo("Jit thread pool of system_server");
            assertThat(process(trace, 2030)).isEqualTo("RenderThread of com.android.systemui");
            // The list of the end names a process that was started in between.
            assertThat(process(trace, 2101)).isEqualTo("Signal Catcher of com.example");
        }
    }

    @Test
    void oldListsHaveThreadsUnderTheHeaderOfProcesses() throws IOException {
        for (String page : List.of(page(OLD_LISTS, EVENTS), page(OLD_LISTS + EVENTS), page(EVENTS, OLD_LISTS))) {
            Trace trace = read(page);
            assertIsOfTheEvents(trace);
            assertThat(process(trace, 1)).isEqualTo("null of /init");
            assertThat(process(trace, 1803)).isEqualTo("Jit thread pool of system_server");
            assertThat(process(trace, 2030)).isEqualTo("RenderThread of com.android.systemui");
        }
    }

    @Test
    void namesMayLookLikeStates() throws IOException {
        Trace trace = read(page("""
                USER  PID  PPID VSIZE RSS WCHAN PC  NAME
                root  7    1    0     0   x     0   S S
                root  8    1    0     0   x     0   S S name
                root  9    1    0     0   x     0   sh -c
                """, """
                USER  PID  PPID VSZ RSS WCHAN ADDR S NAME
                root  17   1    0   0   x     0    S S name
                root  18   1    0   0   x     0
                root  19   1    0   0   x     0    S
                """, EVENTS));
        assertIsOfTheEvents(trace);
        for (var name : List.of("7 S", "8 S name", "9 sh -c", "17 S name", "18 null", "19 null")) {
            String[] parts = name.split(" ", 2);
            assertThat(process(trace, Integer.parseInt(parts[0]))).isEqualTo("null of " + parts[1]);
        }
    }

    @Test
    void clockMarksAreNoEvents() throws IOException {
        assertIsOfTheEvents(read(EVENTS + CLOCK));
        assertIsOfTheEvents(read(page(LISTS, CLOCK + EVENTS + CLOCK)));
        Trace marked = read("""
                 <7>-7 (-----) [000] ...1 28304.000000: tracing_mark_write: trace_event_clock_sync: parent_ts=28304.5
                 <7>-7 (-----) [000] ...1 28309.000000: tracing_mark_write: trace_event_clock_sync: realtime_ts=1500000000000
                """ + EVENTS);
        assertIsOfTheEvents(marked);
        // A near miss: a mark of a program that only speaks of clocks is an event.
        String other = " <7>-7 (-----) [000] ...1 28304.000000: tracing_mark_write: trace_event_clock: parent_ts=0\n";
        assertThat(read(EVENTS + other).startNs()).isEqualTo(28_304_000_000_000L);
        assertThatThrownBy(() -> read("# tracer: nop\n" + CLOCK)).isInstanceOf(UnusableTraceException.class);
    }

    @Test
    void lossesAreNotCountedFromAClockMark() throws IOException {
        Trace trace = read(CLOCK + "CPU:1 [LOST 3 EVENTS]\n" + EVENTS);
        assertThat(trace.dataLosses()).isEmpty();
        assertThat(trace.warnings()).singleElement().asString().contains("3 events were lost");
    }

    @Test
    void programsOfTheViewerAreNoTraces() throws IOException {
        String program = """
                <script>
                  var begin = '<script class="trace-data" type="application/text">';
                  if (a < b) { lines = text.split('<script class=trace-data>\\n'); }
                  // one line
                  // another </html>
                </script>
                <script src="trace-data.js"></script>
                """;
        String page = page(LISTS, EVENTS);
        assertIsOfTheEvents(read(page.replace("<body>", "<body>" + program)));
        assertIsOfTheEvents(read(page.replace("</body>", program + "</body>")));
        // A near miss: the page ends within its program, so a trace after it may be missing.
        String cut = page.replace("</body></html>", program.substring(0, 100));
        assertThat(read(cut).warnings()).singleElement().asString().contains("the page ends before its closing tag");
    }

    @Test
    void sectionsOfOtherToolsAreSkipped() throws IOException {
        String cgroups = "CGROUP DUMP\n#subsys_name hierarchy num_cgroups enabled\ncpu 3 5 1\n";
        String json = "{\"traceEvents\": [{\"name\": \"</b>\",\n\"ts\": 1},\n{\"name\": \"process_argv\"}]}\n";
        assertIsOfTheEvents(read(page(LISTS, EVENTS, cgroups, json)));
        assertIsOfTheEvents(read(page(json, cgroups, LISTS, EVENTS)));
        // A near miss: other text is counted.
        assertThat(read(page("a letter\n", EVENTS)).warnings())
                .singleElement()
                .asString()
                .contains("1 line that is not an event");
    }

    @ParameterizedTest
    @ValueSource(strings = {"d...316.19", "d..1316.19", "dNs2316.19", "d... 316.19", "dn.. 316.190000", "316.19"})
    void theTimeMayFollowTheFlagsWithoutABlank(String flagsAndTime) throws IOException {
        Trace trace = read("# tracer: nop\n a-5 [000] " + flagsAndTime + ": tracing_mark_write: B|5|x\n");
        assertThat(trace.startNs()).isEqualTo(316_190_000_000L);
        assertThat(trace.slices().size()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"d.316.19", "1...316.19", "d=..316.19", "d...316", "d....19", "d...x316.19"})
    void otherTextBeforeATimeIsNoFlags(String flagsAndTime) throws IOException {
        Trace trace = read(EVENTS + " a-5 [000] " + flagsAndTime + ": tracing_mark_write: B|5|x\n");
        assertThat(trace.slices().size()).isEqualTo(1);
        assertThat(trace.warnings()).singleElement().asString().contains("1 line that is not an event");
    }

    @Test
    void aSceneIsTheSameAsTextAndAsAPage() throws IOException {
        byte[] packets = LauncherExample.scene().toBytes(WireFormat.PLAIN);
        String text = new String(SystraceFromPerfetto.of(packets), UTF_8);
        Trace plain = read(text);
        Trace page = read(page(LISTS, text + CLOCK));
        assertThat(List.of(page.startNs(), page.endNs())).isEqualTo(List.of(plain.startNs(), plain.endNs()));
        assertThat(TraceRowText.rows(page))
                .containsAll(TraceRowText.rows(plain).stream()
                        .filter(row -> row.startsWith("cpu"))
                        .toList());
    }
}
