package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.coverage.TraceCoverage;
import dev.unjank.doctor.find.wait.BlockedInterval;
import dev.unjank.doctor.find.wait.WaitIndex;
import dev.unjank.doctor.model.AppStartup;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Divides an app startup by what the app's main thread did until the first frame. */
public final class AppStartupBreakdown {
    /** The number of startups from which on several threads divide them. */
    private static final int PARALLEL_FROM = 8;

    private final Threads threads;
    private final ThreadStates states;
    private final IncidentBuilder incidents;
    private final TraceCoverage coverage;

    public AppStartupBreakdown(Trace trace, IncidentBuilder incidents, TraceCoverage known) {
        this.threads = trace.threads();
        this.states = trace.threadStates();
        this.incidents = incidents;
        this.coverage = known;
    }

    /** {@return the same startups, each with its shares} */
    public List<AppStartup> of(List<AppStartup> startups) {
        Stream<AppStartup> stream = startups.size() < PARALLEL_FROM ? startups.stream() : startups.parallelStream();
        return stream.map(startup -> startup.withShares(shares(startup))).toList();
    }

    private List<AppStartup.Share> shares(AppStartup startup) {
        ThreadRef main = startup.mainThread();
        return shares(
                main == null ? -1 : main.utid(),
                startup.startNs(),
                startup.firstFrameNs(),
                "cold".equals(startup.type()));
    }

    private List<AppStartup.Share> shares(int main, long from, long to, boolean cold) {
        long bornNs = threadStartNs(main, cold);
        Map<AppStartup.Cause, Map<Verdict, Long>> judged = new EnumMap<>(AppStartup.Cause.class);
        Map<AppStartup.Cause, Long> plain = new EnumMap<>(AppStartup.Cause.class);
        long at = from;
        if (main >= 0) {
            BlockedInterval[] waits = incidents.waitsForOtherThreads(main);
            for (int i = WaitIndex.firstEndingAfter(waits, from); i < waits.length && waits[i].startNs() < to; i++) {
                BlockedInterval interval = waits[i];
                long start = Math.max(at, interval.startNs());
                long end = Math.min(to, interval.endNs());
                if (start < end) {
                    addStates(main, at, start, bornNs, plain);
                    Incident incident = incidents.of(interval);
                    judged.computeIfAbsent(cause(incident.rootWait().kind()), key -> new HashMap<>())
                            .merge(incident.verdict(), end - start, Long::sum);
                    at = end;
                }
            }
        }
        addStates(main, at, to, bornNs, plain);
        List<AppStartup.Share> shares = new ArrayList<>();
        plain.forEach((cause, ns) -> shares.add(new AppStartup.Share(cause, null, ns)));
        judged.forEach(
                (cause, times) -> times.forEach((verdict, ns) -> shares.add(new AppStartup.Share(cause, verdict, ns))));
        shares.sort(LongOrder.descending(AppStartup.Share::durNs));
        return shares;
    }

    private static AppStartup.Cause cause(WaitKind kind) {
        return switch (kind) {
            case MONITOR, RUNTIME_LOCK, MUTEX, PARK, FUTEX -> AppStartup.Cause.LOCK;
            case BINDER -> AppStartup.Cause.BINDER;
            case GC, SAFEPOINT -> AppStartup.Cause.GC;
            case RESOURCE, RESULT -> AppStartup.Cause.SLEEPING;
            case CPU, KERNEL, QUEUE, STOP, SLEEP, IO, PINNED, CARRIER, HANDLER ->
                throw new IllegalArgumentException("no thread was waited for: " + kind);
        };
    }

    private void addStates(int utid, long from, long to, long bornNs, Map<AppStartup.Cause, Long> sums) {
        long at = from;
        if (utid >= 0) {
            for (int row = Math.max(states.at(utid, from), states.first(utid));
                    row < states.end(utid) && states.ts(row) < to;
                    row++) {
                long start = Math.max(at, states.ts(row));
                long end = Math.min(to, coverage.endNs(row));
                if (start < end) {
                    addGap(at, start, bornNs, sums);
                    add(causeOf(OwnerState.of(states, row)), end - start, sums);
                    at = end;
                }
            }
        }
        addGap(at, to, bornNs, sums);
    }

    /** An interval without scheduler events. */
    private static void addGap(long from, long to, long bornNs, Map<AppStartup.Cause, Long> sums) {
        long born = Math.clamp(bornNs, from, Math.max(from, to));
        add(AppStartup.Cause.NOT_YET_BORN, born - from, sums);
        add(AppStartup.Cause.UNKNOWN, to - born, sums);
    }

    /** The start of a main thread: if it is not recorded in a cold start, the first scheduler event of the thread. */
    private long threadStartNs(int main, boolean cold) {
        if (main < 0) {
            return Long.MIN_VALUE;
        }
        long recorded = threads.startNs(main);
        boolean isSeen = cold && states.first(main) < states.end(main);
        return recorded == Long.MIN_VALUE && isSeen ? states.ts(states.first(main)) : recorded;
    }

    private static AppStartup.Cause causeOf(OwnerState state) {
        return switch (state) {
            case RUNNING -> AppStartup.Cause.RUNNING;
            case RUNNABLE -> AppStartup.Cause.RUNNABLE;
            case IO_WAIT, UNINTERRUPTIBLE -> AppStartup.Cause.IO;
            case SLEEPING, STOPPED, JNI_CRITICAL, CRITICAL_CALL -> AppStartup.Cause.SLEEPING;
            case GC_PAUSE, REACHING_SAFEPOINT, SAFEPOINT -> AppStartup.Cause.GC;
            case BLOCKED, DEADLOCKED, UNKNOWN -> AppStartup.Cause.UNKNOWN;
        };
    }

    private static void add(AppStartup.Cause cause, long ns, Map<AppStartup.Cause, Long> sums) {
        if (ns > 0) {
            sums.merge(cause, ns, Long::sum);
        }
    }
}
