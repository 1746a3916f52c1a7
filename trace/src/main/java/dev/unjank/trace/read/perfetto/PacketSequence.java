package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.read.perfetto.ftrace.KernelSymbols;
import java.util.HashMap;
import java.util.Map;

/**
 * The state of one packet sequence, that is, of one writer of the trace: the texts that its packets refer to by number and
 * the values they leave out. It starts afresh whenever a packet says so; between lost packets and that moment, packets that
 * build on it mean nothing.
 */
final class PacketSequence {
    /** Beyond this many texts in one sequence a trace is broken; further ones are not kept. */
    private static final int MAX_INTERNED = 1 << 20;

    private final int id;
    private boolean valid;
    private long lastNs = Long.MIN_VALUE;
    private final InternedStringIds eventNames = new InternedStringIds();
    private final InternedStringIds categories = new InternedStringIds();
    private final Map<Long, String> annotationNames = new HashMap<>();
    private final InternedStringIds annotationTexts = new InternedStringIds();
    private final Map<Long, Long> counters = new HashMap<>();
    private KernelSymbols kernelSymbols = new KernelSymbols();
    private InternedCallstacks stacks = new InternedCallstacks();
    private int defaultClock;
    private long defaultTrack;
    private long[] extraCounters = {};
    private long[] extraRealCounters = {};

    PacketSequence(int id) {
        this.id = id;
    }

    int id() {
        return id;
    }

    /** The time of its packet before; {@link Long#MIN_VALUE} if none had a time. */
    long lastNs() {
        return lastNs;
    }

    /** Notes the time of a packet. */
    void lastNs(long ts) {
        lastNs = ts;
    }

    /** Begins afresh. */
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

    /** Packets were lost: what is known may be wrong until the next beginning. */
    void packetsLost() {
        valid = false;
    }

    /** Whether packets that build on this state can be read. */
    boolean isValid() {
        return valid;
    }

    void eventName(long number, int name) {
        if (eventNames.size() < MAX_INTERNED) {
            eventNames.put(number, name);
        }
    }

    /** The text of an event's name, -1 if it was never told. */
    int eventName(long number) {
        return eventNames.get(number);
    }

    void category(long number, int category) {
        if (categories.size() < MAX_INTERNED) {
            categories.put(number, category);
        }
    }

    /** The text of a category, -1 if it was never told. */
    int category(long number) {
        return categories.get(number);
    }

    void annotationName(long number, String name) {
        if (annotationNames.size() < MAX_INTERNED) {
            annotationNames.put(number, name);
        }
    }

    /** The name of an annotation, empty if it was never told. */
    String annotationName(long number) {
        return annotationNames.getOrDefault(number, "");
    }

    void annotationText(long number, int text) {
        if (annotationTexts.size() < MAX_INTERNED) {
            annotationTexts.put(number, text);
        }
    }

    /** The text that an annotation refers to, -1 if it was never told. */
    int annotationText(long number) {
        return annotationTexts.get(number);
    }

    /** The value of a counter that tells of differences only. */
    long addToCounter(long track, long difference) {
        long value = counters.getOrDefault(track, 0L) + difference;
        if (counters.size() < MAX_INTERNED) {
            counters.put(track, value);
        }
        return value;
    }

    /** The kernel functions that its packets name by number; a new object after each beginning. */
    KernelSymbols kernelSymbols() {
        return kernelSymbols;
    }

    /** The stacks that its packets name by number. */
    InternedCallstacks stacks() {
        return stacks;
    }

    void defaults(int clock, long track) {
        defaultClock = clock;
        defaultTrack = track;
    }

    /** The tracks of counters whose values events bring along, for whole numbers and for others. */
    void extraCounters(long[] whole, long[] real) {
        extraCounters = whole;
        extraRealCounters = real;
    }

    /** The tracks of whole numbers that events bring along, in their order. */
    long[] extraCounters() {
        return extraCounters;
    }

    /** The tracks of other numbers that events bring along, in their order. */
    long[] extraRealCounters() {
        return extraRealCounters;
    }

    /** The clock of packets that name none, 0 for the trace's. */
    int defaultClock() {
        return defaultClock;
    }

    /** The track of events that name none, 0 if there is none. */
    long defaultTrack() {
        return defaultTrack;
    }
}
