package dev.unjank.workbench.soak;

import dev.unjank.looper.Message;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The reference model of a queue: a sorted list with linear search. */
final class QueueModel {
    /**
     * A pending message or barrier.
     *
     * @param when the due time in milliseconds
     * @param fraction the nanoseconds to add to it
     * @param handler the index of its handler, -1 for a barrier
     * @param barrier the token of a barrier, 0 for a message
     */
    record Entry(
            long when,
            long fraction,
            long order,
            int handler,
            int what,
            @Nullable Object token,
            @Nullable Runnable callback,
            boolean asynchronous,
            int barrier,
            @Nullable Message message) {
        boolean isBarrier() {
            return barrier != 0;
        }

        boolean isDueAt(long nanos) {
            long milli = Math.floorDiv(nanos, NANOS_PER_MILLI);
            return when < milli || (when == milli && fraction <= Math.floorMod(nanos, NANOS_PER_MILLI));
        }

        /** Whether it is due later than any clock time. */
        boolean isNever() {
            return when >= Long.MAX_VALUE / NANOS_PER_MILLI;
        }

        /** The due time, unless {@link #isNever}. */
        long dueNanos() {
            return when * NANOS_PER_MILLI + fraction;
        }
    }

    /** The maximum number of entries in messages. */
    private static final int SHOWN = 100;

    private static final long NANOS_PER_MILLI = 1_000_000;
    /** The resolution of due times in messages; times are rounded up. */
    private static final long NANOS_PER_UNIT = 16;

    private static final Comparator<Entry> ORDER = Comparator.comparingLong(Entry::when)
            .thenComparingLong(Entry::fraction)
            .thenComparingLong(Entry::order);

    private final List<Entry> entries = new ArrayList<>();
    private long count;
    private boolean quit;

    boolean hasQuit() {
        return quit;
    }

    void add(
            long when,
            int handler,
            int what,
            @Nullable Object token,
            @Nullable Runnable callback,
            boolean asynchronous,
            @Nullable Message message) {
        insert(new Entry(when, 0, order(when), handler, what, token, callback, asynchronous, 0, message));
    }

    /** Adds a task of an executor, whose due time is in nanoseconds. */
    void addTask(long nanos, int handler, Runnable task) {
        long due = Math.ceilDiv(nanos, NANOS_PER_UNIT) * NANOS_PER_UNIT;
        long when = Math.floorDiv(due, NANOS_PER_MILLI);
        long fraction = Math.floorMod(due, NANOS_PER_MILLI);
        insert(new Entry(when, fraction, order(when), handler, 0, null, task, false, 0, null));
    }

    void addBarrier(long when, int barrier) {
        insert(new Entry(when, 0, order(when), -1, 0, null, null, false, barrier, null));
    }

    private long order(long when) {
        count++;
        return when == 0 ? -count : count;
    }

    private void insert(Entry entry) {
        if (!quit) {
            // entries are never equal, so this is the insertion point
            entries.add(-1 - Collections.binarySearch(entries, entry, ORDER), entry);
        }
    }

    /** The first entry that is not blocked by a barrier, or null. */
    @Nullable
    Entry next() {
        int next = indexOfNext();
        return next < 0 ? null : entries.get(next);
    }

    private int indexOfNext() {
        boolean stalled = false;
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            stalled |= entry.isBarrier();
            if (!entry.isBarrier() && (entry.asynchronous || !stalled)) {
                return i;
            }
        }
        return -1;
    }

    /** Removes and returns the next entry if it is due at the given clock time in nanoseconds. */
    @Nullable
    Entry poll(long nanos) {
        int next = indexOfNext();
        return next < 0 || !entries.get(next).isDueAt(nanos) ? null : entries.remove(next);
    }

    boolean remove(Predicate<Entry> match) {
        return entries.removeIf(match);
    }

    boolean has(Predicate<Entry> match) {
        return entries.stream().anyMatch(match);
    }

    List<Entry> barriers() {
        return entries.stream().filter(Entry::isBarrier).toList();
    }

    boolean isIdle(long nanos) {
        return entries.isEmpty() || !entries.getFirst().isDueAt(nanos);
    }

    boolean isBlockedOnBarrier(long nanos) {
        Entry next = next();
        return (next == null || !next.isDueAt(nanos))
                && entries.stream().takeWhile(entry -> entry.isDueAt(nanos)).anyMatch(entry -> !entry.isBarrier());
    }

    void quit(boolean safely, long nanos) {
        if (!quit) {
            quit = true;
            entries.removeIf(entry -> !safely || !entry.isDueAt(nanos));
        }
    }

    /** All pending entries, in the order of delivery. */
    List<Entry> entries() {
        return Collections.unmodifiableList(entries);
    }

    /** Drops the entries that are still blocked, since the loop has ended. */
    void end() {
        entries.clear();
    }

    @Override
    public String toString() {
        String text = entries.stream().limit(SHOWN).toList().toString();
        return entries.size() <= SHOWN ? text : text + " and " + (entries.size() - SHOWN) + " more";
    }
}
