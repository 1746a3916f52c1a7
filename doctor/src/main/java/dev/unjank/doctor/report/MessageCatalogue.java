package dev.unjank.doctor.report;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.RootCause;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.text.TerminalText;
import java.util.List;
import java.util.regex.Pattern;

/** Says in plain English what a diagnosis holds: the one place where reports take their sentences from. */
public final class MessageCatalogue {
    private static final Pattern PACKAGE = Pattern.compile("\\b([a-z_][a-z_0-9]*\\.)+(?=[A-Z])");

    /** A space at which a line does not break. */
    public static final String NO_BREAK_SPACE = "\u00a0";

    private MessageCatalogue() {}

    /**
     * {@return a state in a word or two}
     *
     * @param state the state
     */
    public static String label(OwnerState state) {
        return switch (state) {
            case RUNNING -> "running";
            case PREEMPTED -> "preempted";
            case BLOCKED -> "blocked";
            case DEADLOCKED -> "deadlocked";
            case GC_PAUSE -> "GC pause";
            case REACHING_SAFEPOINT -> "stopping";
            case SAFEPOINT -> "safepoint";
            case JNI_CRITICAL -> "critical";
            case CRITICAL_CALL -> "in a call";
            case SLEEPING -> "sleeping";
            case IO_WAIT -> "I/O wait";
            case UNINTERRUPTIBLE -> "in kernel";
            case STOPPED -> "stopped";
            case UNKNOWN -> "unknown";
        };
    }

    /**
     * {@return what a thread waited for, in a word or two}
     *
     * @param kind the kind of wait
     */
    public static String label(WaitKind kind) {
        return switch (kind) {
            case MONITOR -> "monitor";
            case RUNTIME_LOCK -> "runtime lock";
            case MUTEX -> "pthread mutex";
            case PARK -> "java.util.concurrent lock";
            case FUTEX -> "futex";
            case BINDER -> "binder reply";
            case GC -> "garbage collector";
            case SAFEPOINT -> "safepoint";
            case QUEUE -> "message queue";
            case CPU -> "CPU";
            case KERNEL -> "kernel";
            case STOP -> "stop";
        };
    }

    /**
     * {@return what a unit of work with a deadline is called: a frame, or a looper's message}
     *
     * @param platform what the trace is of
     */
    public static String frame(Platform platform) {
        return platform == Platform.JVM ? "message" : "frame";
    }

    private static String harm(Platform platform) {
        return switch (platform) {
            case ANDROID -> "made the screen stutter";
            case JVM -> "made a looper's messages late";
            case JVM_WITH_FRAMES -> "made frames late";
        };
    }

    static String nothing(Platform platform) {
        return "Nothing was found that " + (platform.isJvm() ? "kept a thread waiting for long" : harm(platform));
    }

    static String whatMadeLate(Platform platform) {
        return "What " + harm(platform) + ": ";
    }

    /** The beginning of a sentence; a name keeps its own beginning. */
    public static String capital(String text) {
        boolean isWord = text.startsWith("the ") || text.startsWith("what ");
        return isWord ? Character.toUpperCase(text.charAt(0)) + text.substring(1) : text;
    }

    public static String enumerate(List<String> clauses) {
        int last = clauses.size() - 1;
        return last <= 0
                ? String.join("", clauses)
                : String.join(", ", clauses.subList(0, last)) + " and " + clauses.get(last);
    }

    /**
     * {@return the verdict with its grade, such as {@code PRIORITY_INVERSION (unbounded)}}
     *
     * @param rootCause the verdict and what it rests on
     */
    public static String verdict(RootCause rootCause) {
        return rootCause.verdict() != Verdict.PRIORITY_INVERSION
                ? rootCause.verdict().name()
                : rootCause.verdict().name() + (rootCause.unbounded() ? " (unbounded)" : " (bounded)");
    }

    /**
     * {@return whose frame it is}
     *
     * @param frame the frame
     */
    public static String program(Frame frame) {
        String name = frame.process();
        return name == null || name.isEmpty()
                ? "a program whose name was not recorded"
                : TerminalText.printableStart(name);
    }

    /**
     * {@return the threads whose waits for locks a summary adds up}
     *
     * @param diagnosis the diagnosis
     */
    public static String summarizedThreads(Diagnosis diagnosis) {
        return diagnosis.platform().isJvm() ? "Threads" : "Main threads";
    }

    /** That none of the threads that were looked at did something: the beginning of a sentence. */
    static String noSelectedThread(Diagnosis diagnosis) {
        String wanted = diagnosis.search().options().thread();
        if (wanted == null) {
            return diagnosis.platform().isJvm() ? "no thread" : "no main thread";
        }
        return switch (wanted) {
            case DoctorOptions.ALL_THREADS -> "no thread";
            case DoctorOptions.MAIN_THREADS -> "no main thread";
            default -> "no thread " + TerminalText.printableStart(wanted);
        };
    }

    /** Why a frame was late, and which it was; a message without the packages of its classes if that is too long with them. */
    public static String frame(Frame frame, int room) {
        String all = TerminalText.printableStart(frame.jankType() + ": " + frame.name());
        return frame.source() == Frame.Source.MESSAGE && all.length() > room
                ? PACKAGE.matcher(all).replaceAll("")
                : all;
    }
}
