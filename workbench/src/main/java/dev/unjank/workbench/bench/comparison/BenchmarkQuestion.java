package dev.unjank.workbench.bench.comparison;

import java.util.List;

/**
 * A benchmark that compares several implementations under one or more conditions.
 *
 * <p>Each implementation is measured in its own JVM, through a {@link Subject}. The main JVM requests the figures and
 * prints the table.
 */
public abstract class BenchmarkQuestion<P extends Candidate> {
    private final String name;
    private final String title;
    private final List<P> peers;
    private final List<Row> rows;
    private final Rounds rounds;
    private final Rounds quickRounds;

    /**
     * Creates a benchmark with the default number of rounds.
     *
     * @param name its name on the command line
     * @param title the title of its table, with the unit
     * @param peers the implementations; a {@link BenchmarkTarget} without a name is a target for the first
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

    /** Prepares the measurement of an implementation, in its JVM. */
    public abstract Subject open(P peer) throws Exception;

    /** One implementation, ready for repeated measurements. */
    @FunctionalInterface
    public interface Subject {
        /**
         * Measures once.
         *
         * @param circumstance the condition, see {@link Row#circumstance()}
         * @return the figures, indexed by {@link Row#value()}; NaN if not measured
         */
        double[] measure(String circumstance) throws Exception;
    }

    /** A line of the table. */
    public record Row(String label, String circumstance, int value, List<BenchmarkTarget> targets) {
        /** Creates a line for the first figure, whose condition is its label. */
        public Row(String label, BenchmarkTarget... targets) {
            this(label, label, 0, List.of(targets));
        }
    }

    /**
     * The number of measurements.
     *
     * @param sets repetitions with fresh JVMs, since JIT compilation may differ between them
     * @param warmUps discarded rounds at the start of each set
     */
    public record Rounds(int sets, int warmUps, int measured) {}
}
