package dev.unjank.doctor.scene;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.PresentType;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Trace;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builds the trace of a Java virtual machine, slice by slice: times in ms, four threads, no scheduler events. */
public final class SyntheticJvmTrace implements AutoCloseable {
    public static final long MS = 1_000_000;
    public static final int PID = 100;
    public static final int MAIN = 101;
    public static final int WORKER = 102;
    public static final int OTHER = 103;
    public static final int EVENTS = 104;

    private final TraceBuilder builder = new TraceBuilder("jvm");
    private @Nullable Trace trace;

    public SyntheticJvmTrace() {
        builder.kernel().javaProcess(0, PID, builder.intern("app.Main"));
        name(MAIN, "main").name(WORKER, "worker").name(OTHER, "other");
        builder.unmodeledEvent(200 * MS);
    }

    public SyntheticJvmTrace name(int tid, String name) {
        builder.kernel().nameThread(0, tid, PID, builder.intern(name));
        return this;
    }

    /** A further thread, which starts and ends within the trace. */
    public SyntheticJvmTrace lives(int tid, String name, double fromMs, double toMs) {
        builder.kernel().threadStart(Math.round(fromMs * MS), tid, PID, builder.intern(name));
        builder.kernel().threadEnd(Math.round(toMs * MS), tid, PID);
        return this;
    }

    public SyntheticJvmTrace slice(int tid, double fromMs, double toMs, String category, String name) {
        int track = builder.tracks().newTrack(tid, PID);
        builder.tracks().trackBegin(Math.round(fromMs * MS), track, builder.intern(category), builder.intern(name));
        builder.tracks().trackEnd(Math.round(toMs * MS), track);
        return this;
    }

    /** A slice of the process with nested ones, by time, each as category, name, from and to. */
    public SyntheticJvmTrace stop(double fromMs, double toMs, String category, String name, Object... within) {
        int track = builder.tracks().newTrack(-1, PID);
        builder.tracks().trackBegin(Math.round(fromMs * MS), track, builder.intern(category), builder.intern(name));
        for (int i = 0; i < within.length; i += 3) {
            long from = Math.round(((Number) within[i + 1]).doubleValue() * MS);
            long to = Math.round(((Number) within[i + 2]).doubleValue() * MS);
            builder.tracks().trackBegin(from, track, builder.intern(category), builder.intern((String) within[i]));
            builder.tracks().trackEnd(to, track);
        }
        builder.tracks().trackEnd(Math.round(toMs * MS), track);
        return this;
    }

    /** An instant event of the process with arguments, each as key and value: a recorder's note. */
    public SyntheticJvmTrace note(double ms, String name, String... facts) {
        int track = builder.tracks().newTrack(-1, PID);
        long ts = Math.round(ms * MS);
        builder.tracks().trackInstant(ts, track, builder.intern("unjank"), builder.intern(name));
        int first = -1;
        for (int i = 0; i < facts.length; i += 2) {
            int row = builder.tracks()
                    .arg(builder.intern("debug." + facts[i]), Args.Type.TEXT, builder.intern(facts[i + 1]));
            first = first < 0 ? row : first;
        }
        builder.tracks().trackArgs(ts, track, first, facts.length / 2);
        return this;
    }

    /** A message that a thread runs as a looper. */
    public SyntheticJvmTrace message(int tid, double fromMs, double toMs, String name) {
        int track = builder.tracks().newTrack(tid, PID);
        builder.tracks().trackBegin(Math.round(fromMs * MS), track, builder.intern("mq"), builder.intern(name));
        builder.tracks().trackMessage(Math.round(fromMs * MS), track, -1, builder.intern("looper"), 1, -1);
        builder.tracks().trackEnd(Math.round(toMs * MS), track);
        return this;
    }

    /** A frame of 16 ms that a thread renders. */
    public SyntheticJvmTrace frame(int tid, String threadName, int number, double fromMs, double toMs) {
        boolean missed = toMs - fromMs > 16;
        long from = Math.round(fromMs * MS);
        int layer = builder.intern(threadName + " (" + tid + ")");
        builder.program().expectedFrame(from, 2L * number, PID, 0, number, layer);
        builder.program().frameEnd(from + 16 * MS, 2L * number);
        builder.program()
                .actualFrame(
                        from,
                        2L * number + 1,
                        PID,
                        0,
                        number,
                        layer,
                        (missed ? JankType.APP_DEADLINE_MISSED : JankType.NONE).bit(),
                        missed ? PresentType.LATE : PresentType.ON_TIME,
                        !missed,
                        false);
        builder.program().frameEnd(Math.round(toMs * MS), 2L * number + 1);
        return this;
    }

