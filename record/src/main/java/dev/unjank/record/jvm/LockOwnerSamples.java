package dev.unjank.record.jvm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the observer has seen lately. Waits become known from Flight Recorder only seconds after they are over, and then ask here who
 * had the lock. Bounded: the oldest sightings are forgotten. Any thread.
 */
final class LockOwnerSamples {
    private static final int MOST = 1 << 16;

    /** A wait may begin a little after it was seen: it is seen before its time is taken. */
    private static final long SLACK_NANOS = 200_000;

    private final Map<Long, Deque<LockOwnerSample>> byWaiter = new HashMap<>();
    private final Deque<LockOwnerSample> byTime = new ArrayDeque<>();

    /** Threads whose last wait is over. */
    private final Set<Long> over = new HashSet<>();

    synchronized void add(LockOwnerSample sighting) {
        over.remove(sighting.waiter());
        byTime.add(sighting);
        byWaiter.computeIfAbsent(sighting.waiter(), _ -> new ArrayDeque<>()).add(sighting);
        if (byTime.size() > MOST) {
            LockOwnerSample oldest = byTime.remove();
            Deque<LockOwnerSample> ofWaiter = byWaiter.get(oldest.waiter());
            if (ofWaiter != null) {
                ofWaiter.remove();
                if (ofWaiter.isEmpty()) {
                    byWaiter.remove(oldest.waiter());
                    over.remove(oldest.waiter());
                }
            }
        }
    }

    /**
     * What was seen first of a wait, with a stack if any look had one and the owner was the same; null if it was not seen. A look just
     * before or behind the wait may have been at another one of the same thread: what it saw must have begun with this wait or within it.
     *
     * @param lock the class of the lock, null if not known
     */
    synchronized @Nullable LockOwnerSample of(long waiter, byte how, @Nullable String lock, long startNs, long endNs) {
        Deque<LockOwnerSample> seen = byWaiter.get(waiter);
        if (seen == null) {
            return null;
        }
        LockOwnerSample first = null;
        Iterator<LockOwnerSample> newest = seen.descendingIterator();
        while (newest.hasNext()) {
            LockOwnerSample sighting = newest.next();
            boolean isAnothers = sighting.since() < startNs && first != null && first.since() >= startNs;
            if (sighting.since() < startNs - SLACK_NANOS || isAnothers) {
                break;
            }
            if (sighting.since() <= endNs && sighting.how() == how && sighting.mayBeOf(lock)) {
                boolean poorer = first != null
                        && sighting.stack().isEmpty()
                        && sighting.owner() == first.owner()
                        && !first.stack().isEmpty();
                first = poorer ? first : sighting;
            }
        }
        return first;
    }

    /** What was seen of the same wait later, until it ended: each further owner when it was seen first, in order of time. */
    synchronized List<LockOwnerSample> handOvers(LockOwnerSample first, long endNs) {
        List<LockOwnerSample> found = new ArrayList<>();
        long owner = first.owner();
        for (LockOwnerSample sighting : byWaiter.getOrDefault(first.waiter(), new ArrayDeque<>())) {
            boolean isLater = sighting.ns() > first.ns() && sighting.ns() < endNs && sighting.how() == first.how();
            if (isLater && sighting.owner() != owner) {
                found.add(sighting);
                owner = sighting.owner();
            } else if (isLater
                    && !found.isEmpty()
                    && found.getLast().stack().isEmpty()
                    && !sighting.stack().isEmpty()) {
                found.add(found.removeLast().withStack(sighting.stack()));
            }
        }
        return found;
    }

    /** The wait that was seen last of a thread is seen no longer. */
    synchronized void over(long waiter) {
        if (byWaiter.containsKey(waiter)) {
            over.add(waiter);
        }
    }

    /** The waits that are not over, as far as is known, and were seen since some time. */
    synchronized List<LockOwnerSample> goingOn(long sinceNs) {
        return byWaiter.values().stream()
                .map(Deque::getLast)
                .filter(sighting -> sighting.ns() >= sinceNs && !over.contains(sighting.waiter()))
                .toList();
    }

    /** The waits that were going on when the recording ended. */
    synchronized List<LockOwnerSample> last() {
        return byTime.stream().filter(LockOwnerSample::last).toList();
    }
}
