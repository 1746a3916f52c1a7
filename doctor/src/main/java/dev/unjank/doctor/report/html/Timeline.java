package dev.unjank.doctor.report.html;

import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.WaitKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The contents of the drawing of an incident: the threads that matter, in the interval and some time around it. Times
 * are ns on the trace's clock.
 *
 * @param fromNs where the drawing begins
 * @param toNs where it ends
 * @param lanes the threads from top to bottom, the blocked one first
 * @param links from each waiter to its owner
 * @param frames the frames of the blocked thread's process, each with its deadline
 */
record Timeline(long fromNs, long toNs, List<Lane> lanes, List<Link> links, List<FrameSpan> frames) {

    /** The reason for a thread's lane. */
    enum Role {
        /** It waited. */
        BLOCKED,
        /** It was in the way, directly or of others who were. */
        OWNER,
        /** The virtual machine's own: it ran the operation for which all others were paused. */
        MACHINE,
        /** It ran while an owner would have. */
        PREEMPTING
    }

    /**
     * One thread.
     *
     * @param thread the thread, with its priority at the time
     * @param role why it is here
     * @param states what the scheduler says it did, or without one the blame tree; in order of time, without overlap
     * @param slices what the program says it did, an enclosing slice before those in it
     * @param coarse whether {@code states} only samples what happened, since that was too much to draw
     */
    record Lane(ThreadRef thread, Role role, List<State> states, List<Slice> slices, boolean coarse) {}

    /**
     * A stretch of one state.
     *
     * @param kind what the thread did
     * @param startNs when it began
     * @param durNs how long it lasted
     */
    record State(Kind kind, long startNs, long durNs) {}

    /**
     * The description of an interval. Equal ones are written once.
     *
     * @param state the state
     * @param cpu the CPU it ran on, -1 if it did not run or that is not known
     * @param priority the kernel's number, {@link dev.unjank.trace.model.ThreadStates#NO_PRIORITY} if unknown
     * @param function the kernel's function it slept in, the function in which a profiler found it, or what the blame
     *     tree says of it; null if unknown
     * @param waker the thread that woke it, null if no thread did then or it is unknown
     */
    record Kind(
            OwnerState state,
            int cpu,
            int priority,
            @Nullable String function,
            @Nullable ThreadRef waker) {}

    /**
     * A slice: an activity that the program recorded.
     *
     * @param name its words
     * @param startNs when it began
     * @param durNs how long it lasted
     * @param depth in how many others it lay
     */
    record Slice(String name, long startNs, long durNs, int depth) {}

    /**
     * A stretch in which a thread waited for another.
     *
     * @param lane the index of the lane of the thread that waited
     * @param ownerLane the index of the lane of the owner, the same if the thread itself was late; -1 if it has none
     * @param unseen the owner if it has no lane; null if it has one, or is unknown
     * @param kind what for
     * @param startNs when it began
     * @param durNs how long it lasted
     */
    record Link(int lane, int ownerLane, @Nullable ThreadRef unseen, WaitKind kind, long startNs, long durNs) {}

    /**
     * A frame.
     *
     * @param frame the frame
     * @param deadlineNs when it should have been done; {@link dev.unjank.trace.model.Frames#NO_TIME} if it is not
     *     recorded
     */
    record FrameSpan(Frame frame, long deadlineNs) {}

    /** The size of the page, in drawn elements. */
    int size() {
        int size = links.size() + frames.size();
        for (Lane lane : lanes) {
            size += 1 + lane.states().size() + lane.slices().size();
        }
        return size;
    }
}
