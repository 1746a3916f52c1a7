package dev.unjank.doctor;

import dev.unjank.trace.Args;
import dev.unjank.trace.Slices;
import dev.unjank.trace.Trace;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits for contended locks, of which Android's runtime, its C library and recorders of Java programs write slices. Each
 * distinct name is read once.
 */
final class Contentions implements WaitSource {
    private static final String OF_COLLECTOR = "GC ";

    /** Of what class a monitor is, recorders write beside its slice, whose name is as Android's. */
    private static final String LOCK_CLASS = "debug." + JfrChunks.LOCK_CLASS;

    private final Slices slices;
    private final NameTest told;
    private final @Nullable Contention[] byName;
    private final OwnerFinder owners;
    private final Args args;

    Contentions(Trace trace, ThreadRefs refs, Wakers wakers) {
        slices = trace.slices();
        byName = new @Nullable Contention[trace.strings().size()];
        boolean[] tell = new boolean[byName.length];
        for (int id = 0; id < byName.length; id++) {
            byName[id] = ContentionParser.parse(trace.strings().get(id));
            tell[id] = byName[id] != null;
        }
        told = new NameTest(slices, tell);
        owners = new OwnerFinder(trace, this, refs, wakers);
        args = trace.args();
    }

    /**
     * {@return what the name of a slice says, null if it is no contention}
     */
    @Nullable
    Contention of(int row) {
        return byName[slices.nameId(row)];
    }

    /** As {@link #of} where the row is known to be a contention. */
    Contention get(int row) {
        Contention contention = of(row);
        if (contention == null) {
            throw new IllegalArgumentException("slice " + row + " is no contention");
        }
        return contention;
    }

    /** How many waits of a thread are not within another one. */
    int count(int utid) {
        int[] count = {0};
        find(utid, stall -> count[0]++);
        return count[0];
    }

    @Override
    public void find(int utid, Consumer<Stall> found) {
        int last = slices.end(utid);
        long end = Long.MIN_VALUE;
        for (int row = told.next(slices.first(utid), last); row < last; row = told.next(row + 1, last)) {
            if (slices.ts(row) >= end && slices.dur(row) > 0) {
                end = slices.endNs(row);
                found.accept(new Stall(this, utid, row, slices.ts(row), end, slices.isOpen(row)));
            }
        }
    }

    @Override
    public boolean isForLock(Stall stall) {
        return kind(get(stall.row())).isLock();
    }

    @Override
    public long leastNs() {
        return 0; // an uncontended lock leaves no slice
    }

    @Override
    public Reason reason(Stall stall) {
        Contention contention = get(stall.row());
        return new Reason(
                kind(contention), lock(stall.row(), contention), contention.blockedSite(), contention.waiters());
    }

    private String lock(int row, Contention contention) {
        String told = contention.lock().equals(ContentionParser.MONITOR_LOCK) ? args.text(row, LOCK_CLASS) : null;
        return told == null ? contention.lock() : told;
    }

    /** A lock that only the garbage collector holds for long is a wait for the garbage collector. */
    private static WaitKind kind(Contention contention) {
        return switch (contention.kind()) {
            case MONITOR -> WaitKind.MONITOR;
            case RUNTIME -> contention.lock().startsWith(OF_COLLECTOR) ? WaitKind.GC : WaitKind.RUNTIME_LOCK;
            case PTHREAD -> WaitKind.MUTEX;
            case PARK -> WaitKind.PARK;
        };
    }

    @Override
    public List<Claim> claims(Stall stall) {
        return owners.find(stall.utid(), stall.row());
    }
}
