package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.code.CodeSiteFinder;
import dev.unjank.doctor.find.runtime.HotMethod;
import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.CpuSamples;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.SampledStacks;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.model.cause.ThreadGroupRef;
import dev.unjank.trace.collections.LongOrder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collects the incidents of one root cause. */
final class CauseGroup {
    /**
     * A known verdict replaces {@link Verdict#UNKNOWN} if known verdicts have at least one part in this many of the
     * time.
     */
    private static final int KNOWN_PART = 10;

    private static final String VIRTUAL_THREAD = "java.lang.VirtualThread.";

    private final RootCause.Key key;
    private final String resource;
    private final CodeSiteFinder sites;
    private final List<Member> members = new ArrayList<>();
    private final List<Integer> meanwhile = new ArrayList<>();
    private final Map<CauseGroup, Long> partsOf = new LinkedHashMap<>();
    private final int number;
    private long totalNs;

    /** Creates an empty group; {@code number} identifies the group in its diagnosis. */
    CauseGroup(int number, RootCause.Key key, String resource, CodeSiteFinder sites) {
        this.number = number;
        this.key = key;
        this.resource = resource;
        this.sites = sites;
    }

    /**
     * An incident with its code sites.
     *
     * @param waiterSite the program's code that waits; null if unknown
     * @param ownerSite the program's code that holds the resource; null if unknown
     */
    record Member(
            Incident incident,
            @Nullable CodeLocation waiterSite,
            @Nullable CodeLocation ownerSite) {
        long durNs() {
            return incident.rootWait().durNs();
        }

        /** Whether both wait in the same method; an unknown method counts as the same. */
        boolean waitsInSameMethod(Member other) {
            return waiterSite == null
                    || other.waiterSite == null
                    || waiterSite.method().equals(other.waiterSite.method());
        }
    }

    void add(Member member) {
        members.add(member);
        totalNs += member.durNs();
    }

    void removeAll(List<Member> others) {
        members.removeAll(others);
        totalNs = members.stream().mapToLong(Member::durNs).sum();
    }

    /** Adds an owner's own sleep during the waits of this group. */
    void addMeanwhile(Incident sleep) {
        meanwhile.add(sleep.id());
    }

    /** Adds time during which a thread of this group slept while it held a lock that other threads waited for. */
    void addPartOf(CauseGroup lock, long ns) {
        partsOf.merge(lock, ns, Long::sum);
    }

    int number() {
        return number;
    }

    RootCause.Key key() {
        return key;
    }

    List<Member> members() {
        return members;
    }

    long totalNs() {
        return totalNs;
    }

    RootCause cause(CostMeasures costs, CpuSamples samples) {
        List<Incident> incidents = members.stream()
                .map(Member::incident)
                .sorted(LongOrder.ascending(Incident::id))
                .toList();
        List<Summary.Total> verdicts = verdicts(incidents);
        Verdict verdict = mainVerdict(verdicts);
        Incident example = incidents.stream()
                .filter(incident -> incident.verdict() == verdict)
                .max(LongOrder.<Incident>ascending(incident -> isOfKind(incident) ? 1 : 0)
                        .thenComparing(LongOrder.ascending(
                                incident -> incident.rootWait().durNs())))
                .orElseThrow();
        long[] durations = incidents.stream()
                .mapToLong(incident -> incident.rootWait().durNs())
                .sorted()
                .toArray();
        SampledStacks sampled = samples.isEmpty() ? SampledStacks.NONE : samples.within(LateSpans.of(incidents));
        CodeLocation recordedSite = longest(Member::ownerSite);
        CodeLocation ownerSite = recordedSite == null ? producerSite(sampled) : recordedSite;
        List<RootCause.StackTotal> stacks = stacks();
        return new RootCause(
                0,
                key,
                verdict,
                verdicts,
                example,
                key.kind(),
                resource,
                pauses(),
                example.rootWait().thread().process(),
                waiters(verdict),
                verdict == Verdict.DEADLOCK ? deadlockedOwners() : owners(),
                isOfProcess() ? null : longest(Member::waiterSite),
                ownerSite,
                ownerActivity(stacks, ownerSite),
                stacks,
                ownerStates(incidents),
                incidents.stream().map(Incident::id).toList(),
                meanwhile.stream().sorted().toList(),
                partOf(),
                Occurrences.count(incidents),
                totalNs,
                percentile(durations, 50),
                percentile(durations, 95),
                durations[durations.length - 1],
                costs.of(incidents),
                sampled);
    }

    /**
     * The method that the producers of results were sampled in most of the time; null if there is none, or for other
     * kinds.
     */
    private @Nullable CodeLocation producerSite(SampledStacks sampled) {
        return key.kind() == WaitKind.RESULT && !sampled.isTooFew() ? HotMethod.of(sampled, sites) : null;
    }

