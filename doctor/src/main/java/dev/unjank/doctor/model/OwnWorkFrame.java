package dev.unjank.doctor.model;

/**
 * A missed frame whose program's own work took most of it.
 *
 * @param work the work
 * @param path the critical path
 * @param samples the stacks of the path's threads, each in its part of the path
 */
public record OwnWorkFrame(FrameWorkload work, CriticalPath path, SampledStacks samples) {
    /** {@return the frame} */
    public Frame frame() {
        return work.frame();
    }
}
