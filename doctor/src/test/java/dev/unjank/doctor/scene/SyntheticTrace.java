package dev.unjank.doctor.scene;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Incident;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.PresentType;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.SchedState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds traces that a {@code Scene} cannot, event by event. Times in ms; each thread has the CPU of its last digit.
 */
public final class SyntheticTrace {
    public static final int APP = 1000;
    public static final int SERVER = 2000;

    private static final double NS = 1e6;

    private final TraceBuilder builder = new TraceBuilder("stage");
    private final Map<Integer, Integer> priorities = new HashMap<>();
    private final Map<Integer, String> names = new HashMap<>();
    private final Map<Integer, Integer> processes = new HashMap<>();
    private int calls;

    public static long ns(double ms) {
        return Math.round(ms * NS);
    }

    /** The facts of the machine. */
    public SyntheticTrace fact(String what, String value) {
        builder.putMetadata(what, value);
        return this;
    }

    public SyntheticTrace process(int pid, String name) {
        return process(pid, name, Processes.NO_UID);
    }

    public SyntheticTrace process(int pid, String name, int uid) {
        builder.kernel().process(0, pid, 1, builder.intern(name), uid);
        return thread(pid, pid, name, 110);
    }

    public SyntheticTrace thread(int tid, int pid, String name, int priority) {
        builder.kernel().thread(0, tid, pid, builder.intern(name));
        priorities.put(tid, priority);
        names.put(tid, name);
        processes.put(tid, pid);
        return this;
    }

    /** A kernel thread, as in a process tree: a process of its own, whose parent is kthreadd. */
    public SyntheticTrace kernelThread(int tid, String name) {
        builder.kernel().process(0, 2, 0, builder.intern("kthreadd"));
        builder.kernel().process(0, tid, 2, builder.intern(name));
        return thread(tid, tid, name, 120);
    }

    /** A thread without a known process. */
    public SyntheticTrace strayThread(int tid, String name) {
        priorities.put(tid, 120);
        names.put(tid, name);
        return this;
    }

    private static int cpu(int tid) {
        return tid % 10;
    }

    /** Runs, then enters a state. */
    public SyntheticTrace runs(int tid, double from, double to, SchedState then) {
        return runsOn(cpu(tid), tid, from, to, then);
    }

    public SyntheticTrace runsOn(int cpu, int tid, double from, double to, SchedState then) {
        int priority = priorities.get(tid);
        int name = builder.intern(names.get(tid));
        builder.kernel().schedSwitch(ns(from), cpu, 0, -1, 120, SchedState.RUNNABLE, tid, name, priority);
        builder.kernel().schedSwitch(ns(to), cpu, tid, name, priority, then, 0, -1, 120);
        return this;
    }

    /** A sleeping thread becomes runnable. */
    public SyntheticTrace wakes(int waker, double at, int tid) {
        builder.kernel().waking(ns(at), cpu(waker), waker, tid, priorities.get(tid));
        return this;
    }

    public SyntheticTrace sleptInKernel(int tid, double wokenAt, boolean ioWait, String function) {
        builder.kernel().blockedReason(ns(wokenAt), tid, ioWait, builder.intern(function));
        return this;
    }

    public SyntheticTrace slice(int tid, String name, double from, double to) {
        builder.program().begin(ns(from), tid, processes.get(tid), builder.intern(name));
        builder.program().end(ns(to), tid, processes.get(tid));
        return this;
    }

    /** A frame of the frame timeline, whose app missed its deadline. */
    public SyntheticTrace frame(int pid, long token, double from, double deadline, double to) {
        int layer = builder.intern("layer");
        long cookie = 2L * ++calls;
        builder.program().expectedFrame(ns(from), cookie, pid, token + 1, token, layer);
        builder.program().frameEnd(ns(deadline), cookie);
        builder.program()
                .actualFrame(
                        ns(from),
                        cookie + 1,
                        pid,
                        token + 1,
                        token,
                        layer,
                        JankType.APP_DEADLINE_MISSED.bit(),
                        PresentType.LATE,
                        false,
                        false);
        builder.program().frameEnd(ns(to), cookie + 1);
        return this;
    }

    /** A slice without an end in the trace. */
    public SyntheticTrace begins(int tid, String name, double from) {
        builder.program().begin(ns(from), tid, processes.get(tid), builder.intern(name));
        return this;
    }

    /** Ends the innermost slice that it began. */
    public SyntheticTrace ends(int tid, double at) {
        builder.program().end(ns(at), tid, processes.get(tid));
        return this;
    }

    /** A thread is preempted; the event of its last start on the CPU was lost. */
    public SyntheticTrace switchesOut(int tid, double at, SchedState then) {
        int name = builder.intern(names.get(tid));
        builder.kernel().schedSwitch(ns(at), cpu(tid), tid, name, priorities.get(tid), then, 0, -1, 120);
        return this;
    }

    /** A thread is about to end. */
    public SyntheticTrace exits(int tid, double at) {
        builder.kernel().taskExit(ns(at), tid);
        return this;
    }

    /** The kernel frees a thread, some time after its exit. */
    public SyntheticTrace isFreed(int tid, double at) {
        builder.kernel().taskEnd(ns(at), tid);
        return this;
    }

    /** The trace ends with an event that is neither of a program nor of the scheduler. */
    public SyntheticTrace end(double at) {
        builder.unmodeledEvent(ns(at));
        return this;
    }

    /** A binder call from one thread to another. */
    public SyntheticTrace call(int caller, double from, double to, int server, double begins, double ends) {
        int number = ++calls * 2;
        builder.kernel().binderTransaction(ns(from), caller, number, false, false);
        builder.kernel().binderReceived(ns(begins), server, number);
        builder.kernel().binderTransaction(ns(ends), server, number + 1, true, false);
        builder.kernel().binderReceived(ns(to), caller, number + 1);
        return this;
    }

    /** A message that a thread sends and the looper runs. */
    public SyntheticTrace message(
            int sender, double sent, long delayMs, int looper, String name, double from, double to) {
        int category = builder.intern("mq");
        long flow = ++calls;
        int sending = builder.tracks().newTrack(sender, processes.get(sender));
        int running = builder.tracks().newTrack(looper, processes.get(looper));
        builder.tracks().trackInstant(ns(sent), sending, category, builder.intern("message_queue_send"));
        builder.tracks().trackFlow(ns(sent), sending, flow, false);
        builder.tracks().trackBegin(ns(from), running, category, builder.intern(name));
        builder.tracks().trackFlow(ns(from), running, flow, true);
        builder.tracks().trackMessage(ns(from), running, builder.intern("s"), builder.intern("l"), 0, delayMs);
        builder.tracks().trackEnd(ns(to), running);
        return this;
    }

    public Diagnosis diagnose(DoctorOptions options) {
        return JsonReportSchema.checked(Doctor.diagnose(builder.build(), options));
    }

    /** The incidents of main threads. */
    public List<Incident> incidents() {
        return diagnose(DoctorOptions.defaults()).incidents();
    }
}
