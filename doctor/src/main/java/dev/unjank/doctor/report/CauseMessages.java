package dev.unjank.doctor.report;

import dev.unjank.doctor.judge.BlockerKind;
import dev.unjank.doctor.judge.ThreadGroupName;
import dev.unjank.doctor.model.BlockedKind;
import dev.unjank.doctor.model.BlockedTime;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.SampledStacks;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.model.cause.CostMeasure;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.model.cause.RootCauses;
import dev.unjank.doctor.model.cause.ThreadGroupRef;
import dev.unjank.trace.text.TerminalText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The labelled facts of a root cause. */
public final class CauseMessages {
    private static final int MOST_PROCESSES = 3;
    private static final int MOST_METHODS = 5;

    private CauseMessages() {}

    /** {@return the time by which root causes are ranked} */
    public static String measure(CostMeasure measure) {
        return Messages.of("cause.rankedBy." + measure);
    }

    /**
     * {@return the blocked time of all threads by kind, with its sum; empty if there is none} Without shares: those of
     * root causes are of the listed waits, in which a pause of all threads counts once.
     */
    public static String blockedTime(BlockedTime time) {
        if (time.kinds().isEmpty()) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        for (BlockedTime.KindTotal part : time.kinds()) {
            if (part.kind() != BlockedKind.IDLE) {
                parts.add(Messages.of(
                        "blocked.part", Messages.of("blocked." + part.kind()), DurationFormat.time(part.durNs())));
            }
        }
        long idleNs = time.ns(BlockedKind.IDLE);
        String threads = Messages.count("thread", time.threads());
        String busy = DurationFormat.time(time.busyNs());
        String all = Messages.of("blocked.all", busy, threads);
        String text = parts.isEmpty() ? all : Messages.of("blocked.parts", all, String.join(", ", parts));
        return idleNs == 0 ? text : Messages.of("blocked.withoutIdle", text, DurationFormat.time(idleNs));
    }

    /** {@return the processes whose threads waited; none if their names are unknown} */
    public static List<ReportForm.Field> processes(RootCauses causes) {
        Set<String> names = new LinkedHashSet<>();
        for (RootCause cause : causes.causes()) {
            if (cause.process() != null) {
                names.add(TerminalText.printableStart(cause.process()));
            }
        }
        if (names.isEmpty()) {
            return List.of();
        }
        String first = names.stream().limit(MOST_PROCESSES).collect(Collectors.joining(", "));
        return List.of(new ReportForm.Field(
                Messages.of(names.size() == 1 ? "label.process" : "label.processes"),
                names.size() <= MOST_PROCESSES
                        ? first
                        : Messages.of(
                                "phrase.and", first, Messages.count("moreProcess", names.size() - MOST_PROCESSES))));
    }

    /** {@return what the threads waited for} */
    public static String what(RootCause cause) {
        return cause.pauses().size() > 1
                ? PauseMessages.collections(cause.pauses())
                : WaitMessages.what(cause.example().rootWait());
    }

    /** {@return the waiters with their code, then the owners with theirs} */
    public static String where(RootCause cause) {
        return where(cause, CauseMessages::name);
    }

    /** {@return a root cause in one line that has groups of threads also where only one thread of them waited} */
    public static String ofGroups(RootCause cause) {
        return Messages.of("cause.line", what(cause), where(cause, CauseMessages::groupName));
    }

    private static String groupName(ThreadGroupRef group) {
        String name = group.longest().name();
        return name == null
                ? ThreadLabels.groupWithoutName(group.longest())
                : TerminalText.printableStart(ThreadGroupName.of(name));
    }

    private static String where(RootCause cause, Function<ThreadGroupRef, String> naming) {
        ThreadGroupRef owners = cause.owners();
        String waiter = place(naming.apply(cause.waiters()), cause.waiterSite());
        if (owners == null && cause.ownerSite() == null) {
            return waiter;
        }
        String owner = owners == null ? Messages.of("thread.unknown") : naming.apply(owners);
        boolean isRequest =
                cause.kind() == WaitKind.SAFEPOINT && cause.example().verdict() == Verdict.SAFEPOINT_BLOCKED;
        return Messages.of(isRequest ? "cause.whereRequested" : "cause.where", waiter, place(owner, cause.ownerSite()));
    }

    private static String place(String name, @Nullable CodeLocation site) {
        return site == null ? name : Messages.of("cause.place", name, shortMethod(site));
    }

    /** Class and method without the package. */
    private static String shortMethod(CodeLocation site) {
        String method = TerminalText.printableStart(site.method());
        int name = method.lastIndexOf('.');
        int type = name < 0 ? -1 : method.lastIndexOf('.', name - 1);
        return method.substring(type + 1);
    }

