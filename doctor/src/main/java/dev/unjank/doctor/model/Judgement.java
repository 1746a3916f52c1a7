package dev.unjank.doctor.model;

/**
 * A verdict with its evidence.
 *
 * @param verdict the verdict
 * @param evidence the weakest evidence for an owner in the chain down to {@code responsibleThread}
 * @param unbounded of a {@link Verdict#PRIORITY_INVERSION}: whether threads of lower priority than the blocked one ran
 *     for most of the decisive time, so that the critical section does not bound the wait
 * @param decisiveNs the time that decided the verdict, ns: of an inversion the runnable time of owners of lower
 *     priority, of a long hold their running time, and so on; 0 if the verdict is {@link Verdict#UNKNOWN}
 * @param lessImportantNs of an inversion the part of the decisive time in which threads of lower priority than the
 *     blocked one ran, ns; otherwise 0
 * @param responsibleThread the thread with most of that time, whose code or priority to look at
 */
public record Judgement(
        Verdict verdict,
        Evidence evidence,
        boolean unbounded,
        long decisiveNs,
        long lessImportantNs,
        ThreadRef responsibleThread) {

    /**
     * {@return the same verdict with another grade of evidence}
     *
     * @param other the grade
     */
    public Judgement withEvidence(Evidence other) {
        return new Judgement(verdict, other, unbounded, decisiveNs, lessImportantNs, responsibleThread);
    }
}
