package dev.unjank.trace.read;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.TraceNote;
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
 * Merges the traces of several files onto one clock: that of the first trace with the boot clock, Perfetto's own,
 * otherwise that of the first trace. Other traces are shifted by a clock that both contain: the boot clock, the
 * monotonic clock or, least exactly, the wall clock.
 */
final class TraceMerger {
    /** The largest correction of the wall clock between two traces of one boot. */
    private static final long LARGEST_CORRECTION_NS = 10_000_000_000L;

    /** Consecutive files of one recording have smaller gaps. */
    private static final long LARGEST_HOLE_NS = 1_000_000_000;

    /** Traces that are further apart than this, and than a multiple of their length, are separate recordings. */
    private static final long NEAR_NS = 60_000_000_000L;

    private static final int FARTHEST = 10;
    private static final long DAY_S = 86_400;

    /** Metadata that stays the same while a machine runs. */
    private static final List<String> FACTS =
            List.of("system_machine", "system_release", "system_version", "android_build_fingerprint");

    private static final List<Integer> BOOT_CLOCKS = List.of(ClockConverter.BOOTTIME, ClockOffsets.MONOTONIC);
    private static final List<Integer> BY_EXACTNESS =
            List.of(ClockConverter.BOOTTIME, ClockOffsets.MONOTONIC, ClockOffsets.REALTIME);

    private final TraceBuilder result;
    private boolean several;
    private boolean resultIsTaken;
    private final List<FileTrace> parts = new ArrayList<>();
    private final List<TraceNote> warnings = new ArrayList<>();

    private record FileTrace(String name, TraceBuilder builder, ClockOffsets offsets) {}

    TraceMerger(TraceBuilder result, boolean several) {
        this.result = result;
        this.several = several;
    }

    /** Allows for more than one trace; those that cannot be merged may be left out. */
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

    /** Ends the trace of a builder. */
    void end(String name, TraceBuilder builder, ClockOffsets ties) {
        parts.add(new FileTrace(name, builder, ties));
    }

    /** Adds a warning to the result. */
    void warn(TraceNote warning) {
        warnings.add(warning);
    }

    /** Adds a part of the input that could not be read; see {@link TraceBuilder#addUnreadPart}. */
    void addUnreadPart(TraceNote part) {
        result.addUnreadPart(part);
    }

    /** Merges all traces into the result. */
    void finish() throws UnusableTraceException {
        warnings.forEach(result::warn);
        if (parts.size() == 1 && parts.getFirst().builder == result) {
            return;
        }
        rejectOtherMachine();
        FileTrace base = parts.stream()
                .filter(part -> part.offsets.contains(ClockConverter.BOOTTIME))
                .findFirst()
                .orElse(parts.getFirst());
        Map<FileTrace, Long> shifts = new LinkedHashMap<>();
        shifts.put(base, 0L);
        while (placeNext(shifts)) {
            // until all are placed, or none can be
        }
        for (FileTrace part : parts) {
            Long shift = shifts.get(part);
            if (shift == null) {
                throw new UnusableTraceException(part.name + ": shares no clock with " + base.name
                        + ", so the order of events is unknown; diagnose them separately");
            }
        }
        checkHoles(shifts);
        rejectTimesBeforeClock(shifts, base);
        warnOfDuplicates(shifts);
        for (FileTrace part : parts) {
            result.appendFile(part.builder, shifts.getOrDefault(part, 0L), parts.size() == 1 ? null : part.name);
        }
    }

    /** Places the trace with the most exact offset to the placed ones. */
    private boolean placeNext(Map<FileTrace, Long> shifts) throws UnusableTraceException {
        for (int clock : BY_EXACTNESS) {
            for (FileTrace part : parts) {
                FileTrace placed = shifts.containsKey(part) ? null : ofSameClock(clock, part, shifts.keySet());
                if (placed != null) {
                    long shift = part.offsets.offsetNs(clock) - placed.offsets.offsetNs(clock);
                    shifts.put(part, shift + shifts.getOrDefault(placed, 0L));
                    if (clock == ClockOffsets.REALTIME) {
                        rejectOtherBoot(part, placed);
                        result.warn(TraceNote.of("wallClock", part.name, placed.name));
                    }
                    return true;
                }
            }
        }
        return false;
    }

    private static @Nullable FileTrace ofSameClock(int clock, FileTrace part, Collection<FileTrace> placed) {
        return placed.stream()
                .filter(other -> sameClock(clock, part.offsets, other.offsets))
                .findFirst()
                .orElse(null);
    }