    /** A wait for the monitor of an {@code app.Store} whose owner the virtual machine records. */
    public SyntheticJvmTrace waits(int tid, double fromMs, double toMs, String owner, int ownerTid) {
        String name =
                "monitor contention with owner %s (%d) waiters=0 lock=app.Store blocking from void app.Ui.draw()(Ui:7)"
                        .formatted(owner, ownerTid);
        return slice(tid, fromMs, toMs, "", name);
    }

    /**
     * A wait of a category with a stack, the innermost method first; {@code arg} is a further argument with its number,
     * or none.
     */
    public SyntheticJvmTrace stacked(
            int tid, double fromMs, double toMs, String category, String name, List<String> stack, Object... arg) {
        int track = builder.tracks().newTrack(tid, PID);
        long from = Math.round(fromMs * MS);
        builder.tracks().trackBegin(from, track, builder.intern(category), builder.intern(name));
        String lines =
                stack.stream().map(method -> "void " + method + "()(A:1)").collect(Collectors.joining("\n"));
        int row = builder.tracks().arg(builder.intern("debug.stack"), Args.Type.TEXT, builder.intern(lines));
        for (int i = 0; i < arg.length; i += 2) {
            builder.tracks().arg(builder.intern("debug." + arg[i]), Args.Type.INT, ((Number) arg[i + 1]).longValue());
        }
        builder.tracks().trackArgs(from, track, row, 1 + arg.length / 2);
        builder.tracks().trackEnd(Math.round(toMs * MS), track);
        return this;
    }

    /** The same as a recorder writes it, with the class as an argument. */
    public SyntheticJvmTrace waitsAsRecorded(int tid, double fromMs, double toMs, String owner, int ownerTid) {
        return waitsAsRecorded(tid, fromMs, toMs, owner, ownerTid, 0);
    }

    /** The same while a number of threads wait already. */
    public SyntheticJvmTrace waitsAsRecorded(
            int tid, double fromMs, double toMs, String owner, int ownerTid, long waiters) {
        int track = builder.tracks().newTrack(tid, PID);
        String name =
                "monitor contention with owner %s (%d) at void app.A.a()(A.java:1) waiters=%d blocking from void app.Ui.draw()(Ui.java:7)"
                        .formatted(owner, ownerTid, waiters);
        long from = Math.round(fromMs * MS);
        builder.tracks().trackBegin(from, track, builder.intern("monitor"), builder.intern(name));
        int row = builder.tracks().arg(builder.intern("debug.lock class"), Args.Type.TEXT, builder.intern("app.Store"));
        builder.tracks().trackArgs(from, track, row, 1);
        builder.tracks().trackEnd(Math.round(toMs * MS), track);
        return this;
    }

    /**
     * A wait for a monitor that never ends, as a recorder writes it that started during the wait: the owner's code is
     * known.
     */
    public SyntheticJvmTrace waitsForEver(int tid, double fromMs, String owner, int ownerTid, String ownersMethod) {
        int track = builder.tracks().newTrack(tid, PID);
        long from = Math.round(fromMs * MS);
        String name =
                "monitor contention with owner %s (%d) at void %s()(A.java:1) waiters=0 blocking from void null()(null:-1)"
                        .formatted(owner, ownerTid, ownersMethod);
        builder.tracks().trackBegin(from, track, builder.intern("monitor"), builder.intern(name));
        int row =
                builder.tracks().arg(builder.intern("debug.lock class"), Args.Type.TEXT, builder.intern("app.Account"));
        String stack = "void %s()(A.java:1)\nvoid app.Bank.run()(A.java:9)".formatted(ownersMethod);
        builder.tracks().arg(builder.intern("debug.owner stack"), Args.Type.TEXT, builder.intern(stack));
        builder.tracks().trackArgs(from, track, row, 2);
        return this;
    }

    /** A recorder's note on its ring buffer. */
    public SyntheticJvmTrace ring(double endMs, double keptMs) {
        int track = builder.tracks().newTrack(-1, PID);
        long at = Math.round(endMs * MS);
        builder.tracks().trackInstant(at, track, builder.intern("unjank"), builder.intern("ring"));
        int row = builder.tracks().arg(builder.intern("debug.kept ns"), Args.Type.INT, Math.round(keptMs * MS));
        builder.tracks().trackArgs(at, track, row, 1);
        return this;
    }

