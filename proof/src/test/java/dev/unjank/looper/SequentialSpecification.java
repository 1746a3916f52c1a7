package dev.unjank.looper;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The sequential specification of a queue: a list in the order of delivery and the words of the documentation, nothing
 * else. Public, with public methods, for the model checker.
 */
public final class SequentialSpecification {
    /** The result of taking if no message is due. */
    static final int NOTHING = 0;

    /** The result of taking if no message will ever be due. */
    static final int ENDED = -1;

    private enum Sort {
        SYNCHRONOUS,
        ASYNCHRONOUS,
        /** A synchronous message without a code, that runs a Runnable. */
        RUNNABLE,
        BARRIER
    }

    /** Its time is in halves of a millisecond. */
    private record Waiting(Sort sort, int what, int halves) {}

    private final List<Waiting> waiting = new ArrayList<>();
    private int barriersPosted;
    private boolean quit;
    private boolean asleep;
    private int asleepSince;

    // ---- sending

    public boolean send(int what, int when) {
        return insert(Sort.SYNCHRONOUS, what, 2 * when);
    }

    public boolean sendHalfPast(int what, int when) {
        return insert(Sort.SYNCHRONOUS, what, 2 * when + 1);
    }

    public boolean sendAsynchronous(int what, int when) {
        return insert(Sort.ASYNCHRONOUS, what, 2 * when);
    }

    public boolean post(int what, int when) {
        return insert(Sort.RUNNABLE, what, 2 * when);
    }

    public boolean sendDue(int what) {
        return send(what, 1);
    }

    /** Before all messages, also those sent to the front earlier. */
    public boolean sendToFront(int what) {
        if (quit) {
            return false;
        }
        waiting.add(0, new Waiting(Sort.SYNCHRONOUS, what, 0));
        return true;
    }

    public boolean postBarrier(int token, int when) {
        return insert(Sort.BARRIER, -token, 2 * when);
    }

    public int postSyncBarrier() {
        insert(Sort.BARRIER, ++barriersPosted, 2 * (int) QueueUnderTest.QUIT_TIME);
        return barriersPosted;
    }

    /** Behind all messages that are due at the same time or earlier. */
    private boolean insert(Sort sort, int what, int halves) {
        if (quit) {
            return false;
        }
        int place = 0;
        while (place < waiting.size() && waiting.get(place).halves <= halves) {
            place++;
        }
        waiting.add(place, new Waiting(sort, what, halves));
        return true;
    }

    /** Sends a message that is never due here, and is not searched for. */
    public void settleMany(int count) {}

    /** Changes nothing. */
    public void settle() {}

    // ---- removing and searching

    public boolean remove(int what) {
        return waiting.removeIf(hasCode(what));
    }

    public boolean removeRunnable(int what) {
        return waiting.removeIf(w -> w.what == what && w.sort == Sort.RUNNABLE);
    }

    public boolean removeByToken(int what) {
        return waiting.removeIf(w -> w.what == what && w.sort != Sort.BARRIER);
    }

    public boolean cancel(int what) {
        return removeByToken(what);
    }

    public boolean removeAll() {
        return waiting.removeIf(w -> w.sort != Sort.BARRIER);
    }

    public boolean removeBarrier(int token) {
        return waiting.remove(new Waiting(Sort.BARRIER, -token, 2))
                || waiting.remove(new Waiting(Sort.BARRIER, -token, 4))
                || waiting.remove(new Waiting(Sort.BARRIER, -token, 6));
    }

    public void removeSyncBarrier(int token) {
        if (!removeBarrier(-token)) {
            throw new IllegalStateException();
        }
    }

    public boolean has(int what) {
        return waiting.stream().anyMatch(hasCode(what));
    }

    public boolean hasRunnable(int what) {
        return waiting.stream().anyMatch(w -> w.what == what && w.sort == Sort.RUNNABLE);
    }

    private static Predicate<Waiting> hasCode(int what) {
        return w -> w.what == what && (w.sort == Sort.SYNCHRONOUS || w.sort == Sort.ASYNCHRONOUS);
    }

    public int depth() {
        return (int) waiting.stream().filter(w -> w.sort != Sort.BARRIER).count();
    }

    public boolean isIdle(int now) {
        return waiting.isEmpty() || waiting.get(0).halves > 2 * now;
    }

    // ---- the looper

    /** The first that no barrier holds up, if it is due. */
    public int take(int now) {
        asleep = false;
        int first = firstThatMayPass();
        if (first < 0) {
            return quit ? ENDED : NOTHING;
        }
        return waiting.get(first).halves > 2 * now ? NOTHING : waiting.remove(first).what;
    }

    public int takeOrSleep(int now) {
        int taken = take(now);
        asleep = taken == NOTHING;
        asleepSince = now;
        return taken;
    }

    private int firstThatMayPass() {
        boolean barrier = false;
        for (int i = 0; i < waiting.size(); i++) {
            Sort sort = waiting.get(i).sort;
            if (sort != Sort.BARRIER && (!barrier || sort == Sort.ASYNCHRONOUS)) {
                return i;
            }
            barrier |= sort == Sort.BARRIER;
        }
        return -1;
    }

    /** Whether a sleeping looper has been woken for a message that was due then and may pass. */
    public boolean isAwake() {
        int first = firstThatMayPass();
        return !asleep || (first >= 0 && waiting.get(first).halves <= 2 * asleepSince);
    }

    public void quit(boolean safely) {
        if (!quit) {
            quit = true;
            waiting.removeIf(w -> !safely || w.halves > 2 * QueueUnderTest.QUIT_TIME);
        }
    }

    public boolean isQuitting() {
        return quit;
    }
}
