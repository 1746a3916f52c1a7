package dev.unjank.query.module;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.RealTraces;
import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares results on real traces with trace processor's. The traces are not part of the project; without them the
 * tests are skipped.
 */
class TraceProcessorComparisonTest {
    private static final String A7 = "a7_nexus5x_startup_cold.perfetto-trace";
    private static final String A11 = "a11_galaxys20_sched.perfetto-trace";
    private static final String A12 = "a12_x86emu_sched_perfsample.pftrace";
    private static final String A13 = "a13_pixel6a_startup_warm.perfetto-trace";
    private static final String A15 = "a15_mokeygo32_startup_cold.perfetto-trace";

    static final Map<String, String> QUERIES = Map.of(
            "monitor_contention",
            """
            INCLUDE PERFETTO MODULE android.monitor_contention;
            SELECT ts, dur, process_name, blocked_thread_name, blocked_thread_tid, is_blocked_thread_main, blocking_thread_name,
              blocking_tid, short_blocking_method, short_blocked_method, blocking_src, blocked_src, waiter_count
            FROM android_monitor_contention ORDER BY ts, id;
            """,
            "startups",
            """
            INCLUDE PERFETTO MODULE android.startup.startups;
            SELECT startup_id, ts, ts_end, dur, package, startup_type FROM android_startups ORDER BY ts;
            """,
            "frames",
            """
            SELECT process.name AS process_name, jank_type, present_type, count(*) AS n, sum(dur) AS dur_ns
            FROM actual_frame_timeline_slice JOIN process USING (upid)
            GROUP BY process_name, jank_type, present_type ORDER BY 1, 2, 3;
            """,
            "slices",
            "SELECT name, count(*) AS n, sum(dur) AS dur_ns FROM slice GROUP BY name ORDER BY n DESC, name LIMIT 60;",
            "thread_state",
            """
            SELECT tid, thread.name AS thread_name, state, count(*) AS n, sum(dur) AS dur_ns
            FROM thread_state JOIN thread USING (utid) WHERE dur != -1
            GROUP BY tid, thread_name, state ORDER BY tid, thread_name, state;
            """);

    private static void check(String trace, String table, String query) throws IOException, QueryException {
        Path file = RealTraces.file(trace);
        List<String> theirs = Files.readAllLines(RealTraces.expectedFile(trace, table));
        List<String> ours = new ArrayList<>();
        try (QueryTestSession session = QueryTestSession.of(TraceReader.read(file))) {
            ours.addAll(session.csv(query));
        }
        assertThat(ours).containsExactlyElementsOf(theirs);
    }

    @ParameterizedTest
    @ValueSource(strings = {A7, A11, A12, A13, A15})
    void publishedQueriesRunUnchanged(String trace) throws IOException, QueryException {
        for (String name : List.of("messagequeue_contention_during_startup", "messagequeue_contention_with_jank")) {
            Path query = RealTraces.file("../queries/" + name + ".sql");
            check(trace, name, Files.readString(query));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {A7, A11, A12, A13, A15})
    void monitorContention(String trace) throws IOException, QueryException {
        check(trace, "monitor_contention", QUERIES.get("monitor_contention"));
    }

    @ParameterizedTest
    @ValueSource(strings = {A7, A11, A12, A13, A15})
    void startups(String trace) throws IOException, QueryException {
        check(trace, "startups", QUERIES.get("startups"));
    }

    @ParameterizedTest
    @ValueSource(strings = {A7, A11, A12, A13, A15})
    void frames(String trace) throws IOException, QueryException {
        check(trace, "frames", QUERIES.get("frames"));
    }

    @ParameterizedTest
    @ValueSource(strings = {A7, A11, A12, A13, A15})
    void slices(String trace) throws IOException, QueryException {
        check(trace, "slices", QUERIES.get("slices"));
    }

    @ParameterizedTest
    @ValueSource(strings = {A7, A11, A12, A13, A15})
    void threadStates(String trace) throws IOException, QueryException {
        check(trace, "thread_state", QUERIES.get("thread_state"));
    }
}
