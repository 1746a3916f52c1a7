package dev.unjank.workbench.bench.comparison;

import java.util.List;

/**
 * One measurement of several contestants, under one or more conditions.
 *
 * <p>Each contestant is measured in a Java VM of its own, which opens one {@link Subject}; the program that asks for the figures and
 * prints them has the rest.
 */
public interface BenchmarkQuestion<P extends Candidate> {

    /** The name on the command line: one word. */
    String name();

    /** The title of its table, with the unit. */
    String title();

    /** The lines of its table. */
    List<Row> rows();

    /**
     * Returns what is measured.
     *
     * @return the contestants; the first is the one to which targets without a name apply
     */
    List<P> peers();

    /** The numbers of Java VMs and rounds. */
    default Rounds rounds(boolean quick) {
        return quick ? new Rounds(1, 3, 5) : new Rounds(3, 4, 9);
    }

    /** Prepares for measuring a contestant, in its Java VM. */
    Subject open(P peer) throws Exception;

    /** One contestant, ready to be measured again and again. */
    @FunctionalInterface
    interface Subject {

        /**
         * Measures once.
         *
         * @param circumstance which, as {@link Row#circumstance()} has it
         * @return the figures, as {@link Row#value()} numbers them; NaN for what could not be measured
         */
        double[] measure(String circumstance) throws Exception;
    }

    /** A line of the table. */
    record Row(String label, String circumstance, int value, List<BenchmarkTarget> targets) {

        /** A line about the first figure, whose circumstance is its label. */
        public Row(String label, BenchmarkTarget... targets) {
            this(label, label, 0, List.of(targets));
        }
    }

    /**
     * How often a question is put.
     *
     * @param sets how many times with fresh Java VMs: one may be compiled more luckily than the next
     * @param warmUps rounds at the start of each set that do not count
     */
    record Rounds(int sets, int warmUps, int measured) {}
}
