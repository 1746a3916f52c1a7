package dev.unjank.scene;

import dev.unjank.trace.write.AtraceMarks;
import dev.unjank.trace.write.KernelEvent;
import dev.unjank.trace.write.Task;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a {@link Scene} and its timeline: a sequence of states, each from the end of the previous one (the
 * first from the scene's start) to a given time, with marks in between. Before its first state and after its last one
 * the thread sleeps.
 *
 * <p>Marks ({@link #begin}, {@link #end}, ...) are at the end of the last state. Only a running thread can write
 * them, so it must run right before or right after.
 */
public final class SceneThread {
    private static final int COMM_BYTES = 15;

    /** The activity of a thread in a state. */
    enum Activity {
        RUNS,
        RUNNABLE,
        SLEEPS,
        UNINTERRUPTIBLE,
        STOPPED
    }

    /**
     * A state of a timeline. Adjacent states with the same activity are one scheduling state. {@code waker} is the
     * thread that ends a sleep; null for an interrupt.
     */
    record State(
            Activity activity,
            long from,
            long until,
            int cpu,
            Task task,
            boolean ioWait,
            @Nullable String function,
            @Nullable SceneThread waker) {
        boolean isSleep() {
            return activity == Activity.SLEEPS || activity == Activity.UNINTERRUPTIBLE || activity == Activity.STOPPED;
        }

        boolean recordsWaker() {
            return waker != null || ioWait || function != null;
        }

        State wokenBy(SceneThread thread) {
            return new State(activity, from, until, cpu, task, ioWait, function, thread);
        }
    }

    /** An action of a thread at a time. */
    sealed interface Action {}

    record Prints(String text) implements Action {}

    record Emits(KernelEvent event) implements Action {}

    record Calls(int number, List<Long> arguments) implements Action {}

    record Returns(int number, long result) implements Action {}

    record Inherits(int priority) implements Action {}

    record Spawns(SceneThread child) implements Action {}

    record Renames(String oldComm, String newComm) implements Action {}

    record Exits() implements Action {}

    /** An action, its time and its place in the timeline: right before the state with that index. */
    record Mark(long at, int nextState, Task task, Action action) {}

    private final SceneProcess process;
    private final String firstComm;
    private final List<State> states = new ArrayList<>();
    private final List<Mark> marks = new ArrayList<>();

    private final Deque<ArtContention> contentions = new ArrayDeque<>();
    private Task task;
    private long now;
    private @Nullable SceneThread parent;
    private int openSlices;
    private boolean exited;

    SceneThread(SceneProcess process, int tid, String comm, int priority) {
        this.process = process;
        firstComm = truncated(comm);
        task = new Task(tid, firstComm, priority);
    }

    /** The thread id. */
    public int tid() {
        return task.tid();
    }

    /**
     * The short name, at the end of the timeline so far.
     *
     * @return at most 15 characters
     */
    public String comm() {
        return task.comm();
    }

    /** The process it belongs to. */
    public SceneProcess process() {
        return process;
    }

    /** Adds a running state on a CPU. */
    public SceneThread runs(int cpu, long until) {
        State last = last();
        if (last != null && last.activity == Activity.RUNS && last.cpu != cpu) {
            throw new IllegalArgumentException(this + " cannot move between CPUs while it runs");
        }
        return add(Activity.RUNS, until, cpu, false, null);
    }

    /** Adds a runnable state: preempted if the thread ran before, otherwise woken. */
    public SceneThread runnable(long until) {
        return add(Activity.RUNNABLE, until, -1, false, null);
    }

    /** Adds a sleep, which ends with an event such as a lock, a message or a timer. */
    public SceneThread sleeps(long until) {
        return add(Activity.SLEEPS, until, -1, false, null);
    }

    /**
     * Adds an uninterruptible sleep. The next state must be runnable, since the kernel records the reason when it wakes
     * the thread.
     *
     * @param function the blocked function, null if unknown
     */
    public SceneThread sleepsUninterruptibly(long until, boolean ioWait, @Nullable String function) {
        return add(Activity.UNINTERRUPTIBLE, until, -1, ioWait, function);
    }

    /** Adds a stopped state, as after SIGSTOP. */
    public SceneThread isStopped(long until) {
        return add(Activity.STOPPED, until, -1, false, null);
    }

    /**
     * Sets the thread that ends the last sleep; it must run before and after that time. By default an interrupt ends
     * the sleep. In both cases the next state must be runnable for at least a microsecond: a sched_waking is written
     * only if the thread does not run immediately.
     */
    public SceneThread wokenBy(SceneThread waker) {
        State last = last();
        if (last == null || !last.isSleep()) {
            throw new IllegalStateException(this + " can be woken only from a sleep");
        }
        states.set(states.size() - 1, last.wokenBy(waker));
        return this;
    }

    /** Changes the priority. Kernel events contain it from the next sched_switch or sched_waking. */
    public SceneThread priority(int priority) {
        task = task.withPriority(priority);
        return this;
    }

    /** Begins a slice. */
    public SceneThread begin(String name) {
        openSlices++;
        return mark(new Prints(AtraceMarks.begin(process.pid(), name)));
    }

    /** Ends the innermost open slice. */
    public SceneThread end() {
        if (openSlices == 0) {
            throw new IllegalStateException(this + " has no open slice");
        }
        openSlices--;
        return mark(new Prints(AtraceMarks.end(process.pid())));
    }

    /** Blocks on a contended lock: begins ART's slices. A sleep follows, then {@link #acquires}. */
    public SceneThread blocksOn(ArtContention contention) {
        contentions.push(contention);
        begin(contention.outerSlice());
        String nested = contention.nestedSlice();
        return nested == null ? this : begin(nested);
    }

    /** Acquires the lock of the last {@link #blocksOn}: ends the slices. */
    public SceneThread acquires() {
        return contentions.pop().nestedSlice() == null ? end() : end().end();
    }

    /** Writes a string into the trace, for example a mark of {@link AtraceMarks}. */
    public SceneThread prints(String text) {
        return mark(new Prints(text));
    }

    /** Inherits the priority of a waiter for its mutex, or restores its own priority; the kernel records both. */
    public SceneThread inherits(int priority) {
        mark(new Inherits(priority));
        return priority(priority);
    }

    /** Makes a system call. */
    public SceneThread calls(int number, long... arguments) {
        return mark(new Calls(number, Arrays.stream(arguments).boxed().toList()));
    }

    /** Returns from a system call. */
    public SceneThread returns(int number, long result) {
        return mark(new Returns(number, result));
    }

    /** Records another kernel event: sends or receives a binder transaction. */
    public SceneThread does(KernelEvent event) {
        return mark(new Emits(event));
    }

    /** Starts another thread of the scene, whose timeline must be empty. It is runnable from now on. */
    public SceneThread spawns(SceneThread child) {
        if (!child.states.isEmpty() || child.parent != null) {
            throw new IllegalArgumentException(child + " has a timeline already");
        }
        child.parent = this;
        child.now = now;
        return mark(new Spawns(child));
    }

    /**
     * Renames itself.
     *
     * @param comm the new name; the kernel keeps 15 bytes of it
     */
    public SceneThread renames(String comm) {
        String newComm = truncated(comm);
        mark(new Renames(task.comm(), newComm));
        task = new Task(task.tid(), newComm, task.priority());
        return this;
    }

    /** Exits. It must be running; the kernel releases the tid a microsecond later. */
    public void exits() {
        State last = last();
        if (last == null || last.activity != Activity.RUNS) {
            throw new IllegalStateException(this + " must be running to exit");
        }
        mark(new Exits());
        exited = true;
    }

    @Override
    public String toString() {
        return task.comm() + " (" + task.tid() + ")";
    }

    boolean isMain() {
        return task.tid() == process.pid();
    }

    boolean isSpawned() {
        return parent != null;
    }

    @Nullable
    SceneThread parent() {
        return parent;
    }

    boolean isExited() {
        return exited;
    }

    String firstComm() {
        return firstComm;
    }

    List<State> states() {
        return Collections.unmodifiableList(states);
    }

    List<Mark> marks() {
        return Collections.unmodifiableList(marks);
    }

    private SceneThread add(Activity activity, long until, int cpu, boolean ioWait, @Nullable String function) {
        if (exited) {
            throw new IllegalStateException(this + " has exited");
        }
        if (until <= now) {
            throw new IllegalArgumentException(this + ": " + activity + " until " + until + " ns, but it is " + now);
        }
        states.add(new State(activity, now, until, cpu, task, ioWait, function, null));
        now = until;
        return this;
    }

    private SceneThread mark(Action action) {
        if (exited) {
            throw new IllegalStateException(this + " has exited");
        }
        marks.add(new Mark(now, states.size(), task, action));
        return this;
    }

    private @Nullable State last() {
        return states.isEmpty() ? null : states.getLast();
    }

    private static String truncated(String comm) {
        return comm.length() <= COMM_BYTES ? comm : comm.substring(0, COMM_BYTES);
    }
}
