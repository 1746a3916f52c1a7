package dev.unjank.trace.read.common;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brings times of other clocks onto the trace's clock. A snapshot says what several clocks showed at one moment; a time is
 * moved by the difference in the last snapshot before it, by that in the first if it is earlier than all. A clock that no
 * snapshot ties to the trace's directly is reached over others.
 *
 * <p>A clock is the machine's (numbers below 64) or belongs to one packet sequence (64 and above). The latter may count in
 * units of its own and be incremental, so that each time is the distance from the one before.
 */
public final class ClockConverter {
    /** What comes out for a time that nothing ties to the trace's clock. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    public static final int BOOTTIME = 6;
    public static final int FIRST_SEQUENCE_CLOCK = 64;

    // Beyond these a trace is broken; what is more is not kept.
    private static final int MAX_CLOCKS = 10_000;
    private static final int MAX_CLOCKS_IN_SNAPSHOT = 32;
    private static final int MAX_READINGS = 1 << 20;
    private static final int MAX_STEPS_OF_SEARCH = 1 << 24;

    private final Map<Long, Clock> clocks = new HashMap<>();

    /** The clock that was asked for last: most often the next packet is of the same. */
    private Clock recent;

    private long recentKey = key(BOOTTIME, 0);

    private Clock traceClock;
    private boolean traceClockIsSet;
    private int readings;

    /** How many links all searches for routes have followed. */
    private int stepsOfSearch;

    /** Stands for all clocks that are too many; it has no readings. */
    private final Clock surplus = new Clock();

    /** Grows with every link, so that a clock without a route knows when to look again. */
    private int links;

    private final List<Clock> snapshot = new ArrayList<>();

    public ClockConverter() {
        traceClock = new Clock();
        recent = traceClock;
        clocks.put(recentKey, traceClock);
    }

    private static long key(int id, int sequence) {
        return id < FIRST_SEQUENCE_CLOCK ? id : (long) sequence << 32 | id;
    }

    /** The clock of a number, as seen from a packet sequence. */
    public Clock clock(int id, int sequence) {
        long key = key(id, sequence);
        if (key != recentKey) {
            recent = find(key);
            recentKey = key;
        }
        return recent;
    }

    private Clock find(long key) {
        Clock clock = clocks.get(key);
        if (clock == null) {
            if (clocks.size() == MAX_CLOCKS) {
                return surplus;
            }
            clock = new Clock();
            clocks.put(key, clock);
        }
        return clock;
    }

    /** Says which clock all times are to be brought onto; only the first call counts. */
    public void traceClock(int id) {
        if (!traceClockIsSet) {
            traceClockIsSet = true;
            traceClock = clock(id, 0);
        }
    }

    /** Notes what a clock showed in the snapshot that {@link #endSnapshot} ends. */
    public void reading(Clock clock, long time, long unitNs, boolean incremental) {
        if (clock == surplus) {
            return;
        }
        clock.unitNs = unitNs;
        clock.incremental = incremental;
        clock.last = time;
        clock.reading = time * unitNs;
        if (snapshot.size() < MAX_CLOCKS_IN_SNAPSHOT && !snapshot.contains(clock)) {
            snapshot.add(clock);
        }
    }

    /** Ties the clocks together that were read at one moment. */
    public void endSnapshot() {
        for (Clock from : snapshot) {
            for (Clock to : snapshot) {
                if (from != to && readings < MAX_READINGS) {
                    link(from, to);
                }
            }
        }
        snapshot.clear();
    }

    private void link(Clock from, Clock to) {
        Link link = from.links.get(to);
        if (link == null) {
            link = new Link(to);
            from.links.put(to, link);
            links++;
        }
        readings++;
        link.add(from.reading, to.reading);
    }

    /**
     * Brings a time of a packet onto the trace's clock. An incremental clock is moved by it, so each packet must come here
     * once.
     */
    public long toTrace(Clock clock, long time) {
        if (clock.incremental) {
            clock.last += time;
            return nsToTrace(clock, clock.last * clock.unitNs);
        }
        return nsToTrace(clock, time * clock.unitNs);
    }

    private long nsToTrace(Clock clock, long ns) {
        if (clock == traceClock) {
            return ns;
        }
        List<Link> route = route(clock);
        if (route == null) {
            return UNKNOWN;
        }
        long result = ns;
        for (int i = 0; i < route.size(); i++) {
            Link link = route.get(i);
            link.recent = link.find(result, link.recent);
            result += link.offsets[link.recent];
        }
        return result;
    }

