package dev.unjank.workbench.bench.comparison;

import java.util.List;

/**
 * One measurement of several contestants, under one or more conditions.
 *
 * <p>Each contestant is measured in a Java VM of its own, which opens one {@link Subject}; the program that asks for the figures and
 * prints them has the rest.
 */
public abstract class BenchmarkQuestion<P extends Candidate> {
    private final String name;
    private final String title;
    private final List<P> peers;
    private final List<Row> rows;
    private final Rounds rounds;
    private final Rounds quickRounds;

    /**
     * A question with the usual number of rounds.
     *
     * @param name the word for it on the command line
     * @param title the title of its table, with the unit
     * @param peers the contestants; the first is the one to which targets without a name apply
     */
    protected BenchmarkQuestion(String name, String title, List<P> peers, List<Row> rows) {
        this(name, title, peers, rows, new Rounds(3, 4, 9), new Rounds(1, 3, 5));
    }

    protected BenchmarkQuestion(
            String name, String title, List<P> peers, List<Row> rows, Rounds rounds, Rounds quickRounds) {
        this.name = name;
        this.title = title;
        this.peers = peers;
        this.rows = rows;
        this.rounds = rounds;
        this.quickRounds = quickRounds;
    }

    public final String name() {
        return name;
    }

    public final String title() {
        return title;
    }

    public final List<P> peers() {
        return peers;
    }

    public final List<Row> rows() {
        return rows;
    }

    final Rounds rounds(boolean quick) {
        return quick ? quickRounds : rounds;
    }

    /** Prepares for measuring a contestant, in its Java VM. */
    public abstract Subject open(P peer) throws Exception;

    /** One contestant, ready to be measured again and again. */
    @FunctionalInterface
    public interface Subject {
        /**
         * Measures once.
         *
         * @param circumstance which, as {@link Row#circumstance()} has it
         * @return the figures, as {@link Row#value()} numbers them; NaN for what could not be measured
         */
        double[] measure(String circumstance) throws Exception;
    }

    /** A line of the table. */
    public record Row(String label, String circumstance, int value, List<BenchmarkTarget> targets) {
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
    public record Rounds(int sets, int warmUps, int measured) {}
}
