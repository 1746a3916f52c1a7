package dev.unjank.doctor.model;

import java.util.List;

/**
 * How many frames there were.
 *
 * @param all all of them
 * @param missed those that were seen to be late
 */
public record FrameCount(int all, int missed) {

    /** Counts the frames of programs, or the display's own. */
    public static FrameCount of(List<Frame> frames, boolean display) {
        int all = 0;
        int missed = 0;
        for (Frame frame : frames) {
            if (frame.display() == display) {
                all++;
                missed += frame.missed() ? 1 : 0;
            }
        }
        return new FrameCount(all, missed);
    }
}
