package dev.unjank.trace;

/** Placeholder. */
public final class Placeholder {
    private Placeholder() {}
}
