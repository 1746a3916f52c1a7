package dev.unjank.workbench.bench.comparison;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A target of an implementation: a limit on the ratio of its figure to a reference figure.
 *
 * @param subject the implementation; null for the benchmark's first
 * @param bound whether the limit is an upper or a lower bound
 * @param peers the implementations whose best figure is the reference; empty if the reference is a constant or the
 *     subject's own figure
 * @param constant the reference if there are neither peers nor another condition
 * @param circumstance the condition of the reference figure; null for the same condition
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

    /** At most a constant. */
    public static BenchmarkTarget atMost(double constant, String unit) {
        return new BenchmarkTarget(null, Bound.AT_MOST, 1, List.of(), constant, null, plain(constant) + unit);
    }

    /** At most a multiple of another implementation's figure. */
    public static BenchmarkTarget atMost(double limit, Candidate peer) {
        return new BenchmarkTarget(null, Bound.AT_MOST, limit, List.of(peer), 0, null, peer.label());
    }

    /** At most a multiple of its own figure under another condition. */
    public static BenchmarkTarget atMostOwn(double limit, String circumstance, String words) {
        return new BenchmarkTarget(null, Bound.AT_MOST, limit, List.of(), 0, circumstance, words);
    }

    /** At least a multiple of its own figure under another condition. */
    public static BenchmarkTarget atLeastOwn(double limit, String circumstance, String words) {
        return new BenchmarkTarget(null, Bound.AT_LEAST, limit, List.of(), 0, circumstance, words);
    }

    /** At most a multiple of the best figure of several implementations. */
    public static BenchmarkTarget atMostBest(double limit, List<? extends Candidate> peers) {
        return new BenchmarkTarget(null, Bound.AT_MOST, limit, List.copyOf(peers), 0, null, "the best");
    }

    /** At least a multiple of the best figure of several implementations. */
    public static BenchmarkTarget atLeastBest(double limit, List<? extends Candidate> peers) {
        return new BenchmarkTarget(null, Bound.AT_LEAST, limit, List.copyOf(peers), 0, null, "the best");
    }

    /** The same target for another implementation. */
    public BenchmarkTarget of(Candidate other) {
        return new BenchmarkTarget(other, bound, limit, peers, constant, circumstance, reference);
    }

    /**
     * The reason why the target cannot be measured on this machine or by this user; null if it can.
     *
     * @param first the benchmark's first implementation, which a target without a subject applies to
     */
    @Nullable
    String obstacle(Candidate first) {
        return (subject == null ? first : subject).obstacle();
    }

    /** Whether a ratio is within the limit; a ratio that is printed like the limit counts as equal. */
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
