package dev.unjank.query.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.Machine;
import dev.unjank.trace.model.Trace;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables other than slices and scheduling, on a trace with few events. */
class TraceTablesTest {
    private static final int PID = 10;
    private static final int TID = 11;

    private QueryTestSession session;

    private static Trace trace() {
        try (TraceBuilder builder = new TraceBuilder("small.pftrace")) {
            builder.sizeBytes(4_711);
            builder.putMetadata("android_sdk_version", "35");
            builder.putMetadata("android_build_fingerprint", "maker/model:15/AB1");
            builder.addPackage(new Machine.App("com.example.mail", 10_123, true, false, 77));
            builder.kernel().process(0, PID, 0, builder.intern("com.example.mail:sync"), 1_010_123);
            builder.kernel().thread(0, TID, PID, builder.intern("worker"));
            slices(builder);
            counters(builder);
            profile(builder);
            return builder.build();
        }
    }

    private static void slices(TraceBuilder builder) {
        int track = builder.tracks().newTrack(TID, PID);
        builder.tracks().trackBegin(100, track, builder.intern("net"), builder.intern("fetch"));
        int first =
                builder.tracks().arg(builder.intern("debug.headers[0].name"), Args.Type.TEXT, builder.intern("accept"));
        builder.tracks().arg(builder.intern("debug.size"), Args.Type.UINT, -1);
        builder.tracks().arg(builder.intern("debug.share"), Args.Type.REAL, Double.doubleToRawLongBits(0.25));
        builder.tracks().arg(builder.intern("debug.cached"), Args.Type.BOOL, 1);
        builder.tracks().arg(builder.intern("debug.at"), Args.Type.POINTER, 0xff00);
        builder.tracks().trackArgs(100, track, first, 5);
        builder.tracks().trackBegin(110, track, -1, builder.intern("parse"));
        builder.tracks().trackEnd(120, track);
        builder.tracks().trackEnd(200, track);
        builder.tracks().trackBegin(300, track, builder.intern("net"), builder.intern("fetch"));
        builder.tracks().trackBegin(310, track, -1, builder.intern("parse"));
        builder.tracks().trackEnd(320, track);
        builder.tracks().trackEnd(400, track);
        builder.tracks().trackBegin(500, track, -1, builder.intern("parse"));
        builder.tracks().trackEnd(600, track);
    }

    private static void counters(TraceBuilder builder) {
        builder.program().counter(100, PID, builder.intern("queue"), 3);
        builder.program().counter(200, PID, builder.intern("queue"), 5);
    }

    private static void profile(TraceBuilder builder) {
        int main = builder.samples().call(-1, builder.intern("main"), builder.intern("Main.java"), 5);
        int work = builder.samples().call(main, builder.intern("work"), builder.intern("Work.java"), 7);
        int park = builder.samples().call(main, builder.intern("park"), builder.intern("libc.so"), -1);
        builder.samples().sample(150, TID, PID, 2, work, true);
        builder.samples().sample(160, TID, PID, 3, work, true);
        builder.samples().sample(170, TID, PID, -1, main, true);
        builder.samples().sample(180, TID, PID, -1, park, false);
    }

    @BeforeEach
    void open() throws QueryException {
        session = QueryTestSession.of(trace());
    }

    @AfterEach
    void close() {
        session.close();
    }

    private void answers(String sql, String... rows) throws QueryException {
        List<String> lines = session.result(sql);
        assertThat(lines.subList(1, lines.size())).containsExactly(rows);
    }

    @Test
    void argumentsOfSlices() throws QueryException {
        answers(
                """
                SELECT flat_key, key, int_value, string_value, real_value, value_type, display_value
                FROM slice JOIN args USING (arg_set_id) WHERE ts = 100 ORDER BY args.id
                """,
                "\"debug.headers.name\",\"debug.headers[0].name\",\"[NULL]\",\"accept\",\"[NULL]\",\"string\",\"accept\"",
                "\"debug.size\",\"debug.size\",-1,\"[NULL]\",\"[NULL]\",\"uint\",\"18446744073709551615\"",
                "\"debug.share\",\"debug.share\",\"[NULL]\",\"[NULL]\",0.25,\"real\",\"0.25\"",
                "\"debug.cached\",\"debug.cached\",1,\"[NULL]\",\"[NULL]\",\"bool\",\"true\"",
                "\"debug.at\",\"debug.at\",65280,\"[NULL]\",\"[NULL]\",\"pointer\",\"0xff00\"");
    }

