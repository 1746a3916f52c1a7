package dev.unjank.trace.read.systrace;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.TraceNote;
import dev.unjank.trace.read.common.AtraceMarkParser;
import dev.unjank.trace.read.common.ClockOffsets;
import dev.unjank.trace.read.common.SkippedRecords;
import dev.unjank.trace.read.common.UnreadableRecords;
import dev.unjank.trace.read.input.ByteSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads systrace text: kernel events as its tracer prints them, one per line, with atrace marks and possibly a list
 * of processes. The text lacks interned functions and the name of the clock; two marks of atrace give its offset to
 * other clocks.
 */
public final class SystraceReader {
    /** The maximum rounding error of a clock mark: old programs round to half a second. */
    private static final long ROUNDING_NS = 1_000_000_000;

    /** Larger than the CPU numbers that {@link #LOST} matches. */
    private static final int LARGEST_CPU = 9_999;

    private static final Pattern IN_BUFFER =
            Pattern.compile("# entries-in-buffer/entries-written: (\\d{1,18})/(\\d{1,18})");
    private static final Pattern LOST = Pattern.compile("CPU:\\s*(\\d{1,4}) \\[LOST (\\d{1,18}) EVENTS\\]");

    /** The beginning of a section with data of another tool. */
    private static final Pattern FOREIGN = Pattern.compile("\\{\"|CGROUP DUMP|ATRACE_PROCESS_DUMP");

    private static final String CLOCK = "trace_event_clock_sync: ";
    private static final String PARENT_CLOCK = CLOCK + "parent_ts=";
    private static final String REAL_CLOCK = CLOCK + "realtime_ts=";

    private final String name;
    private final TraceBuilder builder;
    private final SkippedRecords skipped = new SkippedRecords();
    private final SystraceEventParser events;
    private final AtraceMarkParser marks;
    private final PsListing listing;
    private final SystraceLine line = new SystraceLine();
    private final ClockOffsets offsets = new ClockOffsets();

    /** The last recorded process of each thread. */
    private final Map<Integer, Integer> groups = new HashMap<>();

    /** The time of each CPU's last event. */
    private long[] lastOfCpu = {};

    /** The CPUs that have lost events since their last one. */
    private final BitSet gaps = new BitSet();

    private long eventCount;
    private long lost;
    private boolean isTruncated;
    private long longLines;
    private long firstLong;

    public SystraceReader(String name, TraceBuilder builder) {
        this.name = name;
        this.builder = builder;
        events = new SystraceEventParser(builder);
        marks = new AtraceMarkParser(builder);
        listing = new PsListing(builder);
    }

    /** Reads all sections and adds the warnings to the trace; returns false if there was no event. */
    public boolean read(SystraceSections sections) throws IOException {
        for (ByteSource section; (section = sections.next()) != null; ) {
            readSection(section);
        }
        if (eventCount == 0) {
            return false;
        }
        listing.emit();
        warn(sections.isTruncated());
        return true;
    }

    private void readSection(ByteSource section) throws IOException {
        LineSplitter lines = new LineSplitter(section);
        listing.end();
        boolean isForeign = false;
        for (boolean isFirst = true; lines.next(); ) {
            if (isForeign || isBlank(lines.buffer, lines.from, lines.to)) {
                continue;
            }
            isForeign = isFirst
                    && FOREIGN.matcher(head(lines.buffer, lines.from, lines.to)).lookingAt();
            isFirst = false;
            if (!isForeign) {
                line(lines.buffer, lines.from, lines.to);
            }
        }
        isTruncated |= lines.isTruncated;
        if (isForeign) {
            return;
        }
        firstLong = longLines == 0 ? lines.firstLong : firstLong;
        longLines += lines.longLines;
    }

    private void warn(boolean isPageTruncated) {
        if (lost > 0) {
            builder.warn(TraceNote.of("eventsLost", lost));
        }
        if (isPageTruncated || isTruncated) {
            builder.warn(TraceNote.of(isPageTruncated ? "cutPage" : "cutText"));
            builder.addUnreadPart(TraceNote.of("unread.end", name));
        }
        if (longLines > 0) {
            builder.warn(TraceNote.counted("longLines", longLines, firstLong));
        }
        builder.skipped(skipped.packets(), skipped.ftraceEvents());
        skipped.omissions().forEachWarning(builder::warn);
    }

    /** The known clock offsets. */
    public ClockOffsets offsets() {
        return offsets;
    }

    private void line(byte[] bytes, int from, int to) {
        if (bytes[from] == '#') {
            comment(text(bytes, from, to));
        } else if (line.parse(bytes, from, to)) {
            listing.end();
            event(bytes, to);
        } else if (!listing.line(text(bytes, from, Math.min(to, from + 4096)))) {
            other(head(bytes, from, to));
        }
    }

