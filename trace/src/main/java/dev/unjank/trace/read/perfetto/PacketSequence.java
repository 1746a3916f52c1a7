package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.collections.SmallNumberMap;
import dev.unjank.trace.read.perfetto.ftrace.KernelSymbols;
import java.util.HashMap;
import java.util.Map;

/**
 * The state of one packet sequence, that is, of one writer of the trace: interned strings and defaults of its
 * packets. A packet may reset it; after a loss of packets the state is invalid until the next reset.
 */
final class PacketSequence {
    /** The limit of interned strings, for damaged traces; the excess is dropped. */
    private static final int MAX_INTERNED = 1 << 20;

    /** Writers number their strings from 1. */
    private static final int IN_ARRAY = 1 << 14;

    final int id;
    /** Whether packets that depend on this state can be read. */
    boolean valid;
    /** The time of the previous packet; {@link Long#MIN_VALUE} if none had a time. */
    long lastNs = Long.MIN_VALUE;

    // The ids of interned strings by the numbers that packets refer to them with; -1 if undefined.
    final SmallNumberMap eventNames = new SmallNumberMap(IN_ARRAY, MAX_INTERNED);
    final SmallNumberMap categories = new SmallNumberMap(IN_ARRAY, MAX_INTERNED);
    private final Map<Long, String> annotationNames = new HashMap<>();
    final SmallNumberMap annotationTexts = new SmallNumberMap(IN_ARRAY, MAX_INTERNED);
    private final Map<Long, Long> counters = new HashMap<>();
    /** The kernel symbols of its packets; a new object after each reset. */
    KernelSymbols kernelSymbols = new KernelSymbols();
    /** The call stacks of its packets. */
    InternedCallstacks stacks = new InternedCallstacks();
    /** The default clock of packets, 0 for the trace's. */
    int defaultClock;
    /** The default track of events, 0 if there is none. */
    long defaultTrack;
    /** The track of the thread that the sequence described last, 0 if there is none; it outlives resets. */
    long threadTrack;
    /** The tracks of extra integer counter values, in order. */
    long[] extraCounters = {};
    /** The tracks of extra floating-point counter values, in order. */
    long[] extraRealCounters = {};

    PacketSequence(int id) {
        this.id = id;
    }

    /** Resets the state. */
    void clear() {
        valid = true;
        eventNames.clear();
        categories.clear();
        annotationNames.clear();
        annotationTexts.clear();
        counters.clear();
        kernelSymbols = new KernelSymbols();
        stacks = new InternedCallstacks();
        defaultClock = 0;
        defaultTrack = 0;
        extraCounters = new long[0];
        extraRealCounters = new long[0];
    }

    /** Invalidates the state until the next reset, since packets were lost. */
    void packetsLost() {
        valid = false;
    }

    void annotationName(long number, String name) {
        if (annotationNames.size() < MAX_INTERNED) {
            annotationNames.put(number, name);
        }
    }

    /** The name of an annotation, empty if it is undefined. */
    String annotationName(long number) {
        return annotationNames.getOrDefault(number, "");
    }

    /** Adds to the value of an incremental counter and returns the sum. */
    long addToCounter(long track, long difference) {
        long value = counters.getOrDefault(track, 0L) + difference;
        if (counters.size() < MAX_INTERNED) {
            counters.put(track, value);
        }
        return value;
    }

    void defaults(int clock, long track) {
        defaultClock = clock;
        defaultTrack = track;
    }

    /** Sets the tracks of extra counter values of events, for integers and for floating-point numbers. */
    void extraCounters(long[] whole, long[] real) {
        extraCounters = whole;
        extraRealCounters = real;
    }
}
