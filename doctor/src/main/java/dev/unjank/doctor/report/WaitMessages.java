package dev.unjank.doctor.report;

import dev.unjank.doctor.judge.VerdictRules;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.QueueBacklog;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.text.TerminalText;
import java.util.ArrayList;
import java.util.List;

/** Says in plain English what one wait was for, who was in the way, and what that one did. */
public final class WaitMessages {
    private WaitMessages() {}

    /**
     * {@return who waited, and behind whom or for what, in a few words; of a thread without a CPU who ran instead}
     *
     * @param incident the wait
     */
    public static String threads(Incident incident) {
        return ThreadLabels.name(incident.rootWait().thread()) + behind(incident);
    }

    /** The same without who waited, as the rest of a line; empty if nobody was in the way. */
    public static String behind(Incident incident) {
        Wait wait = incident.rootWait();
        Owner inTheWay = incident.blocker();
        if (wait.isProcessPause()) {
            return ": " + TerminalText.printableStart(wait.target());
        }
        if (inTheWay == null) {
            ThreadRef instead = incident.verdict() == Verdict.NO_CPU ? incident.responsibleThread() : null;
            return instead == null ? "" : ", while " + ThreadLabels.nameBeside(wait.thread(), instead) + " ran";
        }
        return inTheWay.thread().isKnown() ? " by " + ThreadLabels.name(inTheWay.thread()) : "";
    }

    /**
     * {@return what a thread waited for, as a sentence has it}
     *
     * @param wait its wait
     */
    public static String what(Wait wait) {
        String what = TerminalText.printableStart(wait.target());
        return switch (wait.kind()) {
            case MONITOR -> wait.target().equals(Wait.MONITOR_LOCK) ? "a monitor" : "a monitor of " + what;
            case RUNTIME_LOCK ->
                wait.hasGenericTarget() ? what : "the " + what + (what.endsWith("lock") ? "" : " lock");
            case PARK -> "a lock of class " + withoutSync(what);
            case MUTEX, FUTEX -> "a " + what;
            case BINDER -> "the reply to " + (wait.target().equals(Wait.BINDER_CALL) ? "a binder call" : what);
            case GC ->
                (wait.isProcessPause() ? "a pause of the garbage collector (" : "the garbage collector (") + what + ")";
            case SAFEPOINT -> (wait.isProcessPause() ? "a safepoint (" : "the end of a suspension (") + what + ")";
            case QUEUE -> "its turn: " + what;
            case CPU -> "a CPU";
            case STOP -> "the end of a stop by " + what;
            case KERNEL -> what;
        };
    }

    /**
     * {@return where somebody in the way wanted something further, or what}
     *
     * @param wait its wait
     */
    public static String nextWaitTarget(Wait wait) {
        CodeLocation site = wait.location();
        String wanted = site == null || wait.hasLockClass() ? "wanting " + what(wait) : "wanted";
        return wanted + (site == null ? "" : " in " + TerminalText.printableStart(site.method()));
    }

    /** The library's locks park on a part of theirs, such as {@code ReentrantLock$NonfairSync}. */
    private static String withoutSync(String className) {
        int dollar = className.indexOf('$');
        return className.startsWith("java.util.concurrent.") && dollar > 0 ? className.substring(0, dollar) : className;
    }

    /**
     * {@return where code took or wanted a lock, such as {@code MessageQueue.java:348}; empty if the runtime does not say}
     *
     * @param site the place
     */
    public static String source(CodeLocation site) {
        if (site.file() == null) {
            return "";
        }
        String file = TerminalText.printableStart(site.file());
        if (site.line() >= 0 && isClassOf(site)) {
            return "line " + site.line();
        }
        return site.isNative() ? file + ", native" : site.line() < 0 ? file : file + ":" + site.line();
    }

    /** Whether a trace gives, for want of the file's name, that of the class. */
    private static boolean isClassOf(CodeLocation site) {
        String method = site.method();
        String type = method.substring(0, Math.max(0, method.lastIndexOf('.')));
        String outer = type.substring(type.lastIndexOf('.') + 1).replaceAll("\\$.*", "");
        return outer.equals(site.file());
    }

