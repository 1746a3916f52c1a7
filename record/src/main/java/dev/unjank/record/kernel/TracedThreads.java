package dev.unjank.record.kernel;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The threads of the recorded process, and the threads that have not been named yet. The set is updated from the
 * kernel's events. Not thread-safe.
 */
final class TracedThreads {
    /** The replacement of hidden names, short enough for the name of a thread. */
    static final String HIDDEN_NAME = "another-program";

    private static final int NOT_SEEN = Integer.MIN_VALUE;

    private final int target;
    private final boolean everything;
    private boolean othersHaveNames = true;

    /** The threads of the target. */
    private final Set<Integer> tids = new HashSet<>();

    /** The processes of known threads. */
    private final Map<Integer, Integer> processes = new HashMap<>();

    private int changes;

    /** The last priorities of the target's threads; {@link #NOT_SEEN} before their first run. */
    private final Map<Integer, Integer> priorities = new HashMap<>();

    /** Threads to be looked up, each once: the target's, and others. */
    private final Set<Integer> unnamedOfTarget = new LinkedHashSet<>();

    private final Set<Integer> unnamedOthers = new LinkedHashSet<>();
    private final Deque<Integer> ended = new ArrayDeque<>();

    /** Creates the set; {@code everything} is true if all other processes are recorded as well. */
    TracedThreads(int target, boolean everything) {
        this.target = target;
        this.everything = everything;
    }

    /** Hides the names of other processes and their threads from now on. */
    void hideOtherNames() {
        othersHaveNames = false;
    }

    /** The name of a thread to record: hidden for other processes' threads if requested. */
    String shown(int tid, String name) {
        return othersHaveNames || tid == 0 || tids.contains(tid) ? name : HIDDEN_NAME;
    }

    /** Whether the name of a process is recorded. */
    boolean isShown(int pid) {
        return othersHaveNames || pid == target;
    }

    /** Whether all events of a thread are recorded. */
    boolean concerns(int tid) {
        return everything || tids.contains(tid);
    }

    /** Whether all events of all threads are recorded. */
    boolean isEverything() {
        return everything;
    }

    /** The known threads of the target. */
    Set<Integer> threads() {
        return tids;
    }

    /** The number of changes of the target's threads. */
    int changes() {
        return changes;
    }

    private void add(int tid) {
        changes += tids.add(tid) ? 1 : 0;
    }

    boolean isTarget(int pid) {
        return pid == target;
    }

    void named(int tid, int pid) {
        processes.put(tid, pid);
        if (pid == target) {
            add(tid);
            priorities.putIfAbsent(tid, NOT_SEEN);
        }
    }

    /** A thread of a process is known, but has not been named yet. */
    void listed(int tid, int pid) {
        named(tid, pid);
        addUnnamed(tid);
    }

    /**
     * A thread runs with a priority. If a thread of the target had another priority before, its policy may have
     * changed.
     */
    void seen(int tid, int priority) {
        if (tid == 0) {
            return;
        }
        if (processes.putIfAbsent(tid, -1) == null) {
            addUnnamed(tid);
        }
        Integer before = priorities.get(tid);
        if (before != null && before != priority) {
            priorities.put(tid, priority);
            if (before != NOT_SEEN) {
                addUnnamed(tid);
            }
        }
    }

    /**
     * A thread has ended before its lookup. It is dropped if only context switches are known, which may come after its
     * exit event.
     */
    void gone(int tid) {
        processes.remove(tid, -1);
    }

    /** A thread has created another thread. */
    void created(int creator, int tid, boolean sameProcess) {
        int pid = sameProcess ? processes.getOrDefault(creator, -1) : tid;
        processes.put(tid, pid);
        if (sameProcess && tids.contains(creator)) {
            add(tid);
        }
        addUnnamed(tid);
    }

    /** A thread has been renamed. */
    void renamed(int tid) {
        addUnnamed(tid);
    }

    private void addUnnamed(int tid) {
        (isTarget(tid) || tids.contains(tid) ? unnamedOfTarget : unnamedOthers).add(tid);
    }

    /** A thread has ended. */
    void exited(int tid) {
        processes.remove(tid);
        priorities.remove(tid);
        changes += tids.remove(tid) ? 1 : 0;
        ended.add(tid);
    }

    /** The process of a thread; the thread itself if that is not known. */
    int processOf(int tid) {
        int pid = processes.getOrDefault(tid, -1);
        return pid < 0 ? tid : pid;
    }

    /** Whether there are threads whose name and scheduling are to be looked up. */
    boolean hasUnnamed() {
        return !unnamedOfTarget.isEmpty() || !unnamedOthers.isEmpty();
    }

    /**
     * Removes and returns the next thread whose name and scheduling are to be looked up: the target's threads come
     * first.
     */
    int takeUnnamed() {
        Iterator<Integer> threads = (unnamedOfTarget.isEmpty() ? unnamedOthers : unnamedOfTarget).iterator();
        int tid = threads.next();
        threads.remove();
        return tid;
    }

    /** Threads that have ended since the last call. */
    Deque<Integer> ended() {
        return ended;
    }
}
