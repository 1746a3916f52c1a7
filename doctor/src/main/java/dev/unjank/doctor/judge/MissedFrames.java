package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.FrameCost;
import java.util.Comparator;

/**
 * The order of missed frames, and which of them count. A frame counts as missed whatever the cause. But one that
 * its own program handed over in time, and that the display's server, stuffed buffers or a wrong prediction made late,
 * says little of what a wait in it cost.
 */
public final class MissedFrames {
    private MissedFrames() {}

    /**
     * Whether a frame was missed because of its own program. If waits delayed such frames, only these costs count;
     * otherwise the costs of all missed frames do.
     */
    public static boolean isAppJank(Frame frame) {
        return frame.missed() && frame.isAppJank();
    }

    /**
     * {@return the order in which all reports have frames: late ones first, of these the display's own last, and those
     * that their program made late before those that it did not; then those that waits cost most, then the longest}
     */
    public static Comparator<Frame> order(Diagnosis diagnosis) {
        return (a, b) -> {
            int ranks = Integer.compare(rank(a), rank(b));
            int costs = ranks != 0 ? ranks : Long.compare(costNs(b, diagnosis), costNs(a, diagnosis));
            return costs != 0 ? costs : Long.compare(b.durNs(), a.durNs());
        };
    }

    private static int rank(Frame frame) {
        return (frame.missed() ? 0 : 4) + (frame.display() ? 2 : 0) + (isAppJank(frame) ? 0 : 1);
    }

    private static long costNs(Frame frame, Diagnosis diagnosis) {
        long sum = 0;
        for (FrameCost cost : diagnosis.costsOf(frame)) {
            sum += cost.overlapNs();
        }
        return sum;
    }
}
