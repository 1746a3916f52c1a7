package dev.unjank.doctor.find.runtime;

import dev.unjank.doctor.find.runtime.RuntimeWaitTable.Entry;
import dev.unjank.doctor.find.thread.ThreadRefFactory;
import dev.unjank.doctor.find.wait.BlameInterval;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.collections.BinarySearch;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A thread's own sleeps and calls for I/O in the middle of its work, and waits of virtual threads that were pinned to
 * their carriers. The thread itself is the cause; for a pinned thread the carrier is named. A virtual thread whose
 * sleep ended late for want of a carrier waited for the pinned thread whose wait ended nearest to its own.
 */
public final class OwnerlessWaits implements WaitSource {
    private static final Set<WaitKind> OWN = Set.of(WaitKind.SLEEP, WaitKind.IO, WaitKind.PINNED, WaitKind.CARRIER);

    private final RuntimeWaitTable table;
    private final Slices slices;
    private final Threads threads;
    private final ThreadRefFactory refs;

    public OwnerlessWaits(Trace trace, RuntimeWaitTable table, ThreadRefFactory refs) {
        this.table = table;
        this.slices = trace.slices();
        this.threads = trace.threads();
        this.refs = refs;
    }

    @Override
    public void find(int utid, Consumer<BlockedInterval> found) {
        for (Entry entry : table.of(utid)) {
            if (OWN.stream().anyMatch(entry::isWaitOf)) {
                found.accept(new BlockedInterval(
                        this, utid, entry.row(), entry.startNs(), entry.endNs(), slices.isOpen(entry.row())));
            }
        }
    }

    private Entry entry(BlockedInterval interval) {
        List<Entry> entries = table.of(interval.utid());
        int first = BinarySearch.first(0, entries.size(), i -> entries.get(i).row() >= interval.row());
        boolean isRest = entries.get(first).endNs() <= interval.startNs(); // of a sleep, behind it
        return entries.get(isRest ? first + 1 : first);
    }

    @Override
    public Reason reason(BlockedInterval interval) {
        RuntimeWait meaning = entry(interval).meaning();
        WaitKind kind = meaning.kind() == null ? WaitKind.SLEEP : meaning.kind();
        return new Reason(kind, meaning.target(), meaning.location(), meaning.stack(), 0);
    }

    @Override
    public List<BlameInterval> blameIntervals(BlockedInterval interval) {
        return List.of(new BlameInterval(interval.startNs(), owner(entry(interval), interval)));
    }

    private Owner owner(Entry entry, BlockedInterval interval) {
        Entry pin = table.pin(entry);
        if (pin != null) {
            return new Owner(
                    refs.during(pin.utid(), interval.startNs(), interval.endNs(), null),
                    pin.meaning().location(),
                    pin.meaning().stack(),
                    Evidence.TIMING_INFERRED);
        }
        int carrier = threads.find(table.carrierTid(entry), interval.startNs());
        return entry.meaning().kind() == WaitKind.PINNED && carrier >= 0
                ? refs.namedOwner(carrier, interval.startNs(), interval.endNs())
                : refs.ownerItself(interval);
    }
}
