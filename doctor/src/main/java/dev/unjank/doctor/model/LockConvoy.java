package dev.unjank.doctor.model;

/**
 * A lock convoy: waits for one lock that followed one another without a gap.
 *
 * @param waits number of waits
 * @param threads number of threads that waited
 * @param startNs start of the first wait on the trace's clock, ns
 * @param endNs end of the last wait, ns
 */
public record LockConvoy(int waits, int threads, long startNs, long endNs) {}
