package dev.unjank.bench;

/** Placeholder. */
public final class Placeholder {
    private Placeholder() {}
}
