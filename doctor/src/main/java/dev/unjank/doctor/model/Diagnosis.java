package dev.unjank.doctor.model;

import dev.unjank.doctor.model.loss.EventLoss;
import dev.unjank.doctor.model.loss.EventLosses;
import dev.unjank.trace.collections.BinarySearch;
import dev.unjank.trace.collections.LongOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The diagnosis of a trace: its incidents, missed frames and app startups. Immutable.
 *
 * @param trace the trace's name
 * @param startNs start of the trace on its own clock, ns
 * @param durationNs duration of the trace, ns
 * @param isLengthDoubtful the value of {@link dev.unjank.trace.model.Trace#isDurationImplausible}
 * @param platform the kind of system that the trace was recorded on
 * @param search the scope of the search
 * @param incidents the incidents that the options select, worst first
 * @param notShown other incidents that count for the whole trace: for the causes of frames, the summary and the main
 *     finding; their ids follow those of {@code incidents}
 * @param mainFinding the finding that a report puts first
 * @param frames missed frames and frames that an incident overlaps, by start time; of the selected process only, if
 *     there is one
 * @param costs the parts of these frames that incidents took, by frame, highest cost of a frame first
 * @param ownWorkFrames the longest missed frames that their own program's work made late, longest first; of the
 *     processes that are selected by default
 * @param startups app startups, by start time
 * @param summary totals
 * @param blockedTime the blocked time of all covered threads, by kind
 * @param missingData the data that the trace lacks
 * @param unreadParts the parts of the input that could not be read
 * @param losses the intervals in which the trace lost events
 * @param samples the stack samples of the trace
 * @param warnings the limits of the diagnosis: missing data, unread parts, options that select nothing
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
        List<OwnWorkFrame> ownWorkFrames,
        List<AppStartup> startups,
        Summary summary,
        BlockedTime blockedTime,
        List<Warning> missingData,
        List<Warning> unreadParts,
        EventLosses losses,
        CpuSamples samples,
        List<Warning> warnings) {
    /** Copies the lists. */
    public Diagnosis {
        incidents = List.copyOf(incidents);
        notShown = List.copyOf(notShown);
        frames = List.copyOf(frames);
        costs = List.copyOf(costs);
        ownWorkFrames = List.copyOf(ownWorkFrames);
        startups = List.copyOf(startups);
        missingData = List.copyOf(missingData);
        unreadParts = List.copyOf(unreadParts);
        warnings = List.copyOf(warnings);
    }

    /**
     * {@return the costs of an incident, highest first}
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
     * {@return the costs of a frame, highest first}
     *
     * @param frame one of the {@link #frames}
     */
    public List<FrameCost> costsOf(Frame frame) {
        int from = firstCostOf(frame.id());
        return costs.subList(from, firstCostOf(frame.id() + 1));
    }

    private int firstCostOf(int frame) {
        return BinarySearch.first(0, costs.size(), i -> costs.get(i).frame().id() >= frame);
    }

    /**
     * {@return the verdict of the incident that took most of a frame's time, of those that count for the whole trace;
     * null without any}
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

    /** {@return the frame of the main finding if its own work made it late; null otherwise} */
    public @Nullable OwnWorkFrame mainOwnWork() {
        return mainFinding.workload() == null ? null : ownWorkFrames.getFirst();
    }

    /**
     * {@return the events lost during an incident; null if no loss is known}
     *
     * @param incident an incident of this diagnosis
     */
    public @Nullable EventLoss eventLossDuring(Incident incident) {
        return losses.during(incident.rootWait().startNs(), incident.rootWait().endNs());
    }

    /**
     * {@return an incident that the options select}
     *
     * @param id its {@link Incident#id}
     */
    public Incident incident(int id) {
        return incidents.get(id - 1);
    }

    /**
     * {@return whether the options select an incident}
     *
     * @param incident an incident of this diagnosis
     */
    public boolean isShown(Incident incident) {
        return incident.id() <= incidents.size();
    }

    /**
     * {@return this diagnosis with other warnings}
     *
     * @param changed the warnings
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
                ownWorkFrames,
                startups,
                summary,
                blockedTime,
                missingData,
                unreadParts,
                losses,
                samples,
                changed);
    }

    /**
     * The scope of the search, which distinguishes a healthy trace from one without data.
     *
     * @param options the options
     * @param threads number of selected threads
     * @param waits number of their waits, of any duration
     * @param longestNs the longest of these waits, ns
     * @param frames number of frames of their processes
     * @param displayFrames number of frames of the display server among these
     * @param waitsOfOtherThreads number of waits of other threads that last the selected duration; 0 if there are
     *     incidents or the options name threads
     * @param lockWaitsOfOtherThreads number of waits of other threads for a contended lock
     * @param selection which incidents of all threads these are
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
            IncidentSelection selection) {}
}
