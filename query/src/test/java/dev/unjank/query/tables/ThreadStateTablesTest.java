package dev.unjank.query.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.query.QueryTestSession;
import dev.unjank.query.result.QueryException;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Trace;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code thread_state}, which equals trace processor's, and {@code unjank_thread_state}, which has all recorded states.
 */
class ThreadStateTablesTest {
    /** Thread 10 is woken at 250 and 450, as recorded by an old kernel, and preempted at 350. */
    private static Trace old(String release) {
        try (TraceBuilder builder = new TraceBuilder("old")) {
            int name = builder.intern("a");
            builder.putMetadata("system_release", release);
            builder.kernel().schedSwitch(100, 0, 0, name, 120, SchedState.RUNNABLE, 10, name, 110);
            builder.kernel().schedSwitch(200, 0, 10, name, 110, SchedState.SLEEPING, 11, name, 120);
            builder.kernel().wakeup(250, 1, 10, 97);
            builder.kernel().schedSwitch(300, 0, 11, name, 120, SchedState.SLEEPING, 10, name, 97);
            builder.kernel().schedSwitch(350, 0, 10, name, 97, SchedState.RUNNABLE_PREEMPTED, 11, name, 120);
            builder.kernel().schedSwitch(400, 0, 11, name, 120, SchedState.SLEEPING, 10, name, 97);
            builder.unmodeledEvent(500);
            return builder.build();
        }
    }

    private static List<String> rows(Trace trace, String table) throws QueryException {
        try (QueryTestSession session = QueryTestSession.of(trace)) {
            List<String> rows = session.result("""
                    SELECT s.ts, s.dur, s.state, s.cpu, waker.tid AS waker, waking.ts AS waking
                    FROM %s s JOIN thread USING (utid) LEFT JOIN thread waker ON s.waker_utid = waker.utid
                    LEFT JOIN %<s waking ON s.waker_id = waking.id
                    WHERE thread.tid = 10 ORDER BY s.id""".formatted(table));
            return rows.subList(1, rows.size());
        }
    }

    @ParameterizedTest
    @CsvSource({"3.10.73, N", "4.1.2, N", "4.2, R+", "4.14.1, R+", "unknown, R+"})
    void preemptionOnOldKernels(String release, String preempted) throws QueryException {
        Trace trace = old(release);
        assertThat(rows(trace, "thread_state"))
                .containsExactly(
                        "100,100,\"Running\",0,\"[NULL]\",\"[NULL]\"",
                        "200,100,\"S\",\"[NULL]\",\"[NULL]\",\"[NULL]\"",
                        "300,50,\"Running\",0,\"[NULL]\",\"[NULL]\"",
                        "350,50,\"" + preempted + "\",\"[NULL]\",\"[NULL]\",\"[NULL]\"",
                        "400,-1,\"Running\",0,\"[NULL]\",\"[NULL]\"");
        assertThat(rows(trace, "unjank_thread_state"))
                .containsExactly(
                        "100,100,\"Running\",0,\"[NULL]\",\"[NULL]\"",
                        "200,50,\"S\",\"[NULL]\",\"[NULL]\",\"[NULL]\"",
                        "250,50,\"R\",\"[NULL]\",\"[NULL]\",\"[NULL]\"",
                        "300,50,\"Running\",0,\"[NULL]\",\"[NULL]\"",
                        "350,50,\"R+\",\"[NULL]\",\"[NULL]\",\"[NULL]\"",
                        "400,-1,\"Running\",0,\"[NULL]\",\"[NULL]\"");
        try (QueryTestSession session = QueryTestSession.of(trace)) {
            assertThat(session.result("SELECT ts, end_state FROM sched WHERE utid != 0 ORDER BY ts"))
                    .contains("300,\"" + preempted + "\"");
            assertThat(
                            session.result(
                                    "SELECT priority FROM unjank_thread_state JOIN thread USING (utid) WHERE tid = 10 ORDER BY ts"))
                    .containsExactly("\"priority\"", "110", "110", "97", "97", "97", "97");
        }
    }

