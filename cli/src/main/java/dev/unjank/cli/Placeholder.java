package dev.unjank.cli;

/** Placeholder. */
public final class Placeholder {
    private Placeholder() {}
}
