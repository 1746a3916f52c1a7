package dev.unjank.trace.read;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.common.ClockConverter;
import dev.unjank.trace.read.common.ClockOffsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts the traces of several files together, on one clock: that of the first trace that knows the boot clock, Perfetto's own,
 * or else of the first. Another trace is moved by what both say of a clock of the machine: the boot clock, the monotonic one
 * or, least exactly, the wall clock.
 */
final class TraceMerger {
    /** By so much the wall clock may have been put right between two traces of one boot. */
    private static final long LARGEST_CORRECTION_NS = 10_000_000_000L;

    /** Files that are recorded in a row follow one another more closely. */
    private static final long LARGEST_HOLE_NS = 1_000_000_000;

    /** What lies further apart than this, and than so many times its length, is of different occasions. */
    private static final long NEAR_NS = 60_000_000_000L;

    private static final int FARTHEST = 10;
    private static final long DAY_S = 86_400;

    /** What stays as it is while a machine runs. */
    private static final List<String> FACTS =
            List.of("system_machine", "system_release", "system_version", "android_build_fingerprint");

    private static final List<Integer> BOOT_CLOCKS = List.of(ClockConverter.BOOTTIME, ClockOffsets.MONOTONIC);
    private static final List<Integer> BY_EXACTNESS =
            List.of(ClockConverter.BOOTTIME, ClockOffsets.MONOTONIC, ClockOffsets.REALTIME);

    private final TraceBuilder result;
    private boolean several;
    private boolean resultIsTaken;
    private final List<Part> parts = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private record Part(String name, TraceBuilder builder, ClockOffsets offsets) {}

    /** Begins with nothing. */
    TraceMerger(TraceBuilder result, boolean several) {
        this.result = result;
        this.several = several;
    }

    /** From now on there may be more than one trace, and those that cannot be put together with others may be left out. */
    void expectSeveral() {
        several = true;
    }

    /** A builder for the next trace. */
    TraceBuilder begin() {
        if (several) {
            return result.newPart();
        } else if (resultIsTaken) {
            throw new IllegalStateException("a second trace");
        }
        resultIsTaken = true;
        return result;
    }

    /** A builder's trace is complete. */
    void end(String name, TraceBuilder builder, ClockOffsets ties) {
        parts.add(new Part(name, builder, ties));
    }

    /** Notes what a reader of the results should know. */
    void warn(String line) {
        warnings.add(line);
    }

    /** Notes that a part of the input could not be read, as {@link TraceBuilder#addUnreadPart} does. */
    void addUnreadPart(String part) {
        result.addUnreadPart(part);
    }

    /** Puts all traces into the result. */
    void finish() throws UnusableTraceException {
        warnings.forEach(result::warn);
        if (parts.size() == 1 && parts.getFirst().builder == result) {
            return;
        }
        refuseAnotherMachine();
        Part base = parts.stream()
                .filter(part -> part.offsets.contains(ClockConverter.BOOTTIME))
                .findFirst()
                .orElse(parts.getFirst());
        Map<Part, Long> shifts = new LinkedHashMap<>();
        shifts.put(base, 0L);
        while (placeAnother(shifts)) {
            // until all are placed, or none can be
        }
        for (Part part : parts) {
            Long shift = shifts.get(part);
            if (shift == null) {
                throw new UnusableTraceException(part.name + ": has no clock in common with " + base.name
                        + ", so nobody can say what happened when; diagnose them one at a time");
            }
        }
        lookForHoles(shifts);
        refuseWhatIsBeforeTheClock(shifts, base);
        warnOfDoubles(shifts);
        for (Part part : parts) {
            result.append(part.builder, shifts.getOrDefault(part, 0L), parts.size() == 1 ? "" : part.name + ": ");
        }
    }

    /** Finds the trace whose times can be had most exactly from those that have theirs. */
    private boolean placeAnother(Map<Part, Long> shifts) throws UnusableTraceException {
        for (int clock : BY_EXACTNESS) {
            for (Part part : parts) {
                Part placed = shifts.containsKey(part) ? null : ofSameClock(clock, part, shifts.keySet());
                if (placed != null) {
                    long shift = part.offsets.offsetNs(clock) - placed.offsets.offsetNs(clock);
                    shifts.put(part, shift + shifts.getOrDefault(placed, 0L));
                    if (clock == ClockOffsets.REALTIME) {
                        refuseAnotherBoot(part, placed);
                        result.warn(part.name + " is put together with " + placed.name
                                + " by the wall clock, which is exact to some ms only");
                    }
                    return true;
                }
            }
        }
        return false;
    }

    private static @Nullable Part ofSameClock(int clock, Part part, Collection<Part> placed) {
        return placed.stream()
                .filter(other -> sameClock(clock, part.offsets, other.offsets))
                .findFirst()
                .orElse(null);
    }

