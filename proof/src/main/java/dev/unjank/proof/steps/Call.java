package dev.unjank.proof.steps;

import java.util.Comparator;

/**
 * A call out of the looper's classes.
 *
 * @param caller class and method, without package
 * @param callee class and method, with package
 */
record Call(String caller, String callee) implements Comparable<Call> {
    private static final Comparator<Call> ORDER =
            Comparator.comparing(Call::callee).thenComparing(Call::caller);

    @Override
    public int compareTo(Call other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return caller + " calls " + callee;
    }
}
