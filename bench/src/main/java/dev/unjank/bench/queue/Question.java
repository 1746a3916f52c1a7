package dev.unjank.bench.queue;

import dev.unjank.bench.loop.Peer;
import java.util.List;

/**
 * Something to be measured for several peers, in one circumstance or more.
 *
 * <p>Each peer is measured in a Java VM of its own, which opens one {@link Subject}; the program that asks for the figures and
 * prints them has the rest.
 */
interface Question {

    /** By which it is chosen on the command line. */
    String name();

    /** What is measured, with its unit. */
    String title();

    /** The lines of its table. */
    List<Row> rows();

    /** Whom it is put to. */
    List<Peer> peers();

    /** How often it is put. */
    default Rounds rounds(boolean quick) {
        return quick ? new Rounds(1, 3, 5) : new Rounds(3, 4, 9);
    }

    /** Prepares for measuring a peer. */
    Subject open(Peer peer) throws Exception;

    /** One peer, ready to be measured again and again. */
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

    /**
     * A line of the table.
     *
     * @param label the circumstance for people
     * @param circumstance the circumstance for the subject
     * @param value which of the figures that the subject returns
     * @param targets what is asked of this project's queue
     */
    record Row(String label, String circumstance, int value, List<Target> targets) {

        /** A line about the first figure, whose circumstance is its label. */
        Row(String label, Target... targets) {
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
