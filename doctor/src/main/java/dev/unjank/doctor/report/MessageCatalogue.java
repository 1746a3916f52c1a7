package dev.unjank.doctor.report;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.RootCause;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.text.TextPage;
import java.util.List;
import java.util.regex.Pattern;

/** Says in plain English what a diagnosis holds: the one place where reports take their sentences from. */
public final class MessageCatalogue {
    private static final Pattern PACKAGE = Pattern.compile("\\b([a-z_][a-z_0-9]*\\.)+(?=[A-Z])");

    private MessageCatalogue() {}

    /**
     * {@return a text of a traced program, which may hold anything, without what would make a terminal act}
     *
     * @param text the text
     */
    public static String printable(String text) {
        return TextPage.printable(text);
    }

    /**
     * {@return a text of a traced program, or of one without end its beginning and how long it is; to be asked once, of the text itself and
     * of no sentence that has it in it}
     *
     * @param text the text
     */
    public static String cut(String text) {
        return TextPage.cut(text);
    }

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
     * @param judgement the verdict and what it rests on
     */
    public static String verdict(RootCause judgement) {
        return judgement.verdict() != Verdict.PRIORITY_INVERSION
                ? judgement.verdict().name()
                : judgement.verdict().name() + (judgement.unbounded() ? " (unbounded)" : " (bounded)");
    }

    /**
     * {@return the diagnosis in a sentence or two: what made the screen stutter, and whom to talk to}
     *
     * @param diagnosis the diagnosis
     */
    public static String answer(Diagnosis diagnosis) {
        return RootCauseMessages.of(diagnosis);
    }

    /**
     * {@return what a verdict means for whoever wrote the program}
     *
     * @param incident the wait
     */
    public static String meaning(Incident incident) {
        return VerdictMessages.of(incident);
    }

    /**
     * {@return whose frame it is}
     *
     * @param frame the frame
     */
    public static String program(Frame frame) {
        String name = frame.process();
        return name == null || name.isEmpty() ? "a program whose name was not recorded" : TextPage.printable(name);
    }

    /**
     * {@return the threads whose waits for locks a summary adds up}
     *
     * @param diagnosis the diagnosis
     */
    public static String summarized(Diagnosis diagnosis) {
        return diagnosis.platform().isJvm() ? "TestThreads" : "Main threads";
    }

    /** That none of the threads that were looked at did something: the beginning of a sentence. */
    static String nobody(Diagnosis diagnosis) {
        String wanted = diagnosis.search().options().thread();
        if (wanted == null) {
            return diagnosis.platform().isJvm() ? "no thread" : "no main thread";
        }
        return switch (wanted) {
            case DoctorOptions.ALL_THREADS -> "no thread";
            case DoctorOptions.MAIN_THREADS -> "no main thread";
            default -> "no thread " + TextPage.printable(wanted);
        };
    }

    /** Why a frame was late, and which it was; a message without the packages of its classes if that is too long with them. */
    public static String frame(Frame frame, int room) {
        String all = TextPage.printable(frame.jankType() + ": " + frame.name());
        return frame.source() == Frame.Source.MESSAGE && all.length() > room
                ? PACKAGE.matcher(all).replaceAll("")
                : all;
    }
}
