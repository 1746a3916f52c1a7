package dev.unjank.cli.watch;

import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.report.MessageCatalogue;
import dev.unjank.doctor.report.ThreadLabels;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.trace.text.TerminalText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What stays of an incident when the recording that it was found in has gone.
 *
 * @param end when it was over; where it was not, when watching was
 * @param durNs how long it lasted
 * @param verdict the verdict
 * @param grade the verdict with its grade, in words
 * @param tid the thread that waited, {@link ThreadRef#NOT_IN_TRACE} for all threads
 * @param story who waited, for whom, and where that one was
 * @param unfinished whether it was not over when watching was
 */
public record IncidentSnapshot(
        Instant end, long durNs, Verdict verdict, String grade, int tid, String story, boolean unfinished) {

    /**
     * Takes down an incident.
     *
     * @param incident the incident
     * @param end when it was over
     * @return what to tell of it
     */
    public static IncidentSnapshot of(Incident incident, Instant end) {
        Wait wait = incident.rootWait();
        return new IncidentSnapshot(
                end,
                wait.durNs(),
                incident.verdict(),
                MessageCatalogue.verdict(incident.rootCause()),
                wait.thread().tid(),
                story(incident),
                wait.unfinished());
    }

    private static String story(Incident incident) {
        Wait wait = incident.rootWait();
        Owner inTheWay = incident.blocker();
        StringBuilder story = new StringBuilder(WaitMessages.threads(incident));
        if (wait.isProcessPause()) {
            return story.toString();
        }
        if (inTheWay == null) {
            boolean told =
                    incident.verdict() == Verdict.NO_CPU && incident.responsibleThread() != null; // who ran instead
            return told
                    ? story.toString()
                    : story.append(": ").append(WaitMessages.what(wait)).toString();
        }
        Wait last = incident.chain().getLast();
        Owner end = incident.chain().size() > 1 ? last.longestOwnerInterval().owner() : inTheWay;
        if (incident.chain().size() > 1) {
            story.append(", behind ").append(ThreadLabels.name(end.thread()));
        }
        return story.append(place(end.location())).toString();
    }

    private static String place(@Nullable CodeLocation site) {
        return site == null
                ? ""
                : " in " + TerminalText.printableStart(site.method()) + "  " + WaitMessages.source(site);
    }
}
