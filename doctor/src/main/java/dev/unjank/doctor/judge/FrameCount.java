package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.Frame;
import java.util.List;

/**
 * The number of frames and of missed frames.
 *
 * @param all all frames
 * @param missed missed frames
 */
public record FrameCount(int all, int missed) {
    /**
     * {@return the number of frames of programs, or of the display server}
     *
     * @param frames frames of both
     * @param display true to count the display server's, false to count those of programs
     */
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
