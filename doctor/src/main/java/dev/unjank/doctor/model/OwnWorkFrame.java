package dev.unjank.doctor.model;

/**
 * A missed frame whose program's own work took most of it.
 *
 * @param work the work
 * @param path the critical path
 */
public record OwnWorkFrame(FrameWorkload work, CriticalPath path) {
    /** {@return the frame} */
    public Frame frame() {
        return work.frame();
    }
}
