package dev.unjank.doctor.model;

/**
 * Waits for one lock that followed one another without a moment between them.
 *
 * @param waits how many
 * @param threads of how many threads
 * @param startNs when the first began, on the trace's clock
 * @param endNs when the last ended
 */
public record LockConvoy(int waits, int threads, long startNs, long endNs) {}