    /**
     * {@return one sentence about what the owner did during the wait, perhaps a second about its end}
     *
     * @param incident the wait
     */
    public static String ownerActivity(Incident incident) {
        ThreadRef owner = incident.owner().thread();
        Wait tree = incident.rootWait();
        if (incident.owner().evidence() == Evidence.UNKNOWN && !owner.isInTrace()) {
            return owner.name() == null
                    ? "The trace does not say who " + (tree.kind().isLock() ? "held the lock." : "was in the way.")
                    : "The lock was held by " + ThreadLabels.name(owner) + ", of which the trace shows nothing else.";
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
            return "What " + ThreadLabels.subject(owner) + " did while " + waiter + " waited, the trace does not show.";
        }
        if (owner.utid() == tree.thread().utid()) {
            return MessageCatalogue.capital(waiter) + " itself " + MessageCatalogue.enumerate(clauses) + ".";
        }
        long hands = tree.otherOwnersIntervals().stream()
                .map(ownerInterval -> ownerInterval.owner().thread().tid())
                .distinct()
                .count();
        String subject = hands == 1
                ? ThreadLabels.subject(owner)
                : (tree.kind().isLock() ? "the lock went" : "it went") + " through " + hands + " hands, longest "
                        + ThreadLabels.subject(owner) + "'s; its owners";
        String did = MessageCatalogue.enumerate(clauses);
        String sentence = "While " + waiter + " waited, " + subject + " "
                + (hands == 1 ? did : did.replaceAll("(^|, | and )was ", "$1were ")) + ".";
        long delay = tree.wakeDelayNs();
        return delay < VerdictRules.MIN_PREEMPTION_NS
                ? sentence
                : sentence
                        + (tree.kind().isLock() ? " The lock was free after " : " What it waited for was there after ")
                        + DurationFormat.time(tree.durNs() - delay) + "; for the last " + DurationFormat.time(delay)
                        + " "
                        + waiter
                        + " was awake and waited for a CPU itself.";
    }

    private static String messages(QueueBacklog backlog, String looper) {
        ThreadRef sender = backlog.sender();
        return MessageCatalogue.capital(looper) + " ran " + backlog.messages() + " messages first, for "
                + DurationFormat.time(backlog.ranNs())
                + ", most of it " + TerminalText.printableStart(backlog.what())
                + (sender == null
                        ? "."
                        : "; " + backlog.messagesFromSender() + " of them were sent by "
                                + ThreadLabels.nameAndProcess(sender) + ".");
    }

    private static String clause(Incident.StateDuration time) {
        String dur = DurationFormat.time(time.durNs());
        return switch (time.state()) {
            case RUNNING -> "ran for " + dur;
            case PREEMPTED -> "was ready to run for " + dur + " without being given a CPU";
            case BLOCKED -> "was itself blocked for " + dur;
            case DEADLOCKED -> "waited in turn for " + dur;
            case GC_PAUSE -> "was stopped for a pause of the garbage collector for " + dur;
            case REACHING_SAFEPOINT -> "was stopped for " + dur + " until all threads had stopped";
            case SAFEPOINT -> "was stopped at a safepoint for " + dur;
            case JNI_CRITICAL -> "was inside a JNI critical section for " + dur;
            case CRITICAL_CALL -> "was inside a critical native call for " + dur;
            case SLEEPING -> "slept for " + dur;
            case IO_WAIT -> "waited for I/O for " + dur;
            case UNINTERRUPTIBLE -> "slept inside the kernel for " + dur;
            case STOPPED -> "was stopped from outside, by a signal or a debugger, for " + dur;
            case UNKNOWN -> "did what the trace does not show for " + dur;
        };
    }

    /**
     * {@return how it is known who was in the way}
     *
     * @param incident the wait
     */
    public static String evidence(Incident incident) {
        if (incident.rootWait().isProcessPause()) {
            return PauseMessages.evidence(incident);
        }
        return switch (incident.rootCause().evidence()) {
            case OWNER_FROM_CHILD -> "a lock slice within that of the wait gave the owner's thread number";
            case OWNER_NAMED ->
                incident.chain().stream().allMatch(wait -> wait.kind() == WaitKind.BINDER)
                        ? "the kernel named the thread that served the call"
                        : "the runtime named the owner";
            case WAKER_INFERRED -> "the owner is inferred: this thread woke the waiting one";
            case SCHEDULER -> "the scheduler's account of the thread itself";
            case UNKNOWN -> "the owner is not known";
        };
    }
}
