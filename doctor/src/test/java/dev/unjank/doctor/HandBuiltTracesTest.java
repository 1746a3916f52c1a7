package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.WarningMessages;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.ThreadStates;
import org.junit.jupiter.api.Test;

/** Traces that no machine plays as a whole: numbers used twice, data that is missing, texts that bite. Times in ms. */
class HandBuiltTracesTest {
    private static final int PID = 1000;
    private static final long MS = 1_000_000;

    private final TraceBuilder builder = new TraceBuilder("built");

    HandBuiltTracesTest() {
        process("com.example.app");
        builder.kernel().thread(0, PID, PID, builder.intern("com.example.app"));
    }

    private void process(String name) {
        builder.kernel().process(0, PID, 1, builder.intern(name));
    }

    private void slice(String name, long from, long to) {
        builder.program().begin(from * MS, PID, PID, builder.intern(name));
        builder.program().end(to * MS, PID, PID);
    }

    private void switches(long at, int cpu, int prev, SchedState state, int next, String comm, int priority) {
        int name = builder.intern(comm);
        builder.kernel().schedSwitch(at * MS, cpu, prev, name, priority, state, next, name, priority);
    }

    private Diagnosis diagnose() {
        return Doctor.diagnose(builder.build(), DoctorOptions.defaults());
    }

    /** Tid 1001 is one thread's until 21 ms and another's from 30 ms on. */
    @Test
    void aNumberThatWasUsedTwice() {
        builder.kernel().thread(0, 1001, PID, builder.intern("first"));
        switches(1, 1, 0, SchedState.RUNNABLE, 1001, "first", 120);
        switches(20, 1, 1001, SchedState.DEAD, 0, "first", 120);
        builder.kernel().taskEnd(21 * MS, 1001);
        builder.kernel().taskNew(30 * MS, PID, 1001, builder.intern("second"), 0x10000);
        switches(31, 1, 0, SchedState.RUNNABLE, 1001, "second", 130);
        switches(60, 1, 1001, SchedState.SLEEPING, 0, "second", 130);
        slice("Lock contention on thread list lock (owner tid: 1001)", 5, 15);
        slice("Lock contention on thread list lock (owner tid: 1001)", 40, 55);
        assertThat(diagnose().incidents())
                .extracting(incident -> incident.owner().thread().name() + " "
                        + incident.owner().thread().priority() + " " + incident.verdict())
                .containsExactly("second 130 LONG_HOLD", "first 120 LONG_HOLD");
    }

    /** The same wait with the thread of that number gone: who had it since cannot have had the lock. */
    @Test
    void aNumberOfNobodyAnyMore() {
        builder.kernel().thread(0, 1001, PID, builder.intern("first"));
        switches(1, 1, 0, SchedState.RUNNABLE, 1001, "first", 120);
        switches(20, 1, 1001, SchedState.DEAD, 0, "first", 120);
        builder.kernel().taskEnd(21 * MS, 1001);
        slice("Lock contention on thread list lock (owner tid: 1001)", 25, 27);
        Incident incident = diagnose().incidents().getFirst();
        assertThat(incident.owner().thread().isInTrace()).isFalse();
        assertThat(incident.verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    /** The owner's story begins in the middle of the wait. */
    @Test
    void whatTheTraceDoesNotTellIsUnknown() {
        builder.kernel().thread(0, 1001, PID, builder.intern("worker"));
        switches(8, 1, 0, SchedState.RUNNABLE, 1001, "worker", 120);
        switches(20, 1, 1001, SchedState.SLEEPING, 0, "worker", 120);
        slice("Lock contention on thread list lock (owner tid: 1001)", 5, 9);
        Incident incident = diagnose().incidents().getFirst();
        assertThat(incident.ownerStates())
                .containsExactly(
                        new Incident.StateDuration(OwnerState.UNKNOWN, 3 * MS),
                        new Incident.StateDuration(OwnerState.RUNNING, MS));
        assertThat(incident.owner().thread().priority()).isEqualTo(120);
        assertThat(incident.verdict()).isEqualTo(Verdict.UNKNOWN);
        SceneDiagnoses.assertTiled(incident.rootWait());
    }

    @Test
    void withoutSchedulerEvents() {
        builder.kernel().thread(0, 1001, PID, builder.intern("worker"));
        slice("Lock contention on thread list lock (owner tid: 1001)", 5, 9);
        Diagnosis diagnosis = diagnose();
        Incident incident = diagnosis.incidents().getFirst();
        assertThat(incident.rootWait().thread().priority()).isEqualTo(ThreadStates.NO_PRIORITY);
        assertThat(incident.owner().thread().tid()).isEqualTo(1001);
        assertThat(incident.verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void nothingAtAll() {
        Diagnosis diagnosis = Doctor.diagnose(new TraceBuilder("empty").build(), DoctorOptions.defaults());
        assertThat(diagnosis.incidents()).isEmpty();
        assertThat(WarningMessages.of(diagnosis.warnings())).allMatch(line -> line.startsWith("the trace contains no"));
        assertThat(TextReport.of(diagnosis, TextReport.Style.plain()))
                .contains("no waits found. To record lock waits on Android");
    }

    /** A thread waits at 5 ms for the next one's lock, and so on: longer than any chain that anybody would read. */
    @Test
    void aChainWithoutEnd() {
        int links = 5_000;
        for (int i = 0; i < links; i++) {
            int tid = 1000 + i;
            String comm = "link " + i;
            builder.kernel().thread(0, tid, PID, builder.intern(comm));
            switches(1, i % 4, 0, SchedState.RUNNABLE, tid, comm, 120);
            switches(6, i % 4, tid, SchedState.SLEEPING, 0, comm, 120);
            builder.program()
                    .begin(5 * MS, tid, PID, builder.intern("Lock contention on x (owner tid: " + (tid + 1) + ")"));
        }
        switches(50, 5, 0, SchedState.RUNNABLE, 999, "late", 120);
        Incident incident = diagnose().incidents().getFirst();
        assertThat(incident.chain()).hasSizeBetween(50, 100);
        SceneDiagnoses.assertTiled(incident.rootWait());
    }

    /** A trace is somebody else's: its texts must not reach a terminal as they are. */
    @Test
    void textsThatBite() {
        builder.kernel().thread(0, 1001, PID, builder.intern("wor\u001b[2Jker"));
        process("com.\u0007example\n.app");
        switches(1, 1, 0, SchedState.RUNNABLE, 1001, "wor\u001b[2Jker", 120);
        slice("Lock contention on \u009bx (owner tid: 1001)", 5, 9);
        String text = TextReport.of(diagnose(), TextReport.Style.plain());
        assertThat(text).contains("wor\\u001b[2Jker").contains("for the \\u009bx lock");
        assertThat(text.chars().filter(c -> c != '\n')).noneMatch(Character::isISOControl);
    }
}
