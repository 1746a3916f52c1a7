package dev.unjank.doctor.find.lock;

import dev.unjank.doctor.find.code.CodeSiteFinder;
import dev.unjank.doctor.find.code.SliceStacks;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Owner;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The code of a lock's owner, and the owner itself, from recorded stacks.
 *
 * <p>The owner is inferred where the recording does not name it: a thread that slept or did I/O within the method in
 * which the waiter wants the lock, while the waiter waited. Only methods count in which no two threads did so at the
 * same time, since a lock excludes that. Thread-safe.
 */
final class StackOwnerInference {
    private static final Set<String> CATEGORIES = Set.of("sleep", "io");

    private final Slices slices;
    private final Threads threads;
    private final ThreadRefFactory refs;
    private final SliceStacks stacks;
    private final IntPredicate isContention;
    private final CodeSiteFinder sites = new CodeSiteFinder(null);

    /** By process and method, in order of time; built at the first use. */
    private @Nullable Map<Place, List<Stay>> stays;

    /** Reads a trace; {@code isContention} tests a slice for a wait for a lock. */
    StackOwnerInference(Trace trace, ThreadRefFactory refs, SliceStacks stacks, IntPredicate isContention) {
        this.slices = trace.slices();
        this.isContention = isContention;
        this.threads = trace.threads();
        this.refs = refs;
        this.stacks = stacks;
    }

    private record Place(int upid, String method) {}

    /** A sleep or an I/O call of a thread within a method. */
    private record Stay(int row, int utid, long startNs, long endNs, CallStack stack) {}

    /** {@return the owners during a wait, by time, with unknown ones between them; empty if none is known} */
    List<BlameInterval> find(int utid, int row) {
        CodeLocation wanted = sites.of(stacks.ofWaiter(row));
        if (wanted == null || !sites.isApplication(wanted)) {
            return List.of();
        }
        List<BlameInterval> blames = new ArrayList<>();
        long at = slices.ts(row);
        long end = slices.endNs(row);
        for (Stay stay : stays().getOrDefault(new Place(threads.upid(utid), wanted.method()), List.of())) {
            if (stay.utid != utid && stay.endNs > at && stay.startNs < end) {
                if (stay.startNs > at) {
                    blames.add(new BlameInterval(at, ThreadRefFactory.unknownOwner()));
                }
                blames.add(new BlameInterval(Math.max(at, stay.startNs), owner(stay, wanted)));
                at = stay.endNs;
            }
        }
        if (!blames.isEmpty() && at < end) {
            blames.add(new BlameInterval(at, ThreadRefFactory.unknownOwner()));
        }
        return blames;
    }

    /**
     * {@return an owner with its last stack during a wait that shows the frame that holds the lock: one in the method
     * in which the waiter wants the lock; the same owner if there is none}
     *
     * @param owner the owner as recorded
     * @param wait the slice of the wait
     */
    Owner withStack(Owner owner, int wait) {
        CodeLocation wanted = sites.of(stacks.ofWaiter(wait));
        if (wanted == null || !sites.isApplication(wanted)) {
            return owner;
        }
        int utid = owner.thread().utid();
        long from = slices.ts(wait);
        CallStack last = CallStack.NONE;
        for (int row = slices.innermostAt(utid, from); row >= 0; row = slices.parent(row)) {
            last = isHolding(row, wanted) ? stacks.ofWaiter(row) : last;
        }
        for (int row = slices.firstAfter(utid, from);
                row < slices.end(utid) && slices.ts(row) < slices.endNs(wait);
                row++) {
            last = isHolding(row, wanted) ? stacks.ofWaiter(row) : last;
        }
        return last.isEmpty() ? owner : new Owner(owner.thread(), sites.ofHolder(last, wanted), last, owner.evidence());
    }

    /** Whether a slice is no wait for a lock, and its stack has the method that takes the lock. */
    private boolean isHolding(int row, CodeLocation wanted) {
        return !isContention.test(row)
                && stacks.ofWaiter(row).frames().stream()
                        .anyMatch(frame -> frame.method().equals(wanted.method()));
    }

    private Owner owner(Stay stay, CodeLocation wanted) {
        return new Owner(
                refs.during(stay.utid, stay.startNs, stay.endNs, null),
                sites.ofHolder(stay.stack, wanted),
                stay.stack,
                Evidence.STACK_INFERRED);
    }

    private synchronized Map<Place, List<Stay>> stays() {
        Map<Place, List<Stay>> known = stays;
        if (known == null) {
            known = index();
            stays = known;
        }
        return known;
    }

    private Map<Place, List<Stay>> index() {
        Map<Place, List<Stay>> index = new HashMap<>();
        for (int row = 0; row < slices.size(); row++) {
            if (CATEGORIES.contains(slices.category(row)) && slices.utid(row) >= 0) {
                add(row, index);
            }
        }
        index.values().forEach(stays -> stays.sort(LongOrder.ascending(Stay::startNs)));
        index.values().removeIf(StackOwnerInference::overlap);
        return index;
    }

    private void add(int row, Map<Place, List<Stay>> index) {
        CallStack stack = stacks.ofWaiter(row);
        int utid = slices.utid(row);
        Set<String> methods = new HashSet<>();
        for (CodeLocation frame : stack.frames()) {
            if (sites.isApplication(frame) && methods.add(frame.method())) {
                index.computeIfAbsent(new Place(threads.upid(utid), frame.method()), _ -> new ArrayList<>())
                        .add(new Stay(row, utid, slices.ts(row), slices.endNs(row), stack));
            }
        }
    }

    /** Whether threads were in the method at the same time, so that the lock is not held around it. */
    private static boolean overlap(List<Stay> stays) {
        for (int i = 1; i < stays.size(); i++) {
            if (stays.get(i).startNs < stays.get(i - 1).endNs && stays.get(i).utid != stays.get(i - 1).utid) {
                return true;
            }
        }
        return false;
    }
}
