package dev.unjank.looper;

/** Placeholder. */
public final class Placeholder {
    private Placeholder() {}
}