    /** Whether both know a clock, and it is the same: boot and monotonic clocks begin anew with each boot. */
    private static boolean sameClock(int clock, ClockOffsets some, ClockOffsets others) {
        if (!some.contains(clock) || !others.contains(clock)) {
            return false;
        } else if (!some.contains(ClockOffsets.REALTIME) || !others.contains(ClockOffsets.REALTIME)) {
            return true;
        }
        long booted = some.offsetNs(ClockOffsets.REALTIME) - some.offsetNs(clock);
        long othersBooted = others.offsetNs(ClockOffsets.REALTIME) - others.offsetNs(clock);
        return Math.abs(booted - othersBooted) < LARGEST_CORRECTION_NS;
    }

    /** What two recordings tell of clocks that begin with the machine must agree, or their threads have nothing to do with each other. */
    private static void refuseAnotherBoot(Part part, Part placed) throws UnusableTraceException {
        if (BOOT_CLOCKS.stream().anyMatch(clock -> part.offsets.contains(clock) && placed.offsets.contains(clock))) {
            throw new UnusableTraceException(part.name + ": is of another machine than " + placed.name
                    + ", or of another boot of it; diagnose them one" + " at a time");
        }
    }

    /** Recordings of one machine say the same of it. */
    private void refuseAnotherMachine() throws UnusableTraceException {
        for (String fact : FACTS) {
            Part first = null;
            for (Part part : parts) {
                String said = part.builder.metadata(fact);
                String saidBefore = first == null ? null : first.builder.metadata(fact);
                if (first != null && said != null && !said.equals(saidBefore)) {
                    throw new UnusableTraceException(part.name + ": is of another machine than " + first.name + " ("
                            + said + ", not " + saidBefore + "); diagnose them one at a time");
                }
                first = first == null && said != null ? part : first;
            }
        }
    }

    /**
     * Recordings of one machine that lie apart are one trace with a hole, and nothing in one explains what is in the other. Where the
     * hole is nearly all there is, no share of the whole means anything.
     */
    private void lookForHoles(Map<Part, Long> shifts) throws UnusableTraceException {
        Part before = null;
        long end = Long.MIN_VALUE;
        long recorded = 0;
        List<Part> inOrder = parts.stream()
                .filter(part -> !part.builder.isEmpty())
                .sorted(Comparator.comparingLong(part -> part.builder.startNs() + shifts.getOrDefault(part, 0L)))
                .toList();
        for (Part part : inOrder) {
            long start = part.builder.startNs() + shifts.getOrDefault(part, 0L);
            long its = part.builder.endNs() + shifts.getOrDefault(part, 0L);
            recorded += its - start;
            long hole = before == null ? 0 : start - end;
            if (before != null && hole > LARGEST_HOLE_NS) {
                String apart = part.name + " begins " + length(hole) + " after " + before.name + " ends";
                if (hole > NEAR_NS && hole / FARTHEST > recorded) {
                    throw new UnusableTraceException(apart + ", and they last " + length(recorded)
                            + " together: one says nothing of the other; diagnose them one at a time");
                }
                result.warn(apart + ": what is in one says nothing of what is in the other");
            }
            if (before == null || its > end) {
                end = its;
                before = part;
            }
        }
    }

    /** A trace of several files is called after all of them, so that none may be left out. */
    private void refuseWhatIsBeforeTheClock(Map<Part, Long> shifts, Part base) throws UnusableTraceException {
        for (Part part : parts) {
            if (!part.builder.isEmpty() && part.builder.startNs() + shifts.getOrDefault(part, 0L) < 0) {
                throw new UnusableTraceException(part.name + ": is of a time before the clock of " + base.name
                        + " began; diagnose them one at a time");
            }
        }
    }

    private static String length(long ns) {
        long seconds = ns / 1_000_000_000;
        return seconds == 0 ? "less than 1 s" : seconds < 3 * DAY_S ? seconds + " s" : seconds / DAY_S + " days";
    }

    /** The parts of one recording follow one another on each CPU. */
    private void warnOfDoubles(Map<Part, Long> shifts) {
        List<String> names = parts.stream()
                .filter(part -> parts.stream().anyMatch(other -> !other.equals(part) && overlaps(part, other, shifts)))
                .map(Part::name)
                .toList();
        if (!names.isEmpty()) {
            result.warn("scheduler events are in " + String.join(" and in ", names)
                    + ": where these overlap in time, what threads did is told twice and may be wrong; if one is a part of the"
                    + " other, give the larger one alone, else look at each by itself");
        }
    }

    private static boolean overlaps(Part one, Part other, Map<Part, Long> shifts) {
        long later = shifts.getOrDefault(other, 0L) - shifts.getOrDefault(one, 0L);
        return one.builder.schedulingOverlaps(other.builder, later);
    }
}
