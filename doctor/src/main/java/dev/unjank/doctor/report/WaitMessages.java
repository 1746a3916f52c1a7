package dev.unjank.doctor.report;

import dev.unjank.doctor.judge.VerdictRules;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.QueueBacklog;
import dev.unjank.doctor.model.ResourceUse;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.collections.LongOrder;
import dev.unjank.trace.text.TerminalText;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Phrases for one wait: its target, its owner, the owner's states and the evidence. */
public final class WaitMessages {
    /** The thread of Android's garbage collector. */
    private static final String COLLECTOR = "HeapTaskDaemon";

    private WaitMessages() {}

    /** {@return the waiter and its owner, or the thread that preempted it} */
    public static String threads(Incident incident) {
        return ThreadLabels.name(incident.rootWait().thread()) + behind(incident);
    }

    /** {@return the owner, or the thread that preempted the waiter, as the rest of a line; empty if there is none} */
    public static String behind(Incident incident) {
        Wait wait = incident.rootWait();
        Owner inTheWay = incident.blocker();
        if (wait.isProcessPause()) {
            return Messages.of("beside.target", TerminalText.printableStart(wait.target()));
        }
        if (inTheWay == null) {
            ThreadRef instead = incident.verdict() == Verdict.NO_CPU ? incident.responsibleThread() : null;
            return instead == null ? "" : ran(wait, instead);
        }
        return inTheWay.thread().isKnown() ? Messages.of("beside.owner", ThreadLabels.name(inTheWay.thread())) : "";
    }

    /** {@return the thread that ran meanwhile, as the rest of a line} */
    public static String ran(Wait wait, ThreadRef meanwhile) {
        return Messages.of("beside.ran", ThreadLabels.nameBeside(wait.thread(), meanwhile));
    }

    /** {@return the target of a wait, with its article} */
    public static String what(Wait wait) {
        String what = TerminalText.printableStart(wait.target());
        return switch (wait.kind()) {
            case MONITOR ->
                wait.target().equals(Wait.MONITOR_LOCK)
                        ? Messages.of("target.MONITOR.unnamed")
                        : Messages.of("target.MONITOR", what);
            case RUNTIME_LOCK ->
                wait.hasGenericTarget()
                        ? what
                        : Messages.of(what.endsWith("lock") ? "target.RUNTIME_LOCK.lock" : "target.RUNTIME_LOCK", what);
            case PARK -> Messages.of("target.PARK", withoutSync(what));
            case BINDER ->
                wait.target().equals(Wait.BINDER_CALL)
                        ? Messages.of("target.BINDER.unnamed")
                        : Messages.of("target.BINDER", what);
            case GC, SAFEPOINT ->
                Messages.of(
                        "target." + wait.kind()
                                + (wait.isProcessPause() ? ".pause" : isCollector(wait) ? ".collector" : ""),
                        what);
            case CPU -> Messages.of("target.CPU");
            case KERNEL, IO -> what;
            case MUTEX, FUTEX, QUEUE, STOP, RESOURCE, RESULT, SLEEP, PINNED, CARRIER, HANDLER ->
                Messages.of("target." + wait.kind(), what);
        };
    }

    /** Whether Android's collector itself waits, for threads of the program rather than for another collection. */
    private static boolean isCollector(Wait wait) {
        return wait.kind() == WaitKind.GC
                && COLLECTOR.equals(wait.thread().name())
                && !wait.target().contains("Wait");
    }

    /** {@return how a resource was used; empty if that is unknown} */
    public static String resource(@Nullable ResourceUse use) {
        if (use == null) {
            return "";
        }
        String text = Messages.of(
                use.atOnce() == 1 ? "resource.useInTurn" : "resource.use",
                use.atOnce(),
                use.threads(),
                DurationFormat.time(use.medianNs()),
                DurationFormat.time(use.longestNs()));
        CodeLocation site = use.takenAt();
        return site == null
                ? text
                : Messages.of("resource.takenAt", text, TerminalText.printableStart(site.method()), source(site));
    }