    /** The kernel may record that a sleep was not for I/O without its blocked function. */
    @Test
    void ioWaitIsKnownIfRecorded() throws QueryException {
        Trace trace;
        try (TraceBuilder builder = new TraceBuilder("reasons")) {
            int name = builder.intern("a");
            for (int i = 0; i < 3; i++) {
                builder.kernel().schedSwitch(100 + 100 * i, 0, 0, name, 120, SchedState.RUNNABLE, 10, name, 120);
                builder.kernel().schedSwitch(150 + 100 * i, 0, 10, name, 120, SchedState.UNINTERRUPTIBLE, 0, name, 120);
                if (i < 2) {
                    builder.kernel().blockedReason(180 + 100 * i, 10, i == 1, -1);
                }
            }
            trace = builder.build();
        }
        try (QueryTestSession session = QueryTestSession.of(trace)) {
            assertThat(session.result("SELECT io_wait FROM thread_state WHERE state = 'D' ORDER BY ts"))
                    .containsExactly("\"io_wait\"", "0", "1", "\"[NULL]\"");
        }
    }

    /** CPU 0 lacks the switch by which the thread left it. */
    @Test
    void endStateIsUnknownAfterALostSwitch() throws QueryException {
        Trace trace;
        try (TraceBuilder builder = new TraceBuilder("lost")) {
            int name = builder.intern("a");
            builder.kernel().schedSwitch(100, 0, 0, name, 120, SchedState.RUNNABLE, 10, name, 120);
            builder.kernel().schedSwitch(200, 1, 0, name, 120, SchedState.RUNNABLE, 10, name, 120);
            builder.kernel().schedSwitch(300, 1, 10, name, 120, SchedState.SLEEPING, 0, name, 120);
            builder.kernel().schedSwitch(400, 0, 11, name, 120, SchedState.SLEEPING, 0, name, 120);
            trace = builder.build();
        }
        try (QueryTestSession session = QueryTestSession.of(trace)) {
            assertThat(session.result(
                            "SELECT end_state FROM sched JOIN thread USING (utid) WHERE tid = 10 ORDER BY ts"))
                    .containsExactly("\"end_state\"", "\"[NULL]\"", "\"S\"");
        }
    }

    /** Waker ids refer to rows of the queried table. */
    @Test
    void wakerIdsReferToTheSameTable() throws QueryException {
        Trace trace;
        try (TraceBuilder builder = new TraceBuilder("tie")) {
            int name = builder.intern("a");
            builder.kernel().schedSwitch(100, 1, 0, name, 120, SchedState.RUNNABLE, 10, name, 120);
            builder.kernel().schedSwitch(200, 0, 0, name, 120, SchedState.RUNNABLE, 7, name, 120);
            builder.kernel().waking(300, 0, 7, 10, 120);
            builder.kernel().schedSwitch(300, 1, 10, name, 120, SchedState.SLEEPING, 0, name, 120);
            builder.kernel().schedSwitch(350, 1, 0, name, 120, SchedState.RUNNABLE, 10, name, 120);
            builder.kernel().schedSwitch(400, 1, 10, name, 120, SchedState.SLEEPING, 0, name, 120);
            builder.kernel().waking(450, 0, 7, 10, 120);
            builder.unmodeledEvent(500);
            trace = builder.build();
        }
        assertThat(rows(trace, "thread_state"))
                .containsExactly(
                        "100,200,\"Running\",1,\"[NULL]\",\"[NULL]\"",
                        "300,50,\"S\",\"[NULL]\",\"[NULL]\",\"[NULL]\"",
                        "350,50,\"Running\",1,\"[NULL]\",\"[NULL]\"",
                        "400,50,\"S\",\"[NULL]\",\"[NULL]\",\"[NULL]\"",
                        "450,-1,\"R\",\"[NULL]\",7,200");
        assertThat(rows(trace, "unjank_thread_state"))
                .containsExactly(
                        "100,200,\"Running\",1,\"[NULL]\",\"[NULL]\"",
                        "300,0,\"S\",\"[NULL]\",\"[NULL]\",\"[NULL]\"",
                        "300,50,\"R\",\"[NULL]\",7,200",
                        "350,50,\"Running\",1,\"[NULL]\",\"[NULL]\"",
                        "400,50,\"S\",\"[NULL]\",\"[NULL]\",\"[NULL]\"",
                        "450,-1,\"R\",\"[NULL]\",7,200");
    }
}
