package dev.unjank.bench.queue;

import dev.unjank.bench.loop.Peer;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of this project's queue: a bound for the ratio of its figure to something else.
 *
 * @param bound whether the ratio may not be larger or not be smaller than the limit
 * @param limit of the ratio
 * @param peers whose figure is the other one; of several the best; none if it is a constant
 * @param constant the other figure if there are no peers
 * @param circumstance in which the other figure is taken, if not in the same
 * @param reference what people call the other figure
 */
record Target(
        Bound bound,
        double limit,
        List<Peer> peers,
        double constant,
        @Nullable String circumstance,
        String reference) {

    /** The direction of a target. */
    enum Bound {
        AT_MOST("<="),
        AT_LEAST(">=");

        final String sign;

        Bound(String sign) {
            this.sign = sign;
        }
    }

    /** Not more than a constant. */
    static Target atMost(double constant, String unit) {
        return new Target(Bound.AT_MOST, 1, List.of(), constant, null, plain(constant) + unit);
    }

    /** Not more than a multiple of a peer's figure. */
    static Target atMost(double limit, Peer peer) {
        return new Target(Bound.AT_MOST, limit, List.of(peer), 0, null, peer.label());
    }

    /** Not more than a multiple of its own figure in another circumstance. */
    static Target atMostOwn(double limit, String circumstance, String words) {
        return new Target(Bound.AT_MOST, limit, List.of(Peer.LOCK_FREE), 0, circumstance, words);
    }

    /** Not more than a multiple of what the best of some peers has. */
    static Target atMostBest(double limit, List<Peer> peers) {
        return new Target(Bound.AT_MOST, limit, peers, 0, null, "the best");
    }

    /** Not less than a multiple of what the best of some peers has. */
    static Target atLeastBest(double limit, List<Peer> peers) {
        return new Target(Bound.AT_LEAST, limit, peers, 0, null, "the best");
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
        return bound.sign + " " + times + reference;
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%,.0f", value) : String.valueOf(value);
    }
}