    public SyntheticJvmTrace sampled(int tid, int atMs, String function) {
        builder.samples()
                .sample(atMs * MS, tid, PID, -1, builder.samples().call(-1, builder.intern(function), -1, -1), true);
        return this;
    }

    /** A sample of a stack, the innermost function first. */
    public SyntheticJvmTrace sampledStack(int tid, double atMs, String... functions) {
        int call = -1;
        for (String function : List.of(functions).reversed()) {
            call = builder.samples().call(call, builder.intern(function), -1, -1);
        }
        builder.samples().sample(Math.round(atMs * MS), tid, PID, -1, call, true);
        return this;
    }

    /** A park on a lock with a recorded owner, or 0. */
    public SyntheticJvmTrace parks(int tid, double fromMs, double toMs, String lock, int ownerTid) {
        String name =
                "parking on java.util.concurrent.locks.%s (owner tid: %d) blocking from void app.Store.put()(Store:9)"
                        .formatted(lock, ownerTid);
        return slice(tid, fromMs, toMs, "park", name);
    }

    /** A park with further recorded owners, each as time, tid and stack; the first from the start. */
    public SyntheticJvmTrace parksBehind(int tid, double fromMs, double toMs, Object... owners) {
        int track = builder.tracks().newTrack(tid, PID);
        for (int i = 0; i < owners.length; i += 3) {
            long at = Math.round((i == 0 ? fromMs : ((Number) owners[i]).doubleValue()) * MS);
            String name = "parking on java.util.concurrent.locks.ReentrantLock$NonfairSync (owner tid: " + owners[i + 1]
                    + ") blocking from void app.Store.put()(Store:9)";
            builder.tracks().trackBegin(at, track, builder.intern("park"), builder.intern(name));
            String stack = (String) owners[i + 2];
            if (!stack.isEmpty()) {
                int row = builder.tracks()
                        .arg(builder.intern("debug.owner stack"), Args.Type.TEXT, builder.intern(stack));
                builder.tracks().trackArgs(at, track, row, 1);
            }
        }
        for (int i = 0; i < owners.length; i += 3) {
            builder.tracks().trackEnd(Math.round(toMs * MS), track);
        }
        return this;
    }

    /** A slice with the thread's stack, as Flight Recorder's events have one. */
    public SyntheticJvmTrace withStack(
            int tid, double fromMs, double toMs, String category, String name, String stack) {
        int track = builder.tracks().newTrack(tid, PID);
        long from = Math.round(fromMs * MS);
        builder.tracks().trackBegin(from, track, builder.intern(category), builder.intern(name));
        int row = builder.tracks().arg(builder.intern("debug.stack"), Args.Type.TEXT, builder.intern(stack));
        builder.tracks().trackArgs(from, track, row, 1);
        builder.tracks().trackEnd(Math.round(toMs * MS), track);
        return this;
    }

    /** A thread of any process runs, then enters a state. */
    public SyntheticJvmTrace runs(int cpu, int tid, String name, double fromMs, double toMs, SchedState then) {
        int comm = builder.intern(name);
        builder.kernel().schedSwitch(Math.round(fromMs * MS), cpu, 0, -1, 120, SchedState.RUNNABLE, tid, comm, 120);
        builder.kernel().schedSwitch(Math.round(toMs * MS), cpu, tid, comm, 120, then, 0, -1, 120);
        return this;
    }

    /** Another thread, which runs on a CPU, wakes a thread. */
    public SyntheticJvmTrace wakes(int cpu, int waker, double ms, int tid) {
        builder.kernel().waking(Math.round(ms * MS), cpu, waker, tid, 120);
        return this;
    }

    /** A process that is no virtual machine, and its main thread. */
    public SyntheticJvmTrace foreign(int pid, String name) {
        builder.kernel().process(0, pid, 1, builder.intern(name));
        builder.kernel().thread(0, pid, pid, builder.intern(name));
        return this;
    }

    /** {@return the trace; nothing can be added afterwards} */
    public Trace trace() {
        if (trace == null) {
            trace = builder.build();
        }
        return trace;
    }

    public Diagnosis diagnose(DoctorOptions options) {
        return JsonReportSchema.checked(Doctor.diagnose(trace(), options));
    }

    public Diagnosis diagnose() {
        return diagnose(DoctorOptions.defaults());
    }

    @Override
    public void close() {
        builder.close();
    }
}