    @Test
    void argumentsByTheirKeys() throws QueryException {
        answers("""
                SELECT ts, extract_arg(arg_set_id, 'debug.headers[0].name') AS header, EXTRACT_ARG(arg_set_id, 'debug.share') * 4 AS x
                FROM slice WHERE name = 'fetch' ORDER BY ts
                """, "100,\"accept\",1.0", "300,\"[NULL]\",\"[NULL]\"");
        answers("SELECT count(*) FROM slice WHERE arg_set_id IS NOT NULL", "1");
        answers("SELECT name FROM slice WHERE extract_arg(arg_set_id, 'debug.cached') = 1", "\"fetch\"");
    }

    @Test
    void machineMetadata() throws QueryException {
        answers(
                "SELECT name, int_value, str_value FROM metadata ORDER BY name",
                "\"android_build_fingerprint\",\"[NULL]\",\"maker/model:15/AB1\"",
                "\"android_sdk_version\",35,\"[NULL]\"",
                "\"trace_size_bytes\",4711,\"[NULL]\"",
                "\"unjank_trace_name\",\"[NULL]\",\"small.pftrace\"");
    }

    @Test
    void packagesAndTheirProcesses() throws QueryException {
        answers("""
                INCLUDE PERFETTO MODULE android.process_metadata;
                SELECT process_name, package_name, uid, version_code, debuggable
                FROM android_process_metadata WHERE pid = 10
                """, "\"com.example.mail:sync\",\"com.example.mail\",10123,77,1");
    }

    @Test
    void userIdsOfProcesses() throws QueryException {
        answers("SELECT uid, android_appid, android_user_id FROM process WHERE pid = 10", "1010123,10123,10");
    }

    @Test
    void countersOfProcesses() throws QueryException {
        answers("""
                SELECT t.name, c.ts, c.value, process.name
                FROM counter AS c JOIN process_counter_track AS t ON c.track_id = t.id JOIN process USING (upid) ORDER BY c.ts
                """, "\"queue\",100,3.0,\"com.example.mail:sync\"", "\"queue\",200,5.0,\"com.example.mail:sync\"");
        answers("SELECT count(*) FROM cpu_counter_track", "0");
    }

    @Test
    void profilerStacks() throws QueryException {
        answers("""
                INCLUDE PERFETTO MODULE stacks.cpu_profiling;
                SELECT name, mapping_name, source_file, line_number, self_count, cumulative_count, parent_id IS NULL AS outermost
                FROM cpu_profiling_summary_tree ORDER BY id
                """, "\"main\",\"Main.java\",\"Main.java\",5,1,3,1", "\"work\",\"Work.java\",\"Work.java\",7,2,2,0");
        answers("SELECT ts, cpu FROM perf_sample ORDER BY ts", "150,2", "160,3", "170,\"[NULL]\"");
        answers(
                "SELECT f.name, s.depth FROM stack_profile_callsite AS s JOIN stack_profile_frame AS f ON f.id = s.frame_id"
                        + " WHERE f.symbol_set_id IS NULL",
                "\"park\",1");
    }

    @Test
    void stackIdsOfSlices() throws QueryException {
        answers("""
                INCLUDE PERFETTO MODULE slices.stack;
                SELECT name, count(*) AS n, min(ts) AS ts, max(parent_stack_id != 0) AS inside
                FROM slice_with_stack_id GROUP BY stack_id ORDER BY ts
                """, "\"fetch\",2,100,0", "\"parse\",2,110,1", "\"parse\",1,500,0");
        String inner = "(SELECT stack_id FROM slice_with_stack_id WHERE ts = 110)";
        answers(
                "INCLUDE PERFETTO MODULE slices.stack; SELECT ts, name FROM ancestor_slice_by_stack(" + inner
                        + ") ORDER BY ts",
                "100,\"fetch\"",
                "110,\"parse\"",
                "300,\"fetch\"",
                "310,\"parse\"");
        String outer = "(SELECT stack_id FROM slice_with_stack_id WHERE ts = 300)";
        answers(
                "INCLUDE PERFETTO MODULE slices.stack; SELECT ts FROM descendant_slice_by_stack(" + outer
                        + ") WHERE name = 'parse' ORDER BY ts",
                "110",
                "310");
    }

    /** A duration that may be a million times too long must not get into sums. */
    @Test
    void implausibleDurationsAreNull() throws QueryException {
        try (TraceBuilder builder = new TraceBuilder("stretched")) {
            for (int i = 0; i < 2_000; i++) {
                builder.program().instant(i * 1_000L, TID, PID, builder.intern("work"));
            }
            builder.program().instant(400_000_000_000_000L, TID, PID, builder.intern("work"));
            try (QueryTestSession stretched = QueryTestSession.of(builder.build())) {
                assertThat(stretched.result("SELECT dur FROM unjank_summary").getLast())
                        .isEqualTo("\"[NULL]\"");
            }
        }
        assertThat(session.result("SELECT dur > 0 FROM unjank_summary").getLast())
                .isEqualTo("1");
    }
}