    /** {@return where an owner waited in turn, and for what} */
    public static String nextWaitTarget(Wait wait) {
        CodeLocation site = wait.location();
        String place = site == null ? "" : TerminalText.printableStart(site.method());
        return site == null
                ? Messages.of("further.target", what(wait))
                : wait.hasLockClass()
                        ? Messages.of("further.targetAndPlace", what(wait), place)
                        : Messages.of("further.place", place);
    }

    /** {@return the detail of a segment: the function in which its thread was, or why its state is unknown} */
    public static @Nullable String detail(@Nullable String detail) {
        return switch (detail) {
            case Segment.CHAIN_TOO_LONG -> Messages.of("detail.chainTooLong", Segment.LONGEST_CHAIN);
            case Segment.LOCK_CHANGED_HANDS -> Messages.of("detail.lockChangedHands");
            case null, default -> detail;
        };
    }

    /**
     * {@return the class of the lock: locks of the library park on an inner class, such as {@code
     * ReentrantLock$NonfairSync}}
     */
    private static String withoutSync(String className) {
        int dollar = className.indexOf('$');
        return className.startsWith("java.util.concurrent.") && dollar > 0 ? className.substring(0, dollar) : className;
    }

    /** {@return file and line of a location, such as {@code MessageQueue.java:348}; empty if they are not recorded} */
    public static String source(CodeLocation site) {
        if (site.file() == null) {
            return "";
        }
        String file = TerminalText.printableStart(site.file());
        if (site.line() >= 0 && isClassOf(site)) {
            return Messages.of("source.line", site.line());
        }
        return site.isNative() ? Messages.of("source.native", file) : site.line() < 0 ? file : file + ":" + site.line();
    }

    /** {@return the line in the source file; with the file if the class does not give its name; empty without both} */
    static String line(CodeLocation site) {
        String file = site.file();
        if (file == null || (site.line() < 0 && !site.isNative() && file.indexOf('.') < 0)) {
            return "";
        }
        return site.line() >= 0 && file.equals(outerClass(site) + ".java")
                ? Messages.of("source.line", site.line())
                : source(site);
    }

    /** Whether the name of the class stands in place of the file's. */
    private static boolean isClassOf(CodeLocation site) {
        return outerClass(site).equals(site.file());
    }

    private static String outerClass(CodeLocation site) {
        String method = site.method();
        String type = method.substring(0, Math.max(0, method.lastIndexOf('.')));
        return type.substring(type.lastIndexOf('.') + 1).replaceAll("\\$.*", "");
    }

    /** {@return the states of the owner during the wait, and the delay at its end} */
    public static String ownerActivity(Incident incident) {
        ThreadRef owner = incident.owner().thread();
        Wait tree = incident.rootWait();
        if (incident.owner().evidence() == Evidence.UNKNOWN && !owner.isInTrace()) {
            return owner.name() == null
                    ? Messages.of("activity.noOwner")
                    : Messages.of("activity.noDataOfOwner", ThreadLabels.name(owner));
        }
        if (tree.isProcessPause()) {
            return PauseMessages.phaseBreakdown(incident);
        }
        List<String> clauses = new ArrayList<>();
        for (Incident.StateDuration time : incident.ownerStates()) {
            clauses.add(clause(time));
        }
        String waiter = ThreadLabels.subject(tree.thread());
        if (incident.backlog() != null) {
            return messages(incident.backlog(), waiter);
        }
        if (incident.hasUnknownOwnerStates()) {
            return Messages.of("activity.noStates", ThreadLabels.subjectBeside(tree.thread(), owner));
        }
        if (owner.utid() == tree.thread().utid()) {
            return Messages.of("activity.own", MessageCatalogue.capital(waiter), MessageCatalogue.enumerate(clauses));
        }
        long hands = tree.otherOwnersIntervals().stream()
                .map(ownerInterval -> ownerInterval.owner().thread().tid())
                .distinct()
                .count();
        String did = MessageCatalogue.enumerate(clauses);
        String sentence = hands == 1
                ? Messages.of("activity.owner", ThreadLabels.subjectBeside(tree.thread(), owner), did)
                : Messages.of(
                        "activity.owners",
                        hands,
                        ThreadLabels.subjectBeside(tree.thread(), owner),
                        did.replaceAll("(^|, | and )was ", "$1were "));
        long delay = tree.wakeDelayNs();
        if (SleepMessages.isMoreInStates(incident)) {
            sentence = Messages.of("activity.includes", sentence, DurationFormat.time(delay));
        }
        return delay < VerdictRules.MIN_PREEMPTION_NS
                ? sentence
                : Messages.of(
                        tree.kind().isLock() ? "activity.lockWasFree" : "activity.waitCouldEnd",
                        sentence,
                        DurationFormat.time(tree.durNs() - delay),
                        afterWakeUp(tree),
                        waiter);
    }

