package dev.unjank.doctor.report;

import dev.unjank.doctor.find.coverage.RecorderNotes;
import dev.unjank.doctor.model.EventLoss;
import dev.unjank.doctor.model.Warning;
import dev.unjank.trace.text.TerminalText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages for warnings, missing data and lost events. */
public final class WarningMessages {
    /** The longest part of a name that a message quotes. */
    private static final int LONGEST_NAME = 60;

    private WarningMessages() {}

    /**
     * {@return one line per warning}
     *
     * @param warnings the warnings of a diagnosis
     */
    public static List<String> of(List<Warning> warnings) {
        return warnings.stream().map(warning -> of(warning, null)).toList();
    }

    /**
     * {@return a warning in one line}
     *
     * @param warning the warning
     * @param query the start of a command line that queries the trace, quoted for a shell; null if there is none
     */
    public static String of(Warning warning, @Nullable String query) {
        return switch (warning) {
            case Warning.Text text -> text.text();
            case Warning.EmptySelection selection -> emptySelection(selection, query);
            case Warning.OwnersUnknown unknown -> "the trace does not show the owner in " + of(unknown);
            case Warning.SourceEnded ended -> "recording of " + ended.source() + " ended early: " + ended.reason();
            case Warning.EndMissing end ->
                "lock waits of the last " + DurationFormat.roundTime(end.durNs()) + " are missing: " + end.source()
                        + " writes events some seconds late, and the recording was killed first or had no space";
            case Warning.RingBufferShort ring ->
                "the ring buffer kept the last " + DurationFormat.time(ring.keptNs())
                        + "; earlier, the trace has some waits but no data on other threads";
            case Warning.FramesNotRecorded _ -> "the trace records no frames";
        };
    }

    private static String of(Warning.OwnersUnknown unknown) {
        if (unknown.incidents() < unknown.all()) {
            return unknown.incidents() + " of " + unknown.all() + " incidents";
        }
        return unknown.all() == 1 ? "the only incident" : "any of " + unknown.all() + " incidents";
    }

    /**
     * {@return the data that a trace lacks, as objects: {@code which frames were missed}}
     *
     * @param missing the missing data of a diagnosis
     */
    public static List<String> missingData(List<Warning> missing) {
        return missing.stream()
                .map(warning ->
                        warning instanceof Warning.FramesNotRecorded ? "which frames were missed" : of(warning, null))
                .toList();
    }

    /**
     * {@return the parts of a recording that could not be read, as subjects}
     *
     * @param parts the unread parts of a diagnosis
     */
    public static List<String> unreadParts(List<Warning> parts) {
        return parts.stream().map(WarningMessages::unreadPart).toList();
    }

    private static String unreadPart(Warning warning) {
        return switch (warning) {
            case Warning.SourceEnded ended ->
                "the last data of " + ended.source() + ", when " + RecorderNotes.stopClause(ended.reason()) + ",";
            case Warning.EndMissing end ->
                "data of " + end.source() + " for the last " + DurationFormat.roundTime(end.durNs());
            default -> of(warning, null);
        };
    }

    private static String emptySelection(Warning.EmptySelection selection, @Nullable String query) {
        String process = quoted(selection.process());
        String where = selection.process() == null ? "the trace" : "process " + process;
        return switch (selection.missing()) {
            case MAIN_THREAD -> where + " has no main thread";
            case PROCESS ->
                "the trace has no process " + process
                        + (selection.isThread()
                                ? "; a thread has this name: --thread " + process
                                : names(selection, query));
            case THREAD -> where + " has no thread " + quoted(selection.thread()) + names(selection, query);
        };
    }

    private static String names(Warning.EmptySelection selection, @Nullable String query) {
        if (selection.names() == 0) {
            return "; the trace contains no names";
        }
        if (!selection.similar().isEmpty()) {
            return (selection.areAll() ? "; existing names: " : "; similar names: ")
                    + String.join(
                            ", ",
                            selection.similar().stream()
                                    .map(TerminalText::printable)
                                    .toList());
        }
        String none = "; none of its " + selection.names() + " names is similar";
        String table = selection.missing() == Warning.Missing.PROCESS ? "process" : "thread";
        return query == null
                ? none
                : none + ". List them with: " + query + " \"SELECT DISTINCT name FROM " + table + "\"";
    }

    private static String quoted(@Nullable String name) {
        return name == null ? "" : '"' + TerminalText.printable(shortened(name)) + '"';
    }

    private static String shortened(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "…";
    }

    /**
     * {@return a sentence on the events that were lost during a wait}
     *
     * @param loss the loss
     */
    public static String of(EventLoss loss) {
        String of = loss.cpus().isEmpty()
                ? ""
                : (loss.cpus().size() == 1 ? " of CPU " : " of CPUs ")
                        + MessageCatalogue.enumerate(
                                loss.cpus().stream().map(String::valueOf).toList());
        return "Events" + of + " were lost for " + DurationFormat.time(loss.durNs())
                + " of this wait: its end and its owner may be wrong.";
    }
}