    private boolean isOfKind(Incident incident) {
        return incident.rootWait().kind() == key.kind();
    }

    private List<RootCause.PauseTotal> pauses() {
        Map<String, Integer> counts = new TreeMap<>();
        if (key.kind() == WaitKind.GC) {
            members.stream()
                    .map(member -> member.incident.rootWait())
                    .filter(Wait::isProcessPause)
                    .forEach(pause -> counts.merge(pause.target(), 1, Integer::sum));
        }
        return counts.entrySet().stream()
                .map(count -> new RootCause.PauseTotal(count.getKey(), count.getValue()))
                .sorted(LongOrder.descending(RootCause.PauseTotal::pauses))
                .toList();
    }

    /** The members that say who blocked the others and where: with pauses of all threads, only these. */
    private List<Member> blocked() {
        boolean isOfProcess = isOfProcess();
        return members.stream()
                .filter(member -> !isOfProcess || member.incident.rootWait().isProcessPause())
                .toList();
    }

    /** Whether pauses of a whole process are among the members, so that all its threads waited. */
    private boolean isOfProcess() {
        return members.stream().anyMatch(member -> member.incident.rootWait().isProcessPause());
    }

    /**
     * The root cause of the lock or resource that threads of this group held for enough of their sleep; null if there
     * is none. A pause of all threads explains sleeps, but is no part of what the sleeping threads held.
     */
    private RootCause.@Nullable Key partOf() {
        if (isOfProcess()) {
            return null;
        }
        return partsOf.entrySet().stream()
                .filter(part -> OwnersSleeps.leastShare(part.getKey()) * part.getValue() >= totalNs)
                .max(LongOrder.ascending(Map.Entry::getValue))
                .map(part -> part.getKey().key)
                .orElse(null);
    }

    private static List<Summary.Total> verdicts(List<Incident> incidents) {
        Map<Verdict, List<Incident>> byVerdict = new EnumMap<>(Verdict.class);
        incidents.forEach(incident -> byVerdict
                .computeIfAbsent(incident.verdict(), _ -> new ArrayList<>())
                .add(incident));
        List<Summary.Total> totals = new ArrayList<>();
        byVerdict.forEach((verdict, its) -> totals.add(new Summary.Total(
                verdict,
                its.size(),
                its.stream().mapToLong(incident -> incident.rootWait().durNs()).sum())));
        totals.sort(LongOrder.descending(Summary.Total::durNs));
        return totals;
    }

    /**
     * A deadlock, which does not end; otherwise the verdict with most of the time. If owners slept for most of a
     * convoy, the sleep is the cause.
     */
    private Verdict mainVerdict(List<Summary.Total> verdicts) {
        if (verdicts.stream().anyMatch(total -> total.verdict() == Verdict.DEADLOCK)) {
            return Verdict.DEADLOCK;
        }
        Verdict first = verdicts.getFirst().verdict();
        if (first == Verdict.LOCK_CONVOY && asleepNs() > totalNs / 2) {
            return verdicts.stream()
                    .map(Summary.Total::verdict)
                    .filter(verdict -> verdict == Verdict.SLEEPING_OWNER)
                    .findFirst()
                    .orElse(first);
        }
        if (first != Verdict.UNKNOWN || verdicts.size() == 1) {
            return first;
        }
        long knownNs = totalNs - verdicts.getFirst().durNs();
        return knownNs >= totalNs / KNOWN_PART ? verdicts.get(1).verdict() : first;
    }

    private long asleepNs() {
        return members.stream()
                .flatMap(member -> member.incident.ownerStates().stream())
                .filter(time -> time.state().isAsleep())
                .mapToLong(Incident.StateDuration::durNs)
                .sum();
    }

    private ThreadGroupRef waiters(Verdict verdict) {
        ThreadTotals threads = new ThreadTotals();
        blocked().stream()
                .map(member -> member.incident.rootWait())
                .forEach(wait -> threads.add(wait.thread(), wait.durNs()));
        return verdict == Verdict.DEADLOCK ? threads.allGroups() : threads.group();
    }

    private @Nullable ThreadGroupRef deadlockedOwners() {
        ThreadTotals threads = new ThreadTotals();
        for (Member member : members) {
            Owner owner = member.incident.blocker();
            if (owner != null && owner.thread().isKnown()) {
                threads.add(owner.thread(), member.durNs());
            }
        }
        return threads.ns() == 0 ? null : threads.allGroups();
    }

