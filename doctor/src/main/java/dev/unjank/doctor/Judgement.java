package dev.unjank.doctor;

/**
 * A verdict and what it rests on.
 *
 * @param verdict the verdict
 * @param unbounded of a {@link Verdict#PRIORITY_INVERSION}: whether a thread less important than the blocked one ran instead
 *     of the owner, so that nothing about the lock bounds the wait
 * @param invertedNs for how long an owner of lower priority than the blocked thread was ready to run without running, in ns
 */
public record Judgement(Verdict verdict, boolean unbounded, long invertedNs) {}