    /** {@return the name of a group of threads, or of its only thread} */
    public static String name(ThreadGroupRef group) {
        if (group.threads() == 1) {
            return ThreadLabels.name(group.longest());
        }
        return group.name().isEmpty()
                ? ThreadLabels.groupWithoutName(group.longest())
                : TerminalText.printableStart(group.name());
    }

    /** {@return a share in percent} */
    public static String share(long ns, long allNs) {
        long percent = Math.round(100.0 * ns / Math.max(1, allNs));
        return percent == 0 && ns > 0 ? "<1 %" : percent + " %";
    }

    /** {@return the facts of a root cause that a report begins with} */
    public static List<ReportForm.Field> summary(RootCause cause, RootCauses causes, Diagnosis diagnosis) {
        List<ReportForm.Field> fields = new ArrayList<>();
        threads(fields, cause, diagnosis);
        target(fields, cause);
        add(
                fields,
                "totalWait",
                Messages.of(
                        "cause.total",
                        DurationFormat.time(cause.totalNs()),
                        Messages.count("wait", cause.incidents().size()),
                        share(cause.totalNs(), causes.totalNs())));
        cost(fields, cause, causes, diagnosis);
        return fields;
    }

    /** The blocking call, the handler, or what the threads waited for; a wait for a CPU has no further target. */
    private static void target(List<ReportForm.Field> fields, RootCause cause) {
        switch (cause.kind()) {
            case RESOURCE, RESULT, SLEEP, IO -> add(fields, "call", what(cause));
            case HANDLER -> add(fields, "handler", what(cause));
            case CPU, PINNED -> {}
            default -> add(fields, "waitsFor", what(cause));
        }
    }

    private static void threads(List<ReportForm.Field> fields, RootCause cause, Diagnosis diagnosis) {
        String waiters = threads(cause.waiters(), "cause.threadsIn", cause.waiterSite());
        List<Incident> prolonged = prolongedWaits(cause, diagnosis);
        add(
                fields,
                "waiter",
                prolonged.isEmpty()
                        ? waiters
                        : Messages.of(
                                "cause.prolonged",
                                waiters,
                                Messages.count("pause", cause.incidents().size() - prolonged.size()),
                                Messages.count("wait", prolonged.size()),
                                DurationFormat.time(prolonged.stream()
                                        .mapToLong(wait -> wait.rootWait().durNs())
                                        .sum())));
        if (cause.owners() != null) {
            String label = MessageCatalogue.ownerLabel(cause.kind());
            String where = cause.kind() == WaitKind.RESOURCE ? "cause.threadsTook" : "cause.threadsIn";
            add(fields, label, threads(cause.owners(), where, cause.ownerSite()));
        }
        if (cause.verdict() == Verdict.DEADLOCK) {
            add(fields, "cycle", cycle(cause.example()));
        }
        nextOwner(fields, cause);
    }

    /** The threads of a deadlock with their code, each with the lock that it waits for and the lock's owner. */
    private static String cycle(Incident deadlock) {
        Map<Integer, CodeLocation> owners = new HashMap<>(); // where each owner, which itself waits, is
        for (Wait wait : deadlock.chain()) {
            Owner owner = wait.longestOwnerInterval().owner();
            if (owner.location() != null) {
                owners.put(owner.thread().utid(), owner.location());
            }
        }
        List<String> parts = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        for (Wait wait : deadlock.chain()) {
            Owner owner = wait.longestOwnerInterval().owner();
            int utid = wait.thread().utid();
            CodeLocation site = wait.location() == null ? owners.get(utid) : wait.location();
            if (seen.add(utid)) {
                parts.add(Messages.of(
                        "cause.cycle",
                        site == null
                                ? ThreadLabels.name(wait.thread())
                                : Messages.of("cause.place", ThreadLabels.name(wait.thread()), frame(site)),
                        WaitMessages.what(wait),
                        ThreadLabels.name(owner.thread())));
            }
        }
        return String.join("; ", parts);
    }

    /** The waits of single threads that pauses of all threads prolonged; empty for other causes. */
    private static List<Incident> prolongedWaits(RootCause cause, Diagnosis diagnosis) {
        if (!cause.waiters().longest().isAllOfProcess()) {
            return List.of();
        }
        return cause.incidents().stream()
                .map(diagnosis::incident)
                .filter(incident -> !incident.rootWait().isProcessPause())
                .toList();
    }