    private static boolean isBlank(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] == ' ') {
            at++;
        }
        return at == to;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    /** The beginning of a line. */
    private static String head(byte[] bytes, int from, int to) {
        return text(bytes, from, Math.min(to, from + 256));
    }

    private void comment(String text) {
        Matcher counts = IN_BUFFER.matcher(text);
        if (counts.lookingAt()) {
            lost += Math.max(0, Long.parseLong(counts.group(2)) - Long.parseLong(counts.group(1)));
        }
    }

    private void other(String text) {
        Matcher gap = LOST.matcher(text);
        if (gap.find()) {
            lost += Long.parseLong(gap.group(2));
            gaps.set(Integer.parseInt(gap.group(1)));
        } else if (!text.startsWith("{\"") && !text.startsWith("PROCESS DUMP")) {
            skipped.omit(UnreadableRecords.Kind.LINE);
        }
    }

    private void event(byte[] bytes, int to) {
        long ts = line.ts;
        String event = line.event();
        boolean isMark = isMark(event);
        if (isMark && isClock(bytes, ts, to)) {
            return;
        }
        eventCount++;
        recordedOn(line.cpu, ts);
        int tid = line.tid;
        int tgid = line.tgid;
        if (tgid > 0 && tid > 0 && !Integer.valueOf(tgid).equals(groups.put(tid, tgid))) {
            int comm = line.hasComm() ? builder.intern(bytes, line.commFrom, line.commTo - line.commFrom) : -1;
            builder.kernel().thread(ts, tid, tgid, comm);
        }
        builder.onCpu(line.cpu);
        boolean isRead =
                isMark ? marks.parse(ts, tid, bytes, line.bodyFrom(), to) : events.read(event, line, bytes, to);
        if (!isRead) {
            skipped.ftraceEvent();
            builder.unmodeledEvent(ts);
        }
        builder.onCpu(-1);
    }

    /** Records the time of a CPU's event, and a data loss if a line before it reported one. */
    private void recordedOn(int cpu, long ts) {
        if (cpu < 0 || cpu > LARGEST_CPU) {
            return;
        }
        if (cpu >= lastOfCpu.length) {
            int from = lastOfCpu.length;
            lastOfCpu = Arrays.copyOf(lastOfCpu, cpu + 1);
            Arrays.fill(lastOfCpu, from, cpu + 1, Long.MIN_VALUE);
        }
        if (gaps.get(cpu)) {
            gaps.clear(cpu);
            builder.addDataLoss(cpu, lastOfCpu[cpu], ts);
        }
        lastOfCpu[cpu] = ts;
    }

    /** Whether a program wrote the event; old kernels print 0 in place of the function that wrote it. */
    private static boolean isMark(String event) {
        return event.equals("tracing_mark_write") || event.equals("print") || event.equals("0");
    }

    /**
     * Parses a clock mark, which Android and systrace write at the beginning: a reading of the monotonic clock or the
     * wall clock. It is not an event of the trace: systrace adds one with the time 0.
     */
    private boolean isClock(byte[] bytes, long ts, int to) {
        int from = line.bodyFrom();
        if (to - from < CLOCK.length() || bytes[from] != CLOCK.charAt(0)) {
            return false;
        }
        String text = head(bytes, from, to);
        try {
            if (text.startsWith(PARENT_CLOCK)) {
                double seconds = Double.parseDouble(text.substring(PARENT_CLOCK.length()));
                long monotonic = Math.round(seconds * 1e9);
                if (Math.abs(monotonic - ts) < ROUNDING_NS) {
                    monotonic = ts; // the tracer uses that clock
                }
                offsets.add(ClockOffsets.MONOTONIC, ts, monotonic);
                return true;
            } else if (text.startsWith(REAL_CLOCK)) {
                long millis = Long.parseLong(text.substring(REAL_CLOCK.length()).strip());
                offsets.add(ClockOffsets.REALTIME, ts, Math.multiplyExact(millis, 1_000_000L));
                return true;
            }
        } catch (NumberFormatException | ArithmeticException e) {
            skipped.omit(UnreadableRecords.Kind.CLOCK_MARK);
            return true;
        }
        return text.startsWith(CLOCK);
    }

    /** The state for the letters of a switch. */
    static SchedState state(String letters) {
        if (letters.isEmpty()) {
            return SchedState.UNKNOWN;
        }
        return switch (letters.charAt(0)) {
            case 'R' -> letters.indexOf('+') > 0 ? SchedState.RUNNABLE_PREEMPTED : SchedState.RUNNABLE;
            case 'S' -> SchedState.SLEEPING;
            case 'D' ->
                letters.indexOf('K') > 0
                        ? SchedState.KILLABLE
                        : letters.indexOf('N') > 0 ? SchedState.IDLE : SchedState.UNINTERRUPTIBLE;
            case 'I' -> SchedState.IDLE;
            case 'T' -> SchedState.STOPPED;
            case 't' -> SchedState.TRACED;
            case 'X', 'x' -> SchedState.DEAD;
            case 'Z' -> SchedState.ZOMBIE;
            case 'P' -> SchedState.PARKED;
            case 'K' -> SchedState.KILLABLE;
            default -> SchedState.UNKNOWN;
        };
    }
}