    /** What the machine's clocks showed when the trace's began, as far as is known. */
    public ClockOffsets offsets() {
        ClockOffsets ties = new ClockOffsets();
        for (int id = 1; id < FIRST_SEQUENCE_CLOCK; id++) {
            Clock clock = clocks.get(key(id, 0));
            Link link = clock == null || clock.incremental ? null : clock.links.get(traceClock);
            if (clock == traceClock) {
                ties.add(id, 0, 0);
            } else if (link != null) {
                ties.add(id, 0, -link.offsets[0]);
            }
        }
        return ties;
    }

    /** Whether a clock is the trace's, as far as packets have told. */
    public boolean isTraceClock(Clock clock) {
        return clock == traceClock;
    }

    /** Whether times of a clock can be brought onto the trace's. */
    public boolean isConvertible(Clock clock) {
        return clock == traceClock || route(clock) != null;
    }

    private @Nullable List<Link> route(Clock clock) {
        if (clock.route == null && clock.linksWhenSought != links) {
            clock.linksWhenSought = links;
            clock.route = findRoute(clock);
        }
        return clock.route;
    }

    /**
     * What brings times of a clock onto the trace's. It sees snapshots that are added later, but other threads may have one of
     * their own only while nobody adds any. There is none for an incremental clock.
     */
    public Converter converter(Clock clock) {
        List<Link> route = clock == traceClock ? List.of() : route(clock);
        return route == null || clock.incremental ? Converter.NONE : new Converter(route);
    }

    /** The shortest chain of links to the trace's clock, by breadth-first search. */
    private @Nullable List<Link> findRoute(Clock start) {
        Map<Clock, List<Link>> routes = new HashMap<>();
        ArrayDeque<Clock> queue = new ArrayDeque<>();
        routes.put(start, List.of());
        queue.add(start);
        while (!queue.isEmpty()) {
            Clock clock = queue.remove();
            List<Link> route = routes.getOrDefault(clock, List.of());
            if (clock == traceClock) {
                return route;
            }
            for (Link link : clock.links.values()) {
                if (++stepsOfSearch > MAX_STEPS_OF_SEARCH) {
                    return null;
                }
                if (!routes.containsKey(link.to)) {
                    List<Link> longer = new ArrayList<>(route);
                    longer.add(link);
                    routes.put(link.to, longer);
                    queue.add(link.to);
                }
            }
        }
        return null;
    }

    /** Brings times of one clock onto the trace's. Not safe for use by several threads. */
    public static final class Converter {
        /** Knows of no time what it is on the trace's clock. */
        public static final Converter NONE = new Converter(null);

        /** Of the trace's clock itself; any thread may use it. */
        public static final Converter IDENTITY = new Converter(List.of());

        private final Link @Nullable [] route;

        /** The readings used last: neighbouring times mostly share them. */
        private final int[] recent;

        private Converter(@Nullable List<Link> links) {
            route = links == null ? null : links.toArray(new Link[0]);
            recent = new int[links == null ? 0 : links.size()];
        }

        /** A time on the trace's clock, {@link #UNKNOWN} if nothing ties the two together. */
        public long toTrace(long ns) {
            if (route == null) {
                return UNKNOWN;
            }
            long result = ns;
            for (int i = 0; i < route.length; i++) {
                recent[i] = route[i].find(result, recent[i]);
                result += route[i].offsets[recent[i]];
            }
            return result;
        }
    }

    /** One clock: what is known of it, and the clocks it was read together with. */
    public static final class Clock {
        private long unitNs = 1;
        private boolean incremental;

        /** The last time of an incremental clock, in its unit. */
        private long last;

        /** What it shows in the snapshot under way, in ns. */
        private long reading;

        private final Map<Clock, Link> links = new LinkedHashMap<>();
        private @Nullable List<Link> route;
        private int linksWhenSought;
    }

    /** The readings that one clock has in common with another. */
    private static final class Link {
        final Clock to;
        private long[] from = new long[4];
        private long[] offsets = new long[4];
        private int size;

        /** The reading used last: neighbouring times mostly share it. */
        private int recent;

        Link(Clock to) {
            this.to = to;
        }

        /** Notes a pair of readings; one that goes back in time is of no use. */
        void add(long here, long there) {
            if (size > 0 && here <= from[size - 1]) {
                return;
            }
            if (size == from.length) {
                from = Arrays.copyOf(from, size * 2);
                offsets = Arrays.copyOf(offsets, size * 2);
            }
            from[size] = here;
            offsets[size++] = there - here;
        }

        /** The reading that counts for a time, given one that may. */
        int find(long ns, int guess) {
            if ((guess == 0 || from[guess] <= ns) && (guess + 1 == size || ns < from[guess + 1])) {
                return guess;
            }
            int found = Arrays.binarySearch(from, 0, size, ns);
            return found >= 0 ? found : Math.max(0, -found - 2);
        }
    }
}
