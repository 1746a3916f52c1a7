package dev.unjank.record.kernel;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which threads a recording is about, and which have turned up that nobody has named yet. Threads come and go while it lasts: the
 * kernel's events tell of it. One thread's.
 */
final class TracedThreads {
    /** What stands for names that are not told; short enough for a thread. */
    static final String SOMEBODY = "another-program";

    private static final int NOT_SEEN = Integer.MIN_VALUE;

    private final int target;
    private final boolean everything;
    private boolean othersHaveNames = true;

    /** The threads of the target. */
    private final Set<Integer> tids = new HashSet<>();

    /** The processes of threads that are known. */
    private final Map<Integer, Integer> processes = new HashMap<>();

    private int changes;

    /** The priorities that the target's threads were last seen to run with; {@link #NOT_SEEN} before that. */
    private final Map<Integer, Integer> priorities = new HashMap<>();

    private final Set<Integer> unnamed = new LinkedHashSet<>();
    private final Deque<Integer> ended = new ArrayDeque<>();

    /**
     * Watches a process.
     *
     * @param target its number
     * @param everything whether all others are watched too
     */
    TracedThreads(int target, boolean everything) {
        this.target = target;
        this.everything = everything;
    }

    /** From now on the names of other processes and their threads are not told. */
    void hideOtherNames() {
        othersHaveNames = false;
    }

    /** What a thread of a name may be called: not by it if it is none of the target's and those are not told. */
    String shown(int tid, String name) {
        return othersHaveNames || tid == 0 || tids.contains(tid) ? name : SOMEBODY;
    }

    /** Whether a process may be called by its name. */
    boolean isShown(int pid) {
        return othersHaveNames || pid == target;
    }

    /** Whether events of a thread are recorded that are not recorded of all. */
    boolean concerns(int tid) {
        return everything || tids.contains(tid);
    }

    /** Whether events are recorded of all threads. */
    boolean isEverything() {
        return everything;
    }

    /** The target's threads, as far as they are known. */
    Set<Integer> threads() {
        return tids;
    }

    /** How often the target's threads have changed. */
    int changes() {
        return changes;
    }

    private void add(int tid) {
        changes += tids.add(tid) ? 1 : 0;
    }

    /** Whether the target is a process. */
    boolean isTarget(int pid) {
        return pid == target;
    }

    /** A thread has been named. */
    void named(int tid, int pid) {
        processes.put(tid, pid);
        if (pid == target) {
            add(tid);
            priorities.putIfAbsent(tid, NOT_SEEN);
        }
    }

    /** A thread runs, with a priority. One of the target's that had another before may be scheduled in another way by now. */
    void seen(int tid, int priority) {
        if (tid == 0) {
            return;
        }
        if (processes.putIfAbsent(tid, -1) == null) {
            unnamed.add(tid);
        }
        Integer before = priorities.get(tid);
        if (before != null && before != priority) {
            priorities.put(tid, priority);
            if (before != NOT_SEEN) {
                unnamed.add(tid);
            }
        }
    }

    /** A thread is not there. Of one that nothing is known of but that it ran, nothing is kept: it did so after the event of its end. */
    void gone(int tid) {
        processes.remove(tid, -1);
    }

    /** A thread makes another. */
    void created(int creator, int tid, boolean sameProcess) {
        int pid = sameProcess ? processes.getOrDefault(creator, -1) : tid;
        processes.put(tid, pid);
        if (sameProcess && tids.contains(creator)) {
            add(tid);
        }
        unnamed.add(tid);
    }

    /** A thread has another name from now on. */
    void renamed(int tid) {
        unnamed.add(tid);
    }

    /** A thread ends. */
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

    /** Threads of which the name, and how they are scheduled, is to be found out; each is given out once. */
    List<Integer> takeUnnamed() {
        List<Integer> taken = List.copyOf(unnamed);
        unnamed.clear();
        return taken;
    }

    /** Threads that have ended since it was last asked. */
    Deque<Integer> ended() {
        return ended;
    }
}
