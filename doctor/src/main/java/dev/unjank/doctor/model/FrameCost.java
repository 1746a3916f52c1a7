package dev.unjank.doctor.model;

/**
 * The part of a frame's time that an incident took.
 *
 * @param frame the frame
 * @param incident the incident, of a thread that works on the frame or of all of its process
 * @param overlapNs overlap of the incident and the frame, ns
 */
public record FrameCost(Frame frame, Incident incident, long overlapNs) {}
