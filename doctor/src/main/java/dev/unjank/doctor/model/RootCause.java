package dev.unjank.doctor.model;

/**
 * A verdict and what it rests on.
 *
 * @param verdict the verdict
 * @param evidence how well it is known who was in the way: the weakest link of the chain down to {@code responsible}
 * @param unbounded of a {@link Verdict#PRIORITY_INVERSION}: whether a thread less important than the blocked one ran instead
 *     of the owner, so that nothing about the lock bounds the wait
 * @param decisiveNs the time that made the verdict, in ns: of an inversion, for how long owners of lower priority were ready to
 *     run without running; of a long hold, for how long they ran; and so on. 0 if the verdict is {@link Verdict#UNKNOWN}
 * @param responsibleThread the thread that took most of that time, whose code or whose priority is to be looked at: whom to talk to
 */
public record RootCause(
        Verdict verdict, Evidence evidence, boolean unbounded, long decisiveNs, ThreadRef responsibleThread) {}
