package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.code.CodeSiteFinder;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.GenericTerm;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.model.cause.RootCauses;
import dev.unjank.trace.collections.LongOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Groups the incidents of a diagnosis into root causes: by process, resource, group of waiters, and the owner's code
 * or, for a wait other than for a lock, group of owners. The verdict is no part of the key: one lock with two verdicts
 * is one thing to change. An incident without recorded code of an owner joins the largest group for the same resource
 * and waiters. A wait that a pause of the process explains joins the pause's group. All waits of one deadlock are one
 * root cause.
 */
public final class RootCauseFinder {
    /** Lock classes that do not identify a lock, because many parts of a program use them; the waiter's class does. */
    private static final String GENERIC_CLASS = "java.";

    private final CodeSiteFinder sites;
    private final Map<Integer, CodeLocation> deadlocked = new HashMap<>(); // by thread
    private final Map<GroupKey, CauseGroup> groups = new LinkedHashMap<>();

    private RootCauseFinder(CodeSiteFinder sites) {
        this.sites = sites;
    }

    /** The key of a group; processes without a name are distinguished by their upids. */
    private record GroupKey(int upid, RootCause.Key key) {
        GroupKey withoutOwner() {
            return new GroupKey(upid, new RootCause.Key(key.process(), key.kind(), key.resource(), key.waiters(), ""));
        }

        boolean hasOwner() {
            return !key.owner().isEmpty();
        }
    }

    /** {@return the root causes of the selected incidents of a diagnosis} */
    public static RootCauses of(Diagnosis diagnosis) {
        return of(diagnosis, diagnosis.incidents());
    }

    /**
     * {@return the root causes of some of the incidents of a diagnosis}
     *
     * @param diagnosis the diagnosis
     * @param incidents incidents of it
     */
    public static RootCauses of(Diagnosis diagnosis, List<Incident> incidents) {
        RootCauseFinder finder = new RootCauseFinder(
                new CodeSiteFinder(diagnosis.search().options().app()));
        incidents.forEach(finder::takeDeadlockedSite);
        incidents.forEach(finder::add);
        finder.joinUnknown();
        finder.joinWaitsForPauses();
        finder.joinDeadlocks();
        CostMeasures costs = new CostMeasures(diagnosis, incidents);
        finder.joinSleepsOfOwners(costs);
        return RootCauses.ranked(
                costs.measure(),
                finder.groups.values().stream()
                        .map(group -> group.cause(costs, diagnosis.samples()))
                        .toList());
    }

    /** Stores where the owner in a deadlock itself waits. */
    private void takeDeadlockedSite(Incident incident) {
        Owner owner = incident.blocker();
        if (incident.verdict() == Verdict.DEADLOCK && owner != null) {
            CodeLocation site = owner.stack().isEmpty() ? owner.location() : sites.of(owner.stack());
            if (site != null) {
                deadlocked.putIfAbsent(owner.thread().utid(), site);
            }
        }
    }

    /**
     * The waiter's code. For pinned threads, and for threads that waited for a pinned carrier, it is the code that
     * pins.
     */
    private @Nullable CodeLocation waiterSite(Incident incident) {
        Wait wait = incident.rootWait();
        Owner owner = incident.blocker();
        if (isPinned(wait)) {
            return wait.kind() == WaitKind.CARRIER && owner != null ? owner.location() : wait.location();
        }
        if (!wait.stack().isEmpty()) {
            return sites.of(wait.stack());
        }
        return wait.location() == null && incident.verdict() == Verdict.DEADLOCK
                ? deadlocked.get(wait.thread().utid())
                : wait.location();
    }

