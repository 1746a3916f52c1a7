package dev.unjank.proof.steps;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The recorded operations of one thread in the looper's classes, and the place where it must stop. Written by that
 * thread; read by others when it has stopped or ended.
 *
 * <p>An object that the thread has created is private until the thread first writes, by a read-modify-write or an
 * ordered store, to an object that is not private: this publishes it. Until then no other thread can contend for it, so
 * a compare-and-set on it is counted separately.
 */
final class ThreadSteps {
    /** The instruction count at which a thread is considered to spin; more than any operation needs. */
    private static final int ENDLESS = 2_000_000;

    private final int stopAt;
    private final Runnable atStop;
    private final Semaphore go = new Semaphore(0);
    private final Set<Object> unpublished = Collections.newSetFromMap(new IdentityHashMap<>());
    private int steps;
    private @Nullable String stoppedAt;

    final List<String> readModifyWrites = new ArrayList<>();
    final List<String> readModifyWritesOfUnpublished = new ArrayList<>();
    final List<String> fences = new ArrayList<>();
    final List<String> monitors = new ArrayList<>();
    /** Caller and callee of every call from the looper's classes into others. */
    final Set<ExternalCall> calls = new TreeSet<>();

    private ThreadSteps(int stopAt, Runnable atStop) {
        this.stopAt = stopAt;
        this.atStop = atStop;
    }

    /** Creates the steps of a thread that is not stopped. */
    static ThreadSteps unstopped() {
        return new ThreadSteps(Integer.MAX_VALUE, () -> {});
    }

    /**
     * Creates the steps of a thread that stops before an instruction, counted from 1, signals the stop, and waits until
     * it is resumed.
     */
    static ThreadSteps stoppingAt(int step, Runnable atStop) {
        return new ThreadSteps(step, atStop);
    }

    /** Resumes the stopped thread, or cancels the stop if the thread has not reached it yet. */
    void sendOn() {
        go.release();
    }

    int steps() {
        return steps;
    }

    /** The instruction at which the thread was stopped, or null if it ended before. */
    @Nullable
    String stoppedAt() {
        return stoppedAt;
    }

    void step(String where) {
        steps++;
        if (steps == stopAt) {
            stoppedAt = where;
            atStop.run();
            go.acquireUninterruptibly();
        } else if (steps > ENDLESS) {
            throw new AssertionError("spins forever in " + where);
        }
    }

    void monitor(String where) {
        monitors.add(where);
    }

    void call(String caller, String callee) {
        calls.add(new ExternalCall(caller, callee));
    }

    void readModifyWrite(@Nullable Object holder, String where) {
        if (holder != null && unpublished.contains(holder)) {
            readModifyWritesOfUnpublished.add(where);
        } else {
            readModifyWrites.add(where);
            unpublished.clear();
        }
    }

    void write(@Nullable Object holder) {
        if (holder == null || !unpublished.contains(holder)) {
            unpublished.clear();
        }
    }

    void fence(String where) {
        fences.add(where);
    }

    void born(Object object) {
        unpublished.add(object);
    }
}
