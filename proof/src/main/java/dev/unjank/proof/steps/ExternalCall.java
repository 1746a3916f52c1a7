package dev.unjank.proof.steps;

import java.util.Comparator;

/**
 * A call out of the looper's classes.
 *
 * @param caller class and method, without package
 * @param callee class and method, with package
 */
record ExternalCall(String caller, String callee) implements Comparable<ExternalCall> {
    private static final Comparator<ExternalCall> ORDER =
            Comparator.comparing(ExternalCall::callee).thenComparing(ExternalCall::caller);

    @Override
    public int compareTo(ExternalCall other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return caller + " calls " + callee;
    }
}
