package dev.unjank.doctor.report;

import dev.unjank.doctor.find.coverage.RecorderNotes;
import dev.unjank.doctor.model.ReportQueries;
import dev.unjank.doctor.model.Warning;
import dev.unjank.doctor.model.loss.EventLoss;
import dev.unjank.trace.text.TerminalText;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Messages for warnings, missing data and lost events. */
public final class WarningMessages {
    /** The longest part of a name that a message quotes. */
    private static final int LONGEST_NAME = 60;

    private WarningMessages() {}

    /** {@return one line per warning} */
    public static List<String> of(List<Warning> warnings) {
        return warnings.stream().map(warning -> of(warning, null)).toList();
    }

    /**
     * {@return a warning in one line}
     *
     * @param queries the queries over the trace; null if it is not in a file
     */
    public static String of(Warning warning, @Nullable ReportQueries queries) {
        return switch (warning) {
            case Warning.OfTrace ofTrace -> ofTrace.note().sentence();
            case Warning.EmptySelection selection -> emptySelection(selection, queries);
            case Warning.OwnersUnknown unknown -> Messages.of("warning.owners", of(unknown));
            case Warning.SourceEnded ended -> Messages.of("warning.sourceEnded", ended.source(), ended.reason());
            case Warning.EndMissing end ->
                Messages.of("warning.endMissing", DurationFormat.roundTime(end.durNs()), end.source());
            case Warning.RingBufferShort ring -> Messages.of("warning.ringBuffer", DurationFormat.time(ring.keptNs()));
            case Warning.VirtualThreadWaitsMissing _ -> Messages.of("warning.virtualThreads");
            case Warning.FramesNotRecorded _ -> Messages.of("warning.noFrames");
        };
    }

    private static String of(Warning.OwnersUnknown unknown) {
        if (unknown.incidents() < unknown.all()) {
            return Messages.of("warning.someIncidents", unknown.incidents(), unknown.all());
        }
        return unknown.all() == 1
                ? Messages.of("warning.onlyIncident")
                : Messages.of("warning.anyIncident", unknown.all());
    }

    /** {@return the data that a trace lacks, as objects: {@code which frames were missed}} */
    public static List<String> missingData(List<Warning> missing) {
        return missing.stream()
                .map(warning -> warning instanceof Warning.FramesNotRecorded
                        ? Messages.of("warning.whichFrames")
                        : of(warning, null))
                .toList();
    }

    /** {@return the parts of a recording that could not be read, as subjects} */
    public static List<String> unreadParts(List<Warning> parts) {
        return parts.stream().map(WarningMessages::unreadPart).toList();
    }

    private static String unreadPart(Warning warning) {
        return switch (warning) {
            case Warning.SourceEnded ended ->
                Messages.of("warning.lastData", ended.source(), RecorderNotes.stopClause(ended.reason()));
            case Warning.EndMissing end ->
                Messages.of("warning.dataOf", end.source(), DurationFormat.roundTime(end.durNs()));
            default -> of(warning, null);
        };
    }

    private static String emptySelection(Warning.EmptySelection selection, @Nullable ReportQueries queries) {
        String process = quoted(selection.process());
        String where = selection.process() == null
                ? Messages.of("selection.trace")
                : Messages.of("selection.process", process);
        return switch (selection.missing()) {
            case MAIN_THREAD -> Messages.of("selection.noMainThread", where);
            case PROCESS ->
                selection.isThread()
                        ? Messages.of("selection.isThread", process)
                        : Messages.of("selection.noProcess", process, names(selection, queries));
            case THREAD ->
                Messages.of("selection.noThread", where, quoted(selection.thread()), names(selection, queries));
        };
    }

    private static String names(Warning.EmptySelection selection, @Nullable ReportQueries queries) {
        if (selection.names() == 0) {
            return Messages.of("selection.noNames");
        }
        if (!selection.similar().isEmpty()) {
            return Messages.of(
                    selection.areAll() ? "selection.existingNames" : "selection.similarNames",
                    selection.similar().stream().map(TerminalText::printable).collect(Collectors.joining(", ")));
        }
        String none = Messages.of("selection.noneSimilar", selection.names());
        String table = selection.missing() == Warning.Missing.PROCESS ? "process" : "thread";
        return queries == null
                ? none
                : Messages.of("selection.listNames", none, queries.command(), queries.names(table));
    }

    private static String quoted(@Nullable String name) {
        return name == null ? "" : '"' + TerminalText.printable(shortened(name)) + '"';
    }

    private static String shortened(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "…";
    }

    /** {@return a sentence on the events that were lost during a wait} */
    public static String of(EventLoss loss) {
        String time = DurationFormat.time(loss.durNs());
        if (loss.cpus().isEmpty()) {
            return Messages.of("warning.lost", time);
        }
        String cpus = MessageCatalogue.enumerate(
                loss.cpus().stream().map(String::valueOf).toList());
        return Messages.of(loss.cpus().size() == 1 ? "warning.lostOfCpu" : "warning.lostOfCpus", cpus, time);
    }
}