    /** The states of the waiter after its wake-up, the longest state first. */
    private static String afterWakeUp(Wait wait) {
        Map<OwnerState, Long> sums = new EnumMap<>(OwnerState.class);
        wait.afterWakeUp().forEach(part -> sums.merge(part.state(), part.durNs(), Long::sum));
        return MessageCatalogue.enumerate(sums.entrySet().stream()
                .sorted(LongOrder.descending(Map.Entry::getValue))
                .map(sum -> Messages.of("did." + sum.getKey(), DurationFormat.time(sum.getValue())))
                .toList());
    }

    private static String messages(QueueBacklog backlog, String looper) {
        ThreadRef sender = backlog.sender();
        String ran = Messages.of(
                "activity.messages",
                MessageCatalogue.capital(looper),
                backlog.messages(),
                DurationFormat.time(backlog.ranNs()),
                TerminalText.printableStart(backlog.what()));
        return sender == null
                ? Messages.of("activity.unknownSender", ran)
                : Messages.of(
                        "activity.sender", ran, backlog.messagesFromSender(), ThreadLabels.nameAndProcess(sender));
    }

    private static String clause(Incident.StateDuration time) {
        return Messages.of("did." + time.state(), DurationFormat.time(time.durNs()));
    }

    /** {@return whether each owner in the tree is known, or at least recorded by name} */
    static boolean isOwnerNamed(Incident incident) {
        return isOwnerNamed(incident.rootWait());
    }

    private static boolean isOwnerNamed(Wait wait) {
        return wait.ownerIntervals().stream()
                .allMatch(ownerInterval -> (ownerInterval.owner().evidence() != Evidence.UNKNOWN
                                || ownerInterval.owner().thread().name() != null)
                        && ownerInterval.segments().stream()
                                .map(Segment::nextWait)
                                .allMatch(next -> next == null || isOwnerNamed(next)));
    }

    /** {@return how the owner is known} */
    public static String evidence(Incident incident) {
        if (incident.rootWait().isProcessPause()) {
            return PauseMessages.evidence(incident);
        }
        Evidence evidence = incident.judgement().evidence();
        boolean ofCall = evidence == Evidence.OWNER_NAMED
                && incident.chain().stream().allMatch(wait -> wait.kind() == WaitKind.BINDER);
        if (evidence == Evidence.UNKNOWN) {
            boolean isDirect = incident.owner().evidence() == Evidence.UNKNOWN
                    && incident.owner().thread().name() == null;
            return Messages.of(
                    isOwnerNamed(incident)
                            ? "evidence.UNKNOWN.named"
                            : isDirect ? "evidence.UNKNOWN" : "evidence.UNKNOWN.other");
        }
        return Messages.of("evidence." + evidence + (ofCall ? ".call" : ""));
    }
}
