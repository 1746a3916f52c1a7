package dev.unjank.doctor;

/** Placeholder. */
public final class Placeholder {
    private Placeholder() {}
}
