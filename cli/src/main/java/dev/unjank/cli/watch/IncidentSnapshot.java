package dev.unjank.cli.watch;

import dev.unjank.doctor.ReportMessages;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.trace.text.TerminalText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An incident as {@code watch} keeps it after the recording is deleted.
 *
 * @param end the end of the wait; the end of watching if it is unfinished
 * @param durNs its duration
 * @param tid the waiter's thread id, {@link ThreadRef#NOT_IN_TRACE} for all threads
 * @param cause what its root cause has in common with others
 * @param causeText its root cause in one line
 * @param story waiter, owner, and the owner's code location
 */
public record IncidentSnapshot(
        Instant end,
        long durNs,
        Verdict verdict,
        String grade,
        int tid,
        RootCause.Key cause,
        String causeText,
        String story,
        boolean unfinished) {

    /** Converts an incident with its root cause. */
    public static IncidentSnapshot of(Incident incident, RootCause cause, Instant end) {
        Wait wait = incident.rootWait();
        return new IncidentSnapshot(
                end,
                wait.durNs(),
                incident.verdict(),
                ReportMessages.verdict(incident.judgement()),
                wait.thread().tid(),
                cause.key(),
                ReportMessages.cause(cause),
                story(incident),
                wait.unfinished());
    }

    private static String story(Incident incident) {
        Wait wait = incident.rootWait();
        Owner owner = incident.blocker();
        String story = ReportMessages.waiterAndOwner(incident);
        if (wait.isProcessPause()) {
            return story;
        }
        if (owner == null) {
            boolean isNamed = incident.verdict() == Verdict.NO_CPU
                    && incident.responsibleThread() != null; // the preempting thread
            return isNamed ? story : WatchMessages.of("story.target", story, ReportMessages.target(wait));
        }
        if (incident.chain().size() == 1) {
            return at(owner.location(), story);
        }
        Wait last = incident.chain().getLast();
        Owner end = last.longestOwnerInterval().owner();
        String further = end.thread().isKnown()
                ? ReportMessages.thread(end.thread())
                : WatchMessages.of("story.ownerUnknown", ReportMessages.target(last));
        return at(end.location(), WatchMessages.of("story.furtherWait", story, further));
    }

    private static String at(@Nullable CodeLocation site, String story) {
        return site == null
                ? story
                : WatchMessages.of(
                        "story.site", story, TerminalText.printableStart(site.method()), ReportMessages.source(site));
    }
}
