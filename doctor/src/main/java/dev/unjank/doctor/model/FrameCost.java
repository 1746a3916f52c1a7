package dev.unjank.doctor.model;

/**
 * What an incident cost a frame.
 *
 * @param frame the frame
 * @param incident the incident, of a thread of the frame's process
 * @param overlapNs how much of the incident lies within the frame, in ns
 */
public record FrameCost(Frame frame, Incident incident, long overlapNs) {}