    private void add(Incident incident) {
        Wait wait = incident.rootWait();
        Owner owner = incident.blocker();
        CodeLocation waiterSite = waiterSite(incident);
        CodeLocation ownerSite = owner == null ? null : site(wait, owner, waiterSite);
        String process = wait.thread().process();
        RootCause.Key key = new RootCause.Key(
                process == null ? "" : process,
                wait.kind() == WaitKind.CARRIER ? WaitKind.PINNED : wait.kind(),
                resource(wait, waiterSite),
                ThreadGroupName.of(wait.thread()),
                isPinned(wait) ? "" : owner(wait, owner, ownerSite));
        groups.computeIfAbsent(
                        new GroupKey(process == null ? wait.thread().upid() : 0, key),
                        _ -> new CauseGroup(groups.size(), key, resourceName(wait), sites))
                .add(new CauseGroup.Member(incident, waiterSite, ownerSite));
    }

    private static boolean isPinned(Wait wait) {
        return wait.kind() == WaitKind.PINNED || wait.kind() == WaitKind.CARRIER;
    }

    /**
     * The owner's code. For a resource it is the recorded location, because the stack of the holder does not contain
     * that code.
     */
    private @Nullable CodeLocation site(Wait wait, Owner owner, @Nullable CodeLocation waiterSite) {
        return wait.kind() == WaitKind.RESOURCE
                        || isPinned(wait)
                        || owner.stack().isEmpty()
                ? owner.location()
                : sites.ofHolder(owner.stack(), waiterSite);
    }

    /** The identity of the resource among those of its kind, as far as it is recorded. */
    private static String resource(Wait wait, @Nullable CodeLocation site) {
        if ((isPinned(wait) || wait.kind() == WaitKind.HANDLER) && site != null) {
            return site.method(); // what pins, or takes long, differs by method
        }
        boolean isOfProgram = switch (wait.kind()) {
            case RESOURCE, RESULT, SLEEP, IO, HANDLER -> true;
            default -> wait.kind().isLock();
        };
        if (!isOfProgram) {
            return resourceName(wait);
        }
        if (isSpecific(wait) || site == null) {
            return wait.target();
        }
        boolean isSleep = wait.kind() == WaitKind.SLEEP; // sleeps have nothing but their code in common
        return GenericTerm.RESOURCE_IN_CLASS.text(
                wait.target(), isSleep ? site.method() : CodeSiteFinder.className(site));
    }

    private static boolean isSpecific(Wait wait) {
        return wait.isLockIdentified() && !wait.target().startsWith(GENERIC_CLASS);
    }

    /**
     * The owner's code; if unknown, the owner's group of threads. All owners of a lock whose code is unknown form one
     * group; so do threads that return a resource for which others of their group wait: they took it with the same
     * code.
     */
    private static String owner(Wait wait, @Nullable Owner owner, @Nullable CodeLocation site) {
        if (site != null) {
            return site.method();
        }
        if (owner == null || wait.kind().isLock()) {
            return "";
        }
        String group = ThreadGroupName.of(owner.thread());
        return wait.kind() == WaitKind.RESOURCE && group.equals(ThreadGroupName.of(wait.thread())) ? "" : group;
    }

    /** The name of the resource; empty for the collector, CPUs and a looper's messages, which are one resource each. */
    private static String resourceName(Wait wait) {
        return switch (wait.kind()) {
            case GC, CPU, QUEUE -> "";
            default -> wait.target();
        };
    }

    private void joinUnknown() {
        for (GroupKey key : List.copyOf(groups.keySet())) {
            if (!key.hasOwner()) {
                CauseGroup unknown = Objects.requireNonNull(groups.get(key));
                List<CauseGroup> candidates = withOwner(key);
                List<CauseGroup.Member> joined = new ArrayList<>();
                for (CauseGroup.Member member : unknown.members()) {
                    CauseGroup largest = largest(member, candidates);
                    if (largest != null) {
                        largest.add(member);
                        joined.add(member);
                    }
                }
                remove(joined, key, unknown);
            }
        }
    }