    /**
     * Whether both traces contain a clock, and it is of the same boot: the boot clock and the monotonic clock start
     * anew with each boot.
     */
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

    /**
     * Two recordings of one boot must agree on the clocks that start with the machine; otherwise their threads are
     * unrelated.
     */
    private static void rejectOtherBoot(FileTrace part, FileTrace placed) throws UnusableTraceException {
        if (BOOT_CLOCKS.stream().anyMatch(clock -> part.offsets.contains(clock) && placed.offsets.contains(clock))) {
            throw new UnusableTraceException(part.name + ": recorded on another machine than " + placed.name
                    + ", or on another boot of it; diagnose them" + " separately");
        }
    }

    /** Recordings of one machine have the same metadata. */
    private void rejectOtherMachine() throws UnusableTraceException {
        for (String fact : FACTS) {
            FileTrace first = null;
            for (FileTrace part : parts) {
                String said = part.builder.metadata(fact);
                String saidBefore = first == null ? null : first.builder.metadata(fact);
                if (first != null && said != null && !said.equals(saidBefore)) {
                    throw new UnusableTraceException(part.name + ": recorded on another machine than " + first.name
                            + " (" + said + ", not " + saidBefore + "); diagnose them separately");
                }
                first = first == null && said != null ? part : first;
            }
        }
    }

    /**
     * Warns of a gap between recordings: neither explains waits in the other. Rejects recordings with a gap that is
     * much longer than they are, because percentages of the whole duration would be meaningless.
     */
    private void checkHoles(Map<FileTrace, Long> shifts) throws UnusableTraceException {
        FileTrace before = null;
        long end = Long.MIN_VALUE;
        long recorded = 0;
        List<FileTrace> inOrder = parts.stream()
                .filter(part -> !part.builder.isEmpty())
                .sorted(Comparator.comparingLong(part -> part.builder.startNs() + shifts.getOrDefault(part, 0L)))
                .toList();
        for (FileTrace part : inOrder) {
            long start = part.builder.startNs() + shifts.getOrDefault(part, 0L);
            long its = part.builder.endNs() + shifts.getOrDefault(part, 0L);
            recorded += its - start;
            long hole = before == null ? 0 : start - end;
            if (before != null && hole > LARGEST_HOLE_NS) {
                TraceNote apart = TraceNote.of("hole", part.name, length(hole), before.name);
                if (hole > NEAR_NS && hole / FARTHEST > recorded) {
                    throw new UnusableTraceException(apart.sentence() + ", and they last "
                            + length(recorded).sentence()
                            + " together: they are unrelated; diagnose them separately");
                }
                result.warn(TraceNote.of("unrelated", apart));
            }
            if (before == null || its > end) {
                end = its;
                before = part;
            }
        }
    }

    /** The name of a trace of several files lists all of them, so none may be left out. */
    private void rejectTimesBeforeClock(Map<FileTrace, Long> shifts, FileTrace base) throws UnusableTraceException {
        for (FileTrace part : parts) {
            if (!part.builder.isEmpty() && part.builder.startNs() + shifts.getOrDefault(part, 0L) < 0) {
                throw new UnusableTraceException(part.name + ": recorded before the clock of " + base.name
                        + " started; diagnose them separately");
            }
        }
    }

    private static TraceNote length(long ns) {
        long seconds = ns / 1_000_000_000;
        return seconds == 0
                ? TraceNote.of("length.short")
                : seconds < 3 * DAY_S
                        ? TraceNote.of("length.seconds", seconds)
                        : TraceNote.of("length.days", seconds / DAY_S);
    }

    /** The parts of one recording follow one another on each CPU. */
    private void warnOfDuplicates(Map<FileTrace, Long> shifts) {
        List<String> names = parts.stream()
                .filter(part -> parts.stream().anyMatch(other -> !other.equals(part) && overlaps(part, other, shifts)))
                .map(FileTrace::name)
                .toList();
        if (!names.isEmpty()) {
            result.warn(TraceNote.of("duplicates", String.join(" and in ", names)));
        }
    }

    private static boolean overlaps(FileTrace one, FileTrace other, Map<FileTrace, Long> shifts) {
        long later = shifts.getOrDefault(other, 0L) - shifts.getOrDefault(one, 0L);
        return one.builder.kernel().schedulingOverlaps(other.builder.kernel(), later);
    }
}
