package dev.unjank.doctor.find.lock;

import dev.unjank.doctor.find.code.SliceStacks;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.find.wait.WakeUps;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits for contended locks, by the slices that Android's runtime, its C library and recorders of Java programs write.
 * Each distinct name is parsed once.
 */
public final class LockContentionWaits implements WaitSource {
    private static final String GC_LOCK_PREFIX = "GC ";

    /** The argument with the class of a monitor, in slices of recorders of Java programs. */
    private static final String LOCK_CLASS = "debug." + JfrChunks.LOCK_CLASS;

    private final Slices slices;
    private final SliceNameFilter contentions;

    /** By the id of a name. */
    private final @Nullable LockContention[] byName;

    private final OwnerFinder owners;
    private final Args args;
    private final SliceStacks stacks;

    public LockContentionWaits(Trace trace, ThreadRefFactory refs, WakeUps wakeUps) {
        slices = trace.slices();
        byName = new @Nullable LockContention[trace.strings().size()];
        boolean[] isContention = new boolean[byName.length];
        for (int id = 0; id < byName.length; id++) {
            byName[id] = LockContentionParser.parse(trace.strings().get(id));
            isContention[id] = byName[id] != null;
        }
        contentions = new SliceNameFilter(slices, isContention);
        stacks = new SliceStacks(trace);
        owners = new OwnerFinder(trace, this, refs, wakeUps, stacks);
        args = trace.args();
    }

    /** {@return the contention of a slice, null if it is none} */
    @Nullable
    public LockContention of(int row) {
        return byName[slices.nameId(row)];
    }

    /** As {@link #of} for a slice that is known to be a contention. */
    LockContention get(int row) {
        LockContention contention = of(row);
        if (contention == null) {
            throw new IllegalArgumentException("slice " + row + " is no contention");
        }
        return contention;
    }

    /** {@return the number of outermost waits of a thread} */
    public int count(int utid) {
        int[] count = {0};
        find(utid, interval -> count[0]++);
        return count[0];
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        int last = slices.end(utid);
        long end = Long.MIN_VALUE;
        for (int row = contentions.next(slices.first(utid), last); row < last; row = contentions.next(row + 1, last)) {
            if (slices.ts(row) >= end && slices.dur(row) > 0) {
                end = slices.endNs(row);
                found.accept(BlockedInterval.ofSlice(this, slices, row));
            }
        }
    }

    @Override
    public boolean isForLock(BlockedInterval interval) {
        return kind(get(interval.row())).isLock();
    }

    @Override
    public long minNs() {
        return 0; // an uncontended lock leaves no slice
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        LockContention contention = get(interval.row());
        return new Reason(
                kind(contention),
                lock(interval.row(), contention),
                contention.blockedLocation(),
                stacks.ofWaiter(interval.row()),
                contention.waiters());
    }

    private String lock(int row, LockContention contention) {
        String recorded = contention.lock().equals(Wait.MONITOR_LOCK) ? args.text(row, LOCK_CLASS) : null;
        return recorded == null ? contention.lock() : recorded;
    }

    /** A wait for a lock that only the garbage collector holds for long is a wait for the garbage collector. */
    private static WaitKind kind(LockContention contention) {
        return switch (contention.kind()) {
            case MONITOR -> WaitKind.MONITOR;
            case RUNTIME -> contention.lock().startsWith(GC_LOCK_PREFIX) ? WaitKind.GC : WaitKind.RUNTIME_LOCK;
            case PTHREAD -> WaitKind.MUTEX;
            case PARK -> WaitKind.PARK;
        };
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        return owners.find(interval.utid(), interval.row());
    }
}
