package dev.unjank.proof.soak;

import dev.unjank.looper.Message;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A queue too simple to be wrong: a sorted list, searched from one end to the other for everything. */
final class Model {
    /**
     * A message or a barrier that waits.
     *
     * @param when its time
     * @param order decides between equal times
     * @param handler the number of its handler, -1 for a barrier
     * @param barrier the token of a barrier, 0 for a message
     */
    record Entry(
            long when,
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
    }

    private static final Comparator<Entry> ORDER =
            Comparator.comparingLong(Entry::when).thenComparingLong(Entry::order);

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
        insert(new Entry(when, order(when), handler, what, token, callback, asynchronous, 0, message));
    }

    void addBarrier(long when, int barrier) {
        insert(new Entry(when, order(when), -1, 0, null, null, false, barrier, null));
    }

    private long order(long when) {
        count++;
        return when == 0 ? -count : count;
    }

    private void insert(Entry entry) {
        if (!quit) {
            entries.add(entry);
            entries.sort(ORDER);
        }
    }

    /** The first that barriers let through, or null. */
    @Nullable
    Entry next() {
        boolean stalled = false;
        for (Entry entry : entries) {
            stalled |= entry.isBarrier();
            if (!entry.isBarrier() && (entry.asynchronous || !stalled)) {
                return entry;
            }
        }
        return null;
    }

    /** Takes the next one if it is due. */
    @Nullable
    Entry poll(long now) {
        Entry entry = next();
        if (entry == null || entry.when > now) {
            return null;
        }
        entries.remove(entry);
        return entry;
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

    boolean isIdle(long now) {
        return entries.isEmpty() || entries.getFirst().when > now;
    }

    boolean isBlockedOnBarrier(long now) {
        Entry next = next();
        return (next == null || next.when > now) && has(entry -> !entry.isBarrier() && entry.when <= now);
    }

    void quit(boolean safely, long now) {
        if (!quit) {
            quit = true;
            entries.removeIf(entry -> !safely || entry.when > now);
        }
    }

    /** The loop has ended: what was still held up is dropped. */
    void end() {
        entries.clear();
    }

    @Override
    public String toString() {
        return entries.toString();
    }
}