    /**
     * The owner of the lock that a server thread waited for in the longest wait, if the verdict or its evidence follows
     * from that lock.
     */
    private static void nextOwner(List<ReportForm.Field> fields, RootCause cause) {
        Incident example = cause.example();
        boolean isDecisive = BlockerKind.of(example) == BlockerKind.LOCK
                || example.judgement().evidence() == Evidence.OWNER_FROM_CHILD;
        if (example.rootWait().kind().isLock() || !isDecisive) {
            return;
        }
        for (Wait next : example.chain().subList(1, example.chain().size())) {
            if (next.kind().isLock()) {
                Owner owner = next.longestOwnerInterval().owner();
                String name = ThreadLabels.nameAndProcess(owner.thread());
                CodeLocation site = owner.location();
                add(
                        fields,
                        "nextOwner",
                        Messages.of(
                                "cause.nextOwner",
                                site == null ? name : Messages.of("cause.threadsIn", name, frame(site)),
                                WaitMessages.nextWaitTarget(next)));
                return;
            }
        }
    }

    private static void cost(List<ReportForm.Field> fields, RootCause cause, RootCauses causes, Diagnosis diagnosis) {
        if (causes.measure() == CostMeasure.MISSED_FRAMES) {
            add(
                    fields,
                    "cost",
                    Messages.of(
                            "cost.missed",
                            DurationFormat.time(cause.costNs()),
                            MessageCatalogue.frames(diagnosis.platform())));
        }
    }

    /** Which facts of a root cause to write. */
    public enum Detail {
        ALL,
        /** Without the times that the table of root causes has. */
        BESIDE_TABLE,
        /**
         * The threads with their code and states, the first root cause that contains this one, evidence and next step.
         */
        MAIN
    }

    /** {@return the facts of a root cause in the order in which to read them} */
    public static List<ReportForm.Field> fields(
            RootCause cause, RootCauses causes, Diagnosis diagnosis, Detail detail) {
        List<ReportForm.Field> fields = new ArrayList<>();
        Incident example = cause.example();
        if (detail != Detail.MAIN) {
            add(fields, "rootCause", name(cause));
            target(fields, cause);
        }
        threads(fields, cause, diagnosis);
        if (!cause.ownerActivity().isEmpty()) {
            add(fields, "in." + MessageCatalogue.ownerLabel(cause.kind()), activity(cause));
        }
        RootCause.Key lock = cause.partOf();
        if (lock != null && causes.rank(lock) > 0) {
            add(fields, "partOf", Messages.of("cause.partOf", causes.rank(lock)));
        }
        if (detail == Detail.MAIN) {
            states(fields, cause);
        } else {
            details(fields, cause, causes, diagnosis, detail == Detail.ALL);
        }
        add(
                fields,
                "evidence",
                Messages.of("text.evidence", example.judgement().evidence(), WaitMessages.evidence(example)));
        add(fields, "nextStep", Advice.of(example, diagnosis.platform()).getFirst());
        return fields;
    }

    private static void details(
            List<ReportForm.Field> fields, RootCause cause, RootCauses causes, Diagnosis diagnosis, boolean withTimes) {
        String use = WaitMessages.resource(cause.example().resource());
        if (!use.isEmpty()) {
            add(fields, "resource", use);
        }
        if (!cause.meanwhile().isEmpty()) {
            add(
                    fields,
                    "included",
                    Messages.of(
                            "cause.included",
                            Messages.count("sleep", cause.meanwhile().size())));
        }
        if (withTimes) {
            times(fields, cause, causes, prolongedWaits(cause, diagnosis).size());
        }
        cost(fields, cause, causes, diagnosis);
        states(fields, cause);
        if (cause.verdicts().size() > 1) {
            add(fields, "verdicts", verdicts(cause));
        }
        fields.addAll(onCpu(cause.samples()));
    }

    private static void states(List<ReportForm.Field> fields, RootCause cause) {
        fields.add(new ReportForm.Field(statesLabel(cause), states(cause.ownerStates(), cause.totalNs())));
    }

    /** {@return the verdict in words; for the owner at the head of a convoy, with the waits behind it} */
    private static String name(RootCause cause) {
        String verdict = MessageCatalogue.label(cause.example().judgement());
        boolean isConvoy = cause.example().verdict() == Verdict.LOCK_CONVOY;
        for (Summary.Total total : cause.verdicts()) {
            if (total.verdict() == Verdict.LOCK_CONVOY && !isConvoy) {
                return Messages.of("cause.headOfConvoy", verdict, Messages.count("wait", total.incidents()));
            }
        }
        return verdict;
    }

    /**
     * {@return the label of the states: of the owners, or of the waiters where no thread blocked them or a pause
     * prolonged their waits}
     */
    public static String statesLabel(RootCause cause) {
        boolean hasSleep = cause.waiters().longest().isAllOfProcess()
                && cause.ownerStates().stream().anyMatch(time -> time.state() == OwnerState.SLEEPING);
        return Messages.of("label.states."
                + (cause.owners() == null || hasSleep ? "waiter" : MessageCatalogue.ownerLabel(cause.kind())));
    }

