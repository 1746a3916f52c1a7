package dev.unjank.trace.scene;

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
 * A thread of a {@link Scene} and its story: a sequence of states, each from where the one before ended (the first from the
 * scene's start) until the time given, with marks in between. Before its first state and after its last one the thread sleeps.
 *
 * <p>Marks ({@link #begin}, {@link #end}, ...) are made at the end of the state told last. As only a running thread can make
 * them, it must run right before or right after.
 */
public final class SceneThread {
    private static final int COMM_BYTES = 15;

    /** What a thread does for a while. */
    enum Activity {
        RUNS,
        RUNNABLE,
        SLEEPS,
        UNINTERRUPTIBLE,
        STOPPED
    }

    /**
     * One state of a story. Adjacent ones of one activity are one to the scheduler. The waker is who ends a sleep, null for an
     * interrupt.
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

    /** Something that a thread does at one moment. */
    sealed interface Deed {}

    record Prints(String text) implements Deed {}

    record Emits(KernelEvent event) implements Deed {}

    record Calls(int number, List<Long> arguments) implements Deed {}

    record Returns(int number, long result) implements Deed {}

    record Inherits(int priority) implements Deed {}

    record Spawns(SceneThread child) implements Deed {}

    record Renames(String oldComm, String newComm) implements Deed {}

    record Exits() implements Deed {}

    /** A deed, its time and its place in the story: right before the state of that index. */
    record Mark(long at, int nextState, Task task, Deed deed) {}

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
     * The short name, as of the end of the story so far.
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

    /** Runs on a CPU. */
    public SceneThread runs(int cpu, long until) {
        State last = last();
        if (last != null && last.activity == Activity.RUNS && last.cpu != cpu) {
            throw new IllegalArgumentException(this + " cannot move between CPUs while it runs");
        }
        return add(Activity.RUNS, until, cpu, false, null);
    }

    /** Could run but waits for a CPU: preempted if it ran before, else woken. */
    public SceneThread runnable(long until) {
        return add(Activity.RUNNABLE, until, -1, false, null);
    }

    /** Sleeps until an event: a lock, a message, a timer. */
    public SceneThread sleeps(long until) {
        return add(Activity.SLEEPS, until, -1, false, null);
    }

    /**
     * Sleeps inside the kernel, where no signal reaches it. It waits for a CPU next, as the kernel tells of the
     * reason only when it wakes the thread.
     *
     * @param function the kernel's function in which it sleeps, null if the trace does not tell
     */
    public SceneThread sleepsUninterruptibly(long until, boolean ioWait, @Nullable String function) {
        return add(Activity.UNINTERRUPTIBLE, until, -1, ioWait, function);
    }

    /** Is stopped by a signal, as SIGSTOP does. */
    public SceneThread isStopped(long until) {
        return add(Activity.STOPPED, until, -1, false, null);
    }

    /**
     * Says who ends the sleep just told, for which it must run before and after that moment. Otherwise an interrupt
     * does. Either way the thread waits for a CPU next, if only for a microsecond; a thread that runs at once leaves
     * no trace of its waking.
     */
    public SceneThread wokenBy(SceneThread waker) {
        State last = last();
        if (last == null || !last.isSleep()) {
            throw new IllegalStateException(this + " can be woken only from a sleep");
        }
        states.set(states.size() - 1, last.wokenBy(waker));
        return this;
    }

    /** Has another priority from now on. The kernel's events show it from the next switch or waking on. */
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

    /** Finds a lock taken: begins the slices that ART writes about it. A sleep follows, then {@link #acquires}. */
    public SceneThread blocksOn(ArtContention contention) {
        contentions.push(contention);
        begin(contention.outerSlice());
        String nested = contention.nestedSlice();
        return nested == null ? this : begin(nested);
    }

    /** Gets the lock that it blocked on last: ends the slices that {@link #blocksOn} began. */
    public SceneThread acquires() {
        return contentions.pop().nestedSlice() == null ? end() : end().end();
    }

    /** Writes any text into the trace, for example one of {@link AtraceMarks}'s marks. */
    public SceneThread prints(String text) {
        return mark(new Prints(text));
    }

    /** Is lent the priority of a thread that waits for its mutex, or gives it back; the kernel tells of both. */
    public SceneThread inherits(int priority) {
        mark(new Inherits(priority));
        return priority(priority);
    }

    /** Makes a system call. */
    public SceneThread calls(int number, long... arguments) {
        return mark(new Calls(number, Arrays.stream(arguments).boxed().toList()));
    }

    /** Is back from a system call. */
    public SceneThread returns(int number, long result) {
        return mark(new Returns(number, result));
    }

    /** Makes another event of the kernel: sends or receives a binder transaction. */
    public SceneThread does(KernelEvent event) {
        return mark(new Emits(event));
    }

    /** Makes another thread of the scene, which must have no story yet; its story starts now, with a wait for a CPU. */
    public SceneThread spawns(SceneThread child) {
        if (!child.states.isEmpty() || child.parent != null) {
            throw new IllegalArgumentException(child + " has a story already");
        }
        child.parent = this;
        child.now = now;
        return mark(new Spawns(child));
    }

    /**
     * Gives itself another short name.
     *
     * @param comm the name from now on; the kernel keeps 15 bytes of it
     */
    public SceneThread renames(String comm) {
        String newComm = truncated(comm);
        mark(new Renames(task.comm(), newComm));
        task = new Task(task.tid(), newComm, task.priority());
        return this;
    }

    /** Ends. It must run right before; the kernel forgets it a microsecond later. */
    public void exits() {
        State last = last();
        if (last == null || last.activity != Activity.RUNS) {
            throw new IllegalStateException(this + " must run to exit");
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

    private SceneThread mark(Deed deed) {
        if (exited) {
            throw new IllegalStateException(this + " has exited");
        }
        marks.add(new Mark(now, states.size(), task, deed));
        return this;
    }

    private @Nullable State last() {
        return states.isEmpty() ? null : states.getLast();
    }

    private static String truncated(String comm) {
        return comm.length() <= COMM_BYTES ? comm : comm.substring(0, COMM_BYTES);
    }
}
