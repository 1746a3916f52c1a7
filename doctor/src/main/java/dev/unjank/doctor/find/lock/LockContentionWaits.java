package dev.unjank.doctor.find.lock;

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
 * Waits for contended locks, of which Android's runtime, its C library and recorders of Java programs write slices. Each
 * distinct name is read once.
 */
public final class LockContentionWaits implements WaitSource {
    private static final String OF_COLLECTOR = "GC ";

    /** Of what class a monitor is, recorders write beside its slice, whose name is as Android's. */
    private static final String LOCK_CLASS = "debug." + JfrChunks.LOCK_CLASS;

    private final Slices slices;
    private final SliceNameFilter told;
    private final @Nullable LockContention[] byName;
    private final OwnerFinder owners;
    private final Args args;

    public LockContentionWaits(Trace trace, ThreadRefFactory refs, WakeUps wakeUps) {
        slices = trace.slices();
        byName = new @Nullable LockContention[trace.strings().size()];
        boolean[] tell = new boolean[byName.length];
        for (int id = 0; id < byName.length; id++) {
            byName[id] = LockContentionParser.parse(trace.strings().get(id));
            tell[id] = byName[id] != null;
        }
        told = new SliceNameFilter(slices, tell);
        owners = new OwnerFinder(trace, this, refs, wakeUps);
        args = trace.args();
    }

    /**
     * {@return what the name of a slice says, null if it is no contention}
     */
    @Nullable
    public LockContention of(int row) {
        return byName[slices.nameId(row)];
    }

    /** As {@link #of} where the row is known to be a contention. */
    LockContention get(int row) {
        LockContention contention = of(row);
        if (contention == null) {
            throw new IllegalArgumentException("slice " + row + " is no contention");
        }
        return contention;
    }

    /** How many waits of a thread are not within another one. */
    public int count(int utid) {
        int[] count = {0};
        find(utid, interval -> count[0]++);
        return count[0];
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        int last = slices.end(utid);
        long end = Long.MIN_VALUE;
        for (int row = told.next(slices.first(utid), last); row < last; row = told.next(row + 1, last)) {
            if (slices.ts(row) >= end && slices.dur(row) > 0) {
                end = slices.endNs(row);
                found.accept(new BlockedInterval(this, utid, row, slices.ts(row), end, slices.isOpen(row)));
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
                kind(contention), lock(interval.row(), contention), contention.blockedSite(), contention.waiters());
    }

    private String lock(int row, LockContention contention) {
        String told = contention.lock().equals(Wait.MONITOR_LOCK) ? args.text(row, LOCK_CLASS) : null;
        return told == null ? contention.lock() : told;
    }

    /** A lock that only the garbage collector holds for long is a wait for the garbage collector. */
    private static WaitKind kind(LockContention contention) {
        return switch (contention.kind()) {
            case MONITOR -> WaitKind.MONITOR;
            case RUNTIME -> contention.lock().startsWith(OF_COLLECTOR) ? WaitKind.GC : WaitKind.RUNTIME_LOCK;
            case PTHREAD -> WaitKind.MUTEX;
            case PARK -> WaitKind.PARK;
        };
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        return owners.find(interval.utid(), interval.row());
    }
}