    /** A wait that a pause explains is a part of the pause's root cause. */
    private void joinWaitsForPauses() {
        PauseCauses pauses = new PauseCauses(groups.values());
        for (Map.Entry<GroupKey, CauseGroup> entry : List.copyOf(groups.entrySet())) {
            List<CauseGroup.Member> joined = new ArrayList<>();
            for (CauseGroup.Member member : List.copyOf(entry.getValue().members())) {
                CauseGroup pause = pauses.causeOf(member.incident());
                if (pause != null && pause != entry.getValue()) {
                    pause.add(member);
                    joined.add(member);
                }
            }
            remove(joined, entry.getKey(), entry.getValue());
        }
    }

    /** Waits that lead into one cycle are one root cause: that of the group with most of their time. */
    private void joinDeadlocks() {
        Map<Integer, CauseGroup> byThread = new HashMap<>();
        List<Map.Entry<GroupKey, CauseGroup>> largestFirst = new ArrayList<>(groups.entrySet());
        largestFirst.sort(LongOrder.descending(entry -> entry.getValue().totalNs()));
        for (Map.Entry<GroupKey, CauseGroup> entry : largestFirst) {
            List<CauseGroup.Member> joined = new ArrayList<>();
            for (CauseGroup.Member member : List.copyOf(entry.getValue().members())) {
                CauseGroup first = deadlock(member.incident(), entry.getValue(), byThread);
                if (first != entry.getValue()) {
                    first.add(member);
                    joined.add(member);
                }
            }
            remove(joined, entry.getKey(), entry.getValue());
        }
    }

    /** The group of the deadlock that a wait leads into, which is its own group if there is none yet. */
    private static CauseGroup deadlock(Incident incident, CauseGroup own, Map<Integer, CauseGroup> byThread) {
        if (incident.verdict() != Verdict.DEADLOCK) {
            return own;
        }
        List<Wait> chain = incident.chain();
        CauseGroup first = chain.stream()
                .map(wait -> byThread.get(wait.thread().utid()))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(own);
        chain.forEach(wait -> byThread.putIfAbsent(wait.thread().utid(), first));
        return first;
    }

    private void remove(List<CauseGroup.Member> members, GroupKey key, CauseGroup group) {
        group.removeAll(members);
        if (group.members().isEmpty()) {
            groups.remove(key);
        }
    }

    private List<CauseGroup> withOwner(GroupKey key) {
        List<CauseGroup> candidates = new ArrayList<>();
        groups.forEach((other, group) -> {
            if (other.hasOwner() && other.withoutOwner().equals(key)) {
                candidates.add(group);
            }
        });
        return candidates;
    }

    /**
     * The largest group for a wait whose owner is unknown, or null if there is none. For a lock of a generic class,
     * only groups count in which a thread waited in the same method.
     */
    private static @Nullable CauseGroup largest(CauseGroup.Member unknown, List<CauseGroup> candidates) {
        Wait wait = unknown.incident().rootWait();
        boolean isOneLock = !wait.kind().isLock() || isSpecific(wait);
        return candidates.stream()
                .filter(group -> isOneLock || group.members().stream().anyMatch(unknown::waitsInSameMethod))
                .max(LongOrder.ascending(CauseGroup::totalNs))
                .orElse(null);
    }

    /**
     * Assigns sleeps of lock owners to the lock's root cause. Sleeps of threads that serve others also keep their own.
     */
    private void joinSleepsOfOwners(CostMeasures costs) {
        OwnersSleeps sleeps = new OwnersSleeps(groups.values());
        for (Map.Entry<GroupKey, CauseGroup> entry : List.copyOf(groups.entrySet())) {
            CauseGroup group = entry.getValue();
            List<CauseGroup.Member> joined = new ArrayList<>();
            for (CauseGroup.Member member : group.members()) {
                Incident incident = member.incident();
                CauseGroup lock = OwnersSleeps.isOwn(incident) ? sleeps.causeOf(incident) : null;
                if (lock != null && costs.servesOthers(incident)) {
                    group.addPartOf(lock, member.durNs());
                } else if (lock != null) {
                    lock.addMeanwhile(incident);
                    joined.add(member);
                }
            }
            remove(joined, entry.getKey(), group);
        }
    }
}
