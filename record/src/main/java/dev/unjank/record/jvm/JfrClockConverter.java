package dev.unjank.record.jvm;

import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.jfr.JfrChunks;

/**
 * Converts the times of a Flight Recorder chunk to {@link System#nanoTime} by a straight line through the first and the
 * last {@code dev.unjank.Clock} event. A chunk without such events uses the line of the chunk before, corrected by the
 * start times of both: their ticks are of the same clock, but each chunk has its own reading of the wall clock.
 */
final class JfrClockConverter {
    /** The maximum error of extrapolation, as the inverse of its share of the time. */
    private static final long STEADY = 10_000;

    private final long fromTrace;
    private final long fromNano;
    private final double rate;
    private final long error;

    private JfrClockConverter(long fromTrace, long fromNano, double rate, long error) {
        this.fromTrace = fromTrace;
        this.fromNano = fromNano;
        this.rate = rate;
        this.error = error;
    }

    /** A line with an offset only, and a maximum error. */
    static JfrClockConverter at(long offset, long error) {
        return new JfrClockConverter(0, offset, 1, error);
    }

    /** The line through the first and the last clock event of a chunk; {@code otherwise} if it has none. */
    static JfrClockConverter of(Trace chunk, JfrClockConverter otherwise) {
        Counters counters = chunk.counters();
        int ties = track(counters, JfrChunks.NANO_TIME);
        int errors = track(counters, JfrChunks.NANO_TIME_ERROR);
        if (ties < 0) {
            return otherwise;
        }
        int first = counters.first(ties);
        int last = counters.end(ties) - 1;
        long span = counters.ts(last) - counters.ts(first);
        double rate = span < 100_000_000 ? 1 : (double) (counters.value(last) - counters.value(first)) / span;
        JfrClockConverter line = new JfrClockConverter(counters.ts(first), counters.value(first), rate, 0);
        long error = 0;
        for (int row = first; row <= last; row++) {
            error = Math.max(error, Math.abs(line.nanos(counters.ts(row)) - counters.value(row)));
        }
        if (errors >= 0) {
            for (int row = counters.first(errors); row < counters.end(errors); row++) {
                error = Math.max(error, counters.value(row));
            }
        }
        return new JfrClockConverter(line.fromTrace, line.fromNano, rate, error);
    }

    private static int track(Counters counters, String name) {
        for (int track = 0; track < counters.tracks(); track++) {
            if (counters.name(track).equals(name) && counters.end(track) > counters.first(track)) {
                return track;
            }
        }
        return -1;
    }

    /** Converts a time of the chunk. */
    long nanos(long traceNs) {
        long since = traceNs - fromTrace;
        return fromNano + (rate == 1 ? since : Math.round(since * rate));
    }

    /** The line for a later chunk without clock events. */
    JfrClockConverter continuedFor(JfrChunks.Chunk from, JfrChunks.Chunk to) {
        long gap = to.nanosSince(from);
        long corrected = to.startNs() - from.startNs() - gap;
        return new JfrClockConverter(fromTrace + corrected, fromNano, rate, error + Math.abs(gap) / STEADY);
    }

    /** The maximum error: the largest distance of a clock event from the line, or of its two readings. */
    long error() {
        return error;
    }
}
