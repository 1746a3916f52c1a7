package dev.unjank.workbench.bench.comparison;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A target of a contestant: a bound for the ratio of its figure to another figure.
 *
 * @param subject of whom it is asked; null is the first that the question is put to
 * @param bound whether the ratio may not be larger or not be smaller than the limit
 * @param peers whose figure is the other one; of several the best; none if it is a constant, or the subject's own
 * @param constant the other figure if there are no peers and no other circumstance
 * @param circumstance in which the other figure is taken, if not in the same
 */
public record BenchmarkTarget(
        @Nullable Candidate subject,
        Bound bound,
        double limit,
        List<Candidate> peers,
        double constant,
        @Nullable String circumstance,
        String reference) {
    public enum Bound {
        /** Less is better. */
        AT_MOST("<="),
        /** More is better. */
        AT_LEAST(">=");

        final String sign;

        Bound(String sign) {
            this.sign = sign;
        }
    }

    /** Not more than a constant. */
    public static BenchmarkTarget atMost(double constant, String unit) {
        return new BenchmarkTarget(null, Bound.AT_MOST, 1, List.of(), constant, null, plain(constant) + unit);
    }

    /** Not more than a multiple of another's figure. */
    public static BenchmarkTarget atMost(double limit, Candidate peer) {
        return new BenchmarkTarget(null, Bound.AT_MOST, limit, List.of(peer), 0, null, peer.label());
    }

    /** Not more than a multiple of its own figure in another circumstance. */
    public static BenchmarkTarget atMostOwn(double limit, String circumstance, String words) {
        return new BenchmarkTarget(null, Bound.AT_MOST, limit, List.of(), 0, circumstance, words);
    }

    /** Not less than a multiple of its own figure in another circumstance. */
    public static BenchmarkTarget atLeastOwn(double limit, String circumstance, String words) {
        return new BenchmarkTarget(null, Bound.AT_LEAST, limit, List.of(), 0, circumstance, words);
    }

    /** Not more than a multiple of what the best of some others has. */
    public static BenchmarkTarget atMostBest(double limit, List<? extends Candidate> peers) {
        return new BenchmarkTarget(null, Bound.AT_MOST, limit, List.copyOf(peers), 0, null, "the best");
    }

    /** Not less than a multiple of what the best of some others has. */
    public static BenchmarkTarget atLeastBest(double limit, List<? extends Candidate> peers) {
        return new BenchmarkTarget(null, Bound.AT_LEAST, limit, List.copyOf(peers), 0, null, "the best");
    }

    /** The same asked of another. */
    public BenchmarkTarget of(Candidate other) {
        return new BenchmarkTarget(other, bound, limit, peers, constant, circumstance, reference);
    }

    /** Why it can neither be met nor missed on this machine, or by this user; null if it can. */
    @Nullable
    String obstacle() {
        return subject == null ? null : subject.obstacle();
    }

    /** Whether a ratio is within the limit; what is shown as the limit counts as the limit. */
    boolean allows(double ratio) {
        return bound == Bound.AT_MOST ? ratio < limit * 1.005 : ratio > limit * 0.995;
    }

    @Override
    public String toString() {
        String times = "";
        if (limit < 0.01) {
            times = String.format(Locale.ROOT, "1/%,.0f ", 1 / limit);
        } else if (limit != 1) {
            times = plain(limit) + "x ";
        }
        String whose = subject == null ? "" : subject.label() + " ";
        return whose + bound.sign + " " + times + reference;
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%,.0f", value) : String.valueOf(value);
    }
}
