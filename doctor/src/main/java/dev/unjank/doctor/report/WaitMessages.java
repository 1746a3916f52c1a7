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

/** Phrases for one wait: its target, its owner, the owner's states and the evidence. */
public final class WaitMessages {
    private WaitMessages() {}

    /**
     * {@return the waiter and its owner, or the thread that preempted it}
     *
     * @param incident the wait
     */
    public static String threads(Incident incident) {
        return ThreadLabels.name(incident.rootWait().thread()) + behind(incident);
    }

    /** {@return the owner, or the thread that preempted the waiter, as the rest of a line; empty if there is none} */
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
     * {@return the target of a wait, with its article}
     *
     * @param wait its wait
     */
    public static String what(Wait wait) {
        String what = TerminalText.printableStart(wait.target());
        return switch (wait.kind()) {
            case MONITOR -> wait.target().equals(Wait.MONITOR_LOCK) ? "a monitor" : "a monitor of " + what;
            case RUNTIME_LOCK -> wait.isOneOfMany() ? what : "the " + what + (what.endsWith("lock") ? "" : " lock");
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
     * {@return where an owner waited in turn, and for what}
     *
     * @param wait its wait
     */
    public static String nextWaitTarget(Wait wait) {
        CodeLocation site = wait.location();
        String wanted = site == null || wait.hasLockClass() ? "waiting for " + what(wait) : "waiting";
        return wanted + (site == null ? "" : " in " + TerminalText.printableStart(site.method()));
    }

    /** {@return the class of the lock: locks of the library park on an inner class, such as {@code ReentrantLock$NonfairSync}} */
    private static String withoutSync(String className) {
        int dollar = className.indexOf('$');
        return className.startsWith("java.util.concurrent.") && dollar > 0 ? className.substring(0, dollar) : className;
    }

    /**
     * {@return file and line of a location, such as {@code MessageQueue.java:348}; empty if they are not recorded}
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

    /** Whether the name of the class stands in place of the file's. */
    private static boolean isClassOf(CodeLocation site) {
        String method = site.method();
        String type = method.substring(0, Math.max(0, method.lastIndexOf('.')));
        String outer = type.substring(type.lastIndexOf('.') + 1).replaceAll("\\$.*", "");
        return outer.equals(site.file());
    }

    /**
     * {@return the states of the owner during the wait, and the delay at its end}
     *
     * @param incident the wait
     */
    public static String ownerActivity(Incident incident) {
        ThreadRef owner = incident.owner().thread();
        Wait tree = incident.rootWait();
        if (incident.owner().evidence() == Evidence.UNKNOWN && !owner.isInTrace()) {
            return owner.name() == null
                    ? "The trace does not show the owner."
                    : "The lock was held by " + ThreadLabels.name(owner) + ", of which the trace has no other data.";
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
            return "The trace does not show the states of " + ThreadLabels.subject(owner) + " during the wait.";
        }
        if (owner.utid() == tree.thread().utid()) {
            return MessageCatalogue.capital(waiter) + " " + MessageCatalogue.enumerate(clauses) + ".";
        }
        long hands = tree.otherOwnersIntervals().stream()
                .map(ownerInterval -> ownerInterval.owner().thread().tid())
                .distinct()
                .count();
        String subject = hands == 1
                ? ThreadLabels.subject(owner)
                : "the " + hands + " owners (longest: " + ThreadLabels.subject(owner) + ")";
        String did = MessageCatalogue.enumerate(clauses);
        String sentence = "During the wait, " + subject + " "
                + (hands == 1 ? did : did.replaceAll("(^|, | and )was ", "$1were ")) + ".";
        long delay = tree.wakeDelayNs();
        return delay < VerdictRules.MIN_PREEMPTION_NS
                ? sentence
                : sentence
                        + (tree.kind().isLock() ? " The lock was free after " : " The wait could end after ")
                        + DurationFormat.time(tree.durNs() - delay) + "; for the last " + DurationFormat.time(delay)
                        + " "
                        + waiter
                        + " was itself runnable without a CPU.";
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
            case PREEMPTED -> "was runnable but preempted for " + dur;
            case BLOCKED -> "was itself blocked for " + dur;
            case DEADLOCKED -> "was deadlocked for " + dur;
            case GC_PAUSE -> "was in a GC pause for " + dur;
            case REACHING_SAFEPOINT -> "was stopped for " + dur + " until all threads had reached the safepoint";
            case SAFEPOINT -> "was stopped at a safepoint for " + dur;
            case JNI_CRITICAL -> "was in a JNI critical section for " + dur;
            case CRITICAL_CALL -> "was in a critical native call for " + dur;
            case SLEEPING -> "slept for " + dur;
            case IO_WAIT -> "waited for I/O for " + dur;
            case UNINTERRUPTIBLE -> "was in uninterruptible sleep for " + dur;
            case STOPPED -> "was stopped from outside, by a signal or a debugger, for " + dur;
            case UNKNOWN -> "was in an unknown state for " + dur;
        };
    }

    /**
     * {@return how the owner is known}
     *
     * @param incident the wait
     */
    public static String evidence(Incident incident) {
        if (incident.rootWait().isProcessPause()) {
            return PauseMessages.evidence(incident);
        }
        return switch (incident.rootCause().evidence()) {
            case OWNER_FROM_CHILD -> "a lock slice within the wait's slice gives the owner's tid";
            case OWNER_NAMED ->
                incident.chain().stream().allMatch(wait -> wait.kind() == WaitKind.BINDER)
                        ? "the kernel names the thread that served the call"
                        : "the runtime names the owner";
            case WAKER_INFERRED -> "inferred: this thread woke the waiter";
            case SCHEDULER -> "scheduler events of the thread itself";
            case UNKNOWN -> "the owner is not known";
        };
    }
}