    /**
     * The group of owners that blocked the waiters longest; of a resource all its holders in turn count. The owner of a
     * lock that a pause prolonged did not request the pause.
     */
    private @Nullable ThreadGroupRef owners() {
        Map<String, ThreadTotals> groups = new LinkedHashMap<>();
        for (Member member : blocked()) {
            Owner owner = member.incident.blocker();
            if (key.kind() == WaitKind.RESOURCE) {
                member.incident
                        .rootWait()
                        .ownerIntervals()
                        .forEach(holder -> addOwner(holder.owner(), holder.durNs(), groups));
            } else if (owner != null) {
                addOwner(owner, member.durNs(), groups);
            }
        }
        return groups.values().stream()
                .max(LongOrder.ascending(ThreadTotals::ns))
                .map(ThreadTotals::group)
                .orElse(null);
    }

    private static void addOwner(Owner owner, long ns, Map<String, ThreadTotals> groups) {
        if (owner.thread().isKnown()) {
            groups.computeIfAbsent(ThreadGroupName.of(owner.thread()), _ -> new ThreadTotals())
                    .add(owner.thread(), ns);
        }
    }

    /** The code site with the longest total wait. */
    private @Nullable CodeLocation longest(Function<Member, @Nullable CodeLocation> site) {
        Map<CodeLocation, Long> sums = new LinkedHashMap<>();
        for (Member member : blocked()) {
            CodeLocation its = site.apply(member);
            if (its != null) {
                sums.merge(its, member.durNs(), Long::sum);
            }
        }
        return sums.entrySet().stream()
                .max(LongOrder.ascending(Map.Entry::getValue))
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    private List<RootCause.StackTotal> stacks() {
        Map<List<CallStack>, RootCause.StackTotal> totals = new LinkedHashMap<>();
        for (Member member : members) {
            Owner owner = member.incident.blocker();
            CallStack waiter = member.incident.rootWait().stack();
            CallStack its = owner == null ? CallStack.NONE : owner.stack();
            if (!waiter.isEmpty() || !its.isEmpty()) {
                totals.merge(
                        List.of(waiter, its),
                        new RootCause.StackTotal(waiter, its, 1, member.durNs()),
                        (a, b) -> new RootCause.StackTotal(
                                a.waiter(), a.owner(), a.waits() + b.waits(), a.durNs() + b.durNs()));
            }
        }
        boolean isOfProcess = isOfProcess(); // the code that requested the pauses comes first, and the code that pins
        boolean isPinned = key.kind() == WaitKind.PINNED;
        return totals.values().stream()
                .sorted(LongOrder.<RootCause.StackTotal>descending(
                                stack -> (isOfProcess && !stack.owner().isEmpty())
                                                || (isPinned && stack.owner().isEmpty())
                                        ? 1
                                        : 0)
                        .thenComparing(LongOrder.descending(RootCause.StackTotal::durNs)))
                .toList();
    }

    /**
     * The frames below the code that took the lock. A resource's holder may have left that code: then its whole stack.
     */
    private List<CodeLocation> ownerActivity(List<RootCause.StackTotal> stacks, @Nullable CodeLocation ownerSite) {
        for (RootCause.StackTotal stack : stacks) {
            List<CodeLocation> frames = stack.owner().frames();
            if (key.kind() == WaitKind.RESOURCE && !frames.isEmpty()) {
                return frames.subList(0, frames.indexOf(sites.of(stack.owner())) + 1);
            }
            int site = ownerSite == null ? -1 : frames.indexOf(ownerSite);
            if (site >= 0) {
                return frames.subList(ofThreadItself(frames, site), site);
            }
        }
        return List.of();
    }

    /** The number of innermost frames by which a virtual thread blocks, whatever it calls. */
    private static int ofThreadItself(List<CodeLocation> frames, int site) {
        int at = 0;
        while (at < site && frames.get(at).method().startsWith(VIRTUAL_THREAD)) {
            at++;
        }
        return at;
    }

    private static List<Incident.StateDuration> ownerStates(List<Incident> incidents) {
        Map<OwnerState, Long> sums = new EnumMap<>(OwnerState.class);
        incidents.forEach(
                incident -> incident.ownerStates().forEach(time -> sums.merge(time.state(), time.durNs(), Long::sum)));
        List<Incident.StateDuration> times = new ArrayList<>();
        sums.forEach((state, sum) -> times.add(new Incident.StateDuration(state, sum)));
        times.sort(LongOrder.descending(Incident.StateDuration::durNs));
        return times;
    }

    /** The percentile by the nearest-rank method. */
    private static long percentile(long[] sorted, int percent) {
        return sorted[Math.max(0, (int) Math.ceilDiv((long) sorted.length * percent, 100) - 1)];
    }
}
