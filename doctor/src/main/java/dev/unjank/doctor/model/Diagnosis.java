package dev.unjank.doctor.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the doctor found in a trace. Immutable.
 *
 * @param trace the trace's name
 * @param startNs when the trace begins, on its own clock
 * @param durationNs how long it is, in ns
 * @param isLengthDoubtful whether it is hardly that long, as {@link dev.unjank.trace.model.Trace#isDurationImplausible} says
 * @param platform what kind of machine it is of
 * @param search where the doctor looked
 * @param incidents the waits that were asked for, the worst first
 * @param notShown what is not among these and yet counts for the trace as a whole: for the causes of frames, the summary, the answer;
 *     numbered on
 * @param mainFinding what a report says first
 * @param frames the frames that were late and those that an incident overlaps, in order of time; of one process if that was
 *     asked for
 * @param costs what incidents cost these frames, in order of frames, the greatest of a frame first
 * @param startups the starts of apps, in order of time
 * @param summary all of it in a few numbers
 * @param missingData the data that the trace lacks
 * @param unreadParts the parts of the input that could not be read
 * @param losses when events were lost
 * @param warnings what a reader should know first: what the trace lacks, what went wrong while it was read, what was asked
 *     for and is not there
 */
public record Diagnosis(
        String trace,
        long startNs,
        long durationNs,
        boolean isLengthDoubtful,
        Platform platform,
        Search search,
        List<Incident> incidents,
        List<Incident> notShown,
        MainFinding mainFinding,
        List<Frame> frames,
        List<FrameCost> costs,
        List<AppStartup> startups,
        Summary summary,
        List<Warning> missingData,
        List<Warning> unreadParts,
        EventLosses losses,
        List<Warning> warnings) {
    /** Keeps its own copies of the lists. */
    public Diagnosis {
        incidents = List.copyOf(incidents);
        notShown = List.copyOf(notShown);
        frames = List.copyOf(frames);
        costs = List.copyOf(costs);
        startups = List.copyOf(startups);
        missingData = List.copyOf(missingData);
        unreadParts = List.copyOf(unreadParts);
        warnings = List.copyOf(warnings);
    }

    /**
     * {@return what an incident cost, the worst frame first}
     *
     * @param incident one of the {@link #incidents}
     */
    public List<FrameCost> costsOf(Incident incident) {
        return costs.stream()
                .filter(cost -> cost.incident().id() == incident.id())
                .sorted(LongOrder.descending(FrameCost::overlapNs))
                .toList();
    }

    /**
     * {@return what was in the way of a frame, the worst first}
     *
     * @param frame one of the {@link #frames}
     */
    public List<FrameCost> costsOf(Frame frame) {
        int from = firstCostOf(frame.id());
        return costs.subList(from, firstCostOf(frame.id() + 1));
    }

    private int firstCostOf(int frame) {
        int low = 0;
        int high = costs.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (costs.get(middle).frame().id() < frame) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * {@return why a frame was late, as far as waits are the reason: the verdict of the incident that took most of its time, of those
     * that count for the trace as a whole; null without any}
     *
     * @param frame one of the {@link #frames}
     */
    public @Nullable Verdict causeOf(Frame frame) {
        return costsOf(frame).stream()
                .map(FrameCost::incident)
                .filter(Incident::isInTraceTotals)
                .map(Incident::verdict)
                .findFirst()
                .orElse(null);
    }

    /**
     * {@return which events were lost during an incident, so that what is said of it may be wrong; null if none are known to have been}
     *
     * @param incident an incident of this diagnosis
     */
    public @Nullable EventLoss eventLossDuring(Incident incident) {
        return losses.during(incident.rootWait().startNs(), incident.rootWait().endNs());
    }

    /**
     * {@return whether an incident is one of those that were asked for}
     *
     * @param incident an incident of this diagnosis
     */
    public boolean isShown(Incident incident) {
        return incident.id() < incidents.size();
    }

    /**
     * The same with other warnings.
     *
     * @param changed the warnings
     * @return the changed copy
     */
    public Diagnosis withWarnings(List<Warning> changed) {
        return new Diagnosis(
                trace,
                startNs,
                durationNs,
                isLengthDoubtful,
                platform,
                search,
                incidents,
                notShown,
                mainFinding,
                frames,
                costs,
                startups,
                summary,
                missingData,
                unreadParts,
                losses,
                changed);
    }

    /**
     * Where the doctor looked, so that an empty result can be told from a healthy one.
     *
     * @param options what was asked for
     * @param threads how many threads fit it
     * @param waits how many waits of theirs the trace shows, of any length
     * @param longestNs the longest of these waits, in ns
     * @param frames how many frames the processes of these threads made
     * @param displayFrames how many of them were the display's own
     * @param waitsOfOtherThreads how many waits of at least that length other threads had, which nobody asked for; 0 if any was found, or if threads
     *     were asked for
     * @param lockWaitsOfOtherThreads how many waits of other threads for a contended lock it shows
     * @param query SQL for {@code unjank query} that lists the incidents again, the same and in the same order
     */
    public record Search(
            DoctorOptions options,
            int threads,
            int waits,
            long longestNs,
            int frames,
            int displayFrames,
            int waitsOfOtherThreads,
            int lockWaitsOfOtherThreads,
            String query) {}
}