    /** {@return the label of the owners' stacks} */
    public static String ownerStackLabel(RootCause cause) {
        return Messages.of("label.stack." + MessageCatalogue.ownerLabel(cause.kind()));
    }

    private static void times(List<ReportForm.Field> fields, RootCause cause, RootCauses causes, int prolonged) {
        add(fields, "occurrences", occurrences(cause, prolonged));
        add(
                fields,
                "waitTimes",
                Messages.of(
                        "cause.times",
                        DurationFormat.time(cause.totalNs()),
                        share(cause.totalNs(), causes.totalNs()),
                        DurationFormat.time(cause.p50Ns()),
                        DurationFormat.time(cause.p95Ns()),
                        DurationFormat.time(cause.maxNs())));
    }

    private static String occurrences(RootCause cause, int prolonged) {
        if (cause.waiters().longest().isAllOfProcess()) {
            return Messages.count("pause", cause.incidents().size() - prolonged);
        }
        String waits = Messages.of(
                "cause.waitsOf",
                Messages.count("wait", cause.incidents().size()),
                Messages.count("thread", cause.waiters().threads()));
        return cause.occurrences() == cause.incidents().size()
                ? waits
                : Messages.of("cause.occurrences", cause.occurrences(), waits);
    }

    private static void add(List<ReportForm.Field> fields, String label, String value) {
        fields.add(new ReportForm.Field(Messages.of("label." + label), value));
    }

    /** {@return the number of samples, then the methods with most of them, one each; empty without samples} */
    static List<ReportForm.Field> onCpu(SampledStacks samples) {
        if (samples.samples() == 0) {
            return List.of();
        }
        String label = Messages.of("label.onCpu");
        String count = Messages.count("sample", samples.samples());
        if (samples.isTooFew()) {
            return List.of(new ReportForm.Field(label, Messages.of("cause.tooFewSamples", count)));
        }
        List<ReportForm.Field> fields = new ArrayList<>();
        fields.add(new ReportForm.Field(label, Messages.of("cause.samples", count)));
        for (SampledStacks.Method method : samples.methods().stream()
                .filter(method -> method.self() > 0) // the others only call these
                .limit(MOST_METHODS)
                .toList()) {
            fields.add(new ReportForm.Field(
                    "",
                    Messages.of(
                            "cause.sampledMethod",
                            method.self(),
                            share(method.self(), samples.samples()),
                            method.total(),
                            share(method.total(), samples.samples()),
                            TerminalText.printableStart(method.method()))));
        }
        return fields;
    }

    private static String threads(ThreadGroupRef group, String where, @Nullable CodeLocation site) {
        String who = group.threads() == 1
                ? ThreadLabels.nameAndProcess(group.longest())
                : Messages.of("cause.group", name(group), Messages.count("thread", group.threads()));
        return site == null ? who : Messages.of(where, who, frame(site));
    }

    /** Calls of the owner while it held the lock: the innermost call, and the one that the program made. */
    private static String activity(RootCause cause) {
        List<CodeLocation> below = cause.ownerActivity();
        String innermost = Messages.of(
                "cause.activity",
                MessageCatalogue.label(cause.ownerStates().getFirst().state()),
                frame(below.getFirst()));
        return below.size() == 1 ? innermost : Messages.of("cause.calledBy", innermost, frame(below.getLast()));
    }

    /** {@return a method with its line} */
    public static String frame(CodeLocation site) {
        String source = WaitMessages.line(site);
        String method = TerminalText.printableStart(site.method());
        return source.isEmpty() ? method : Messages.of("cause.frame", method, source);
    }

    /** {@return durations in states, each with its share of all} */
    static String states(List<Incident.StateDuration> states, long allNs) {
        return states.stream()
                .map(time -> Messages.of(
                        "cause.part",
                        MessageCatalogue.label(time.state()),
                        DurationFormat.time(time.durNs()),
                        share(time.durNs(), allNs)))
                .collect(Collectors.joining(", "));
    }

    private static String verdicts(RootCause cause) {
        List<String> parts = new ArrayList<>();
        for (Summary.Total total : cause.verdicts()) {
            parts.add(Messages.of(
                    "cause.verdictPart",
                    total.verdict(),
                    DurationFormat.time(total.durNs()),
                    share(total.durNs(), cause.totalNs()),
                    Messages.count("wait", total.incidents())));
        }
        return String.join(", ", parts);
    }
}
