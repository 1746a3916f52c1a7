package dev.unjank.workbench.bench.comparison;

import java.util.List;

/**
 * Something to be measured for several contestants, in one circumstance or more.
 *
 * <p>Each contestant is measured in a Java VM of its own, which opens one {@link Subject}; the program that asks for the figures and
 * prints them has the rest.
 *
 * @param <P> who takes part
 */
public interface BenchmarkQuestion<P extends Candidate> {

    /**
     * By which it is chosen on the command line.
     *
     * @return one word
     */
    String name();

    /**
     * What is measured.
     *
     * @return a few words, with the unit
     */
    String title();

    /**
     * The lines of its table.
     *
     * @return the lines
     */
    List<Row> rows();

    /**
     * Returns what is measured.
     *
     * @return the contestants; the first is the one to which targets without a name apply
     */
    List<P> peers();

    /**
     * How often it is put.
     *
     * @param quick whether there is little time
     * @return the numbers
     */
    default Rounds rounds(boolean quick) {
        return quick ? new Rounds(1, 3, 5) : new Rounds(3, 4, 9);
    }

    /**
     * Prepares for measuring a contestant, in its Java VM.
     *
     * @param peer who
     * @return ready to be measured
     * @throws Exception if that fails
     */
    Subject open(P peer) throws Exception;

    /** One contestant, ready to be measured again and again. */
    @FunctionalInterface
    interface Subject {

        /**
         * Measures once.
         *
         * @param circumstance which, as {@link Row#circumstance()} has it
         * @return the figures, as {@link Row#value()} numbers them; NaN for what could not be measured
         * @throws Exception if it fails
         */
        double[] measure(String circumstance) throws Exception;
    }

    /**
     * A line of the table.
     *
     * @param label the circumstance for people
     * @param circumstance the circumstance for the subject
     * @param value which of the figures that the subject returns
     * @param targets what is asked
     */
    record Row(String label, String circumstance, int value, List<BenchmarkTarget> targets) {

        /**
         * A line about the first figure, whose circumstance is its label.
         *
         * @param label the circumstance
         * @param targets what is asked
         */
        public Row(String label, BenchmarkTarget... targets) {
            this(label, label, 0, List.of(targets));
        }
    }

    /**
     * How often a question is put.
     *
     * @param sets how many times with fresh Java VMs: one may be compiled more luckily than the next
     * @param warmUps rounds at the start of each set that do not count
     * @param measured rounds of each set that do
     */
    record Rounds(int sets, int warmUps, int measured) {}
}
