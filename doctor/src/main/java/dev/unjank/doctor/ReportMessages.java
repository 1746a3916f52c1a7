package dev.unjank.doctor;

import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Judgement;
import dev.unjank.doctor.model.ReportQueries;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.Warning;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.report.CauseMessages;
import dev.unjank.doctor.report.DurationFormat;
import dev.unjank.doctor.report.MessageCatalogue;
import dev.unjank.doctor.report.ThreadLabels;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.doctor.report.WarningMessages;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Phrases of the reports for other programs that show parts of a diagnosis. */
public final class ReportMessages {
    private ReportMessages() {}

    /**
     * {@return a line per warning}
     *
     * @param warnings the warnings of a diagnosis
     */
    public static List<String> warnings(List<Warning> warnings) {
        return WarningMessages.of(warnings);
    }

    /**
     * {@return a warning in one line}
     *
     * @param warning the warning
     * @param queries the queries over the trace; null if it is not in a file
     */
    public static String warning(Warning warning, @Nullable ReportQueries queries) {
        return WarningMessages.of(warning, queries);
    }

    /**
     * {@return a duration with its unit, rounded to a microsecond, or to a millisecond from one second on}
     *
     * @param ns the duration, ns
     */
    public static String duration(long ns) {
        return DurationFormat.time(ns);
    }

    /**
     * {@return the name of a thread; a main thread has that of its process}
     *
     * @param thread the thread
     */
    public static String thread(ThreadRef thread) {
        return ThreadLabels.name(thread);
    }

    /**
     * {@return the name of a verdict with its grade: {@code PRIORITY_INVERSION (unbounded)}}
     *
     * @param judgement the verdict
     */
    public static String verdict(Judgement judgement) {
        return MessageCatalogue.verdict(judgement);
    }

    /**
     * {@return the waiter and its owner, or the thread that preempted it}
     *
     * @param incident the incident
     */
    public static String waiterAndOwner(Incident incident) {
        return WaitMessages.threads(incident);
    }

    /**
     * {@return the target of a wait with its article: {@code a monitor of java.lang.Object}}
     *
     * @param wait the wait
     */
    public static String target(Wait wait) {
        return WaitMessages.what(wait);
    }

    /**
     * {@return a root cause in one line: what threads waited for, then their group and that of the owners, with their
     * code}
     *
     * @param cause the root cause
     */
    public static String cause(RootCause cause) {
        return CauseMessages.ofGroups(cause);
    }

    /**
     * {@return a share in percent}
     *
     * @param ns the part, ns
     * @param allNs the whole, ns
     */
    public static String share(long ns, long allNs) {
        return CauseMessages.share(ns, allNs);
    }

    /**
     * {@return file and line of a location; empty if they are not recorded}
     *
     * @param location the location
     */
    public static String source(CodeLocation location) {
        return WaitMessages.source(location);
    }

    /**
     * {@return the detail of a segment: the function in which its thread was, or why its state is unknown}
     *
     * @param detail the detail in the blame tree
     */
    public static @Nullable String detail(@Nullable String detail) {
        return WaitMessages.detail(detail);
    }
}
