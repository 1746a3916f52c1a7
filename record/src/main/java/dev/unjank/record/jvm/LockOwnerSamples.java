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
 * The recent samples of the agent, in which the lock owner of a wait is looked up when Flight Recorder reports the
 * wait, seconds after its end. Bounded: the oldest samples are dropped. Thread-safe.
 */
final class LockOwnerSamples {
    private static final int MOST = 1 << 16;

    /** A wait may begin slightly after its first sample: the sample comes before its timestamp. */
    private static final long SLACK_NANOS = 200_000;

    private final Map<Long, Deque<LockOwnerSample>> byWaiter = new HashMap<>();
    private final Deque<LockOwnerSample> byTime = new ArrayDeque<>();

    /** Threads whose last wait has ended. */
    private final Set<Long> over = new HashSet<>();

    synchronized void add(LockOwnerSample sample) {
        over.remove(sample.waiter());
        byTime.add(sample);
        byWaiter.computeIfAbsent(sample.waiter(), _ -> new ArrayDeque<>()).add(sample);
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
     * The first sample of a wait, with the stack of a later one if the owner was the same; null if there is none. A
     * sample just before or after the wait may be of another wait of the same thread, so {@code since} must be within
     * this one.
     *
     * @param lock the class of the lock, null if unknown
     */
    synchronized @Nullable LockOwnerSample of(long waiter, byte how, @Nullable String lock, long startNs, long endNs) {
        Deque<LockOwnerSample> seen = byWaiter.get(waiter);
        if (seen == null) {
            return null;
        }
        LockOwnerSample first = null;
        Iterator<LockOwnerSample> newest = seen.descendingIterator();
        while (newest.hasNext()) {
            LockOwnerSample sample = newest.next();
            boolean isAnothers = sample.since() < startNs && first != null && first.since() >= startNs;
            if (sample.since() < startNs - SLACK_NANOS || isAnothers) {
                break;
            }
            if (sample.since() <= endNs && sample.how() == how && sample.mayBeOf(lock)) {
                boolean poorer = first != null
                        && sample.stack().isEmpty()
                        && sample.owner() == first.owner()
                        && !first.stack().isEmpty();
                first = poorer ? first : sample;
            }
        }
        return first;
    }

    /** The later samples of the same wait: the first of each further owner, in order of time. */
    synchronized List<LockOwnerSample> handOvers(LockOwnerSample first, long endNs) {
        List<LockOwnerSample> found = new ArrayList<>();
        long owner = first.owner();
        for (LockOwnerSample sample : byWaiter.getOrDefault(first.waiter(), new ArrayDeque<>())) {
            boolean isLater = sample.ns() > first.ns() && sample.ns() < endNs && sample.how() == first.how();
            if (isLater && sample.owner() != owner) {
                found.add(sample);
                owner = sample.owner();
            } else if (isLater
                    && !found.isEmpty()
                    && found.getLast().stack().isEmpty()
                    && !sample.stack().isEmpty()) {
                found.add(found.removeLast().withStack(sample.stack()));
            }
        }
        return found;
    }

    /** The last wait of a thread has ended. */
    synchronized void over(long waiter) {
        if (byWaiter.containsKey(waiter)) {
            over.add(waiter);
        }
    }

    /** The last samples of waits that have not ended, taken since a time. */
    synchronized List<LockOwnerSample> goingOn(long sinceNs) {
        return byWaiter.values().stream()
                .map(Deque::getLast)
                .filter(sample -> sample.ns() >= sinceNs && !over.contains(sample.waiter()))
                .toList();
    }

    /** The waits that lasted beyond the end of the recording. */
    synchronized List<LockOwnerSample> last() {
        return byTime.stream().filter(LockOwnerSample::last).toList();
    }
}
