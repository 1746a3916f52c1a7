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
 * Converts times of other clocks to the trace's clock. A snapshot is a reading of several clocks at one moment; a
 * time is shifted by the offset in the last snapshot before it, or in the first snapshot if it is earlier. If no
 * snapshot contains both clocks, the conversion goes through other clocks.
 *
 * <p>A clock belongs to the machine (numbers below 64) or to one packet sequence (64 and above). The latter may have
 * its own unit and be incremental: each time is then relative to the one before.
 */
public final class ClockConverter {
    /** The result for a time that cannot be converted. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    public static final int BOOTTIME = 6;
    public static final int FIRST_SEQUENCE_CLOCK = 64;

    // Limits for damaged traces; the excess is dropped.
    private static final int MAX_CLOCKS = 10_000;
    private static final int MAX_CLOCKS_IN_SNAPSHOT = 32;
    private static final int MAX_READINGS = 1 << 20;
    private static final int MAX_STEPS_OF_SEARCH = 1 << 24;

    private final Map<Long, Clock> clocks = new HashMap<>();

    /** The clock used last: the next packet usually has the same. */
    private Clock recent;

    private long recentKey = key(BOOTTIME, 0);

    private Clock traceClock;
    private boolean traceClockIsSet;
    private int readings;

    /** The number of links followed by all searches for routes. */
    private int stepsOfSearch;

    /** Stands for clocks beyond the limit; it has no readings. */
    private final Clock surplus = new Clock();

    /** Grows with every link, so that a clock without a route knows when to search again. */
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

    /** The clock with a number, as seen from a packet sequence. */
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

    /** Sets the trace's clock; only the first call counts. */
    public void traceClock(int id) {
        if (!traceClockIsSet) {
            traceClockIsSet = true;
            traceClock = clock(id, 0);
        }
    }

    /** Adds a reading of a clock to the snapshot that {@link #endSnapshot} ends. */
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

    /** Links the clocks of the snapshot. */
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

    /** Converts the time of a packet. It advances an incremental clock, so each packet must be converted once. */
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
        Converter route = route(clock);
        return route == null ? UNKNOWN : route.toTrace(ns);
    }

    /** The offsets of the machine's clocks at the first snapshot. */
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

    /** Whether a clock is known to be the trace's. */
    public boolean isTraceClock(Clock clock) {
        return clock == traceClock;
    }

    /** Whether times of a clock can be converted. */
    public boolean isConvertible(Clock clock) {
        return clock == traceClock || route(clock) != null;
    }

    private @Nullable Converter route(Clock clock) {
        if (clock.route == null && clock.linksWhenSought != links) {
            clock.linksWhenSought = links;
            List<Link> found = findRoute(clock);
            clock.route = found == null ? null : new Converter(found.toArray(new Link[0]));
        }
        return clock.route;
    }

    /**
     * A converter of a clock's times. It uses snapshots that are added later; other threads may use their own
     * converters only while no snapshot is added. An incremental clock has none.
     */
    public Converter converter(Clock clock) {
        Converter route = clock == traceClock ? Converter.IDENTITY : route(clock);
        return route == null || clock.incremental ? Converter.NONE : new Converter(route.links);
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

    /** Converts times of one clock to the trace's clock. Not thread-safe. */
    public static final class Converter {
        /** Converts nothing. */
        public static final Converter NONE = new Converter(null);

        /** The converter of the trace's clock itself; thread-safe. */
        public static final Converter IDENTITY = new Converter(new Link[0]);

        private final Link @Nullable [] links;

        /** The readings used last: neighbouring times mostly share them. */
        private final int[] recent;

        private Converter(Link @Nullable [] links) {
            this.links = links;
            recent = new int[links == null ? 0 : links.length];
        }

        /** A time on the trace's clock, {@link #UNKNOWN} if it cannot be converted. */
        public long toTrace(long ns) {
            if (links == null) {
                return UNKNOWN;
            }
            long result = ns;
            for (int i = 0; i < links.length; i++) {
                recent[i] = links[i].find(result, recent[i]);
                result += links[i].offsets[recent[i]];
            }
            return result;
        }
    }

    /** A clock and the clocks that snapshots link it with. */
    public static final class Clock {
        private long unitNs = 1;
        private boolean incremental;

        /** The last time of an incremental clock, in its unit. */
        private long last;

        /** Its reading in the current snapshot, in ns. */
        private long reading;

        private final Map<Clock, Link> links = new LinkedHashMap<>();
        private @Nullable Converter route;
        private int linksWhenSought;
    }

    /** The common readings of two clocks. */
    private static final class Link {
        final Clock to;
        private long[] from = new long[4];
        private long[] offsets = new long[4];
        private int size;

        Link(Clock to) {
            this.to = to;
        }

        /** Adds a pair of readings; one that goes back in time is ignored. */
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

        /** The index of the reading for a time, starting from a guess. */
        int find(long ns, int guess) {
            if ((guess == 0 || from[guess] <= ns) && (guess + 1 == size || ns < from[guess + 1])) {
                return guess;
            }
            int found = Arrays.binarySearch(from, 0, size, ns);
            return found >= 0 ? found : Math.max(0, -found - 2);
        }
    }
}
