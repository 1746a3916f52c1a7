package dev.unjank.doctor.report;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.Judgement;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.text.TerminalText;
import java.util.List;
import java.util.regex.Pattern;

/** Labels and phrases that all reports share. */
public final class MessageCatalogue {
    private static final Pattern PACKAGE = Pattern.compile("\\b([a-z_][a-z_0-9]*\\.)+(?=[A-Z])");

    /** A space at which a line does not break. */
    public static final String NO_BREAK_SPACE = "\u00a0";

    private MessageCatalogue() {}

    /** {@return a state in a word or two} */
    public static String label(OwnerState state) {
        return Messages.of("state." + state);
    }

    /** {@return what a thread waited for, in a word or two} */
    public static String label(WaitKind kind) {
        return Messages.of("kind." + kind);
    }

    /** {@return what a unit of work with a deadline is called: a frame, or a looper's message} */
    public static String frame(Platform platform) {
        return Messages.of("frame." + platform);
    }

    /** {@return the plural of {@link #frame(Platform)}} */
    public static String frames(Platform platform) {
        return Messages.of("frames." + platform);
    }

    /** The label of the thread that a waiter waits for. */
    public static String ownerLabel(WaitKind kind) {
        return switch (kind) {
            case BINDER -> "serverThread";
            case RESOURCE -> "holder";
            case RESULT -> "producer";
            default -> kind.isLock() ? "owner" : "blockedBy";
        };
    }

    /** {@return a verdict with its grade in words, such as {@code priority inversion (unbounded)}} */
    public static String label(Judgement judgement) {
        return Messages.of("verdict." + judgement.verdict() + grade(judgement));
    }

    private static String grade(Judgement judgement) {
        return judgement.verdict() != Verdict.PRIORITY_INVERSION
                ? ""
                : judgement.unbounded() ? ".unbounded" : ".bounded";
    }

    /** A label as the start of a sentence. */
    static String sentenceStart(String label) {
        return Character.toUpperCase(label.charAt(0)) + label.substring(1);
    }

    /** The start of a sentence; a name keeps its own first letter. */
    public static String capital(String text) {
        String article = Messages.of("phrase.article");
        return text.startsWith(article) ? sentenceStart(text) : text;
    }

    public static String enumerate(List<String> clauses) {
        int last = clauses.size() - 1;
        return last <= 0
                ? String.join("", clauses)
                : Messages.of("phrase.and", String.join(", ", clauses.subList(0, last)), clauses.get(last));
    }

    /** {@return the name of the verdict with its grade, such as {@code PRIORITY_INVERSION (unbounded)}} */
    public static String verdict(Judgement judgement) {
        String name = judgement.verdict().name();
        return judgement.verdict() != Verdict.PRIORITY_INVERSION
                ? name
                : Messages.of("verdict.withGrade" + grade(judgement), name);
    }

    /** {@return the program of a frame} */
    public static String program(Frame frame) {
        String name = frame.process();
        return name == null || name.isEmpty() ? Messages.of("program.withoutName") : TerminalText.printableStart(name);
    }

    /** {@return the threads of which a summary counts lock waits} */
    public static String summarizedThreads(Diagnosis diagnosis) {
        return Messages.of(
                diagnosis.platform().isJvm()
                        ? "threads.all"
                        : hasMoreUiThreads(diagnosis) ? "threads.ui" : "threads.main");
    }

    private static boolean hasMoreUiThreads(Diagnosis diagnosis) {
        return !diagnosis.search().selection().drawing().isEmpty();
    }

    /** {@return the duration of the trace, with what is unusual about it} */
    public static String duration(Diagnosis diagnosis) {
        String duration = Messages.of(
                diagnosis.unreadParts().isEmpty() ? "trace.duration" : "trace.durationOfReadablePart",
                DurationFormat.time(diagnosis.durationNs()));
        return diagnosis.isLengthDoubtful() ? Messages.of("trace.doubtfulDuration", duration) : duration;
    }

    /** {@return the selected threads, negated, as a subject} */
    static String noSelectedThread(Diagnosis diagnosis) {
        String wanted = diagnosis.search().options().thread();
        if (wanted == null) {
            return Messages.of(
                    diagnosis.platform().isJvm()
                            ? "threads.none"
                            : hasMoreUiThreads(diagnosis) ? "threads.noUi" : "threads.noMain");
        }
        return switch (wanted) {
            case DoctorOptions.ALL_THREADS -> Messages.of("threads.none");
            case DoctorOptions.MAIN_THREADS -> Messages.of("threads.noMain");
            default -> Messages.of("threads.noneNamed", TerminalText.printableStart(wanted));
        };
    }

    /**
     * The jank type and the name of a frame; a message without the packages of its classes if it is too long with them.
     */
    public static String frame(Frame frame, int room) {
        String all = TerminalText.printableStart(frame.jankType() + ": " + frame.name());
        return frame.source() == Frame.Source.MESSAGE && all.length() > room
                ? PACKAGE.matcher(all).replaceAll("")
                : all;
    }
}
