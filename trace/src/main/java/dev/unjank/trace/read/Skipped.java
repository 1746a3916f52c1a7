package dev.unjank.trace.read;

import dev.unjank.trace.TraceBuilder;
import java.util.Map;
import java.util.TreeMap;

/** Counts what the importers passed over. */
final class Skipped {
    private static final int PLAIN = 1024;

    /** By field number, for the numbers in use today; greater ones share the last slot. */
    private final long[] packets = new long[PLAIN + 1];

    private final long[] ftraceEvents = new long[PLAIN + 1];

    private final Map<String, Long> problems = new TreeMap<>();

    /** A kind of packet that no importer is for. */
    void packet(int field) {
        packets[Math.min(field, PLAIN)]++;
    }

    /** A kind of ftrace event that no importer is for. */
    void ftraceEvent(int field) {
        ftraceEvents[Math.min(field, PLAIN)]++;
    }

    /** Something that should have been read and could not be. */
    void problem(String what) {
        problems.merge(what, 1L, Long::sum);
    }

    long ftraceEvents() {
        return sum(ftraceEvents);
    }

    long packets() {
        return sum(packets);
    }

    /** Adds what another has counted. */
    void add(Skipped other) {
        for (int i = 0; i < packets.length; i++) {
            packets[i] += other.packets[i];
            ftraceEvents[i] += other.ftraceEvents[i];
        }
        for (Map.Entry<String, Long> problem : other.problems.entrySet()) {
            problems.merge(problem.getKey(), problem.getValue(), Long::sum);
        }
    }

    /** Says what went wrong, and how often. */
    void tell(TraceBuilder builder) {
        problems.forEach((what, times) -> builder.warn("left out: " + what + ", " + times + " times"));
    }

    /** What went wrong, and how often. */
    Map<String, Long> problems() {
        return problems;
    }

    private static long sum(long[] counts) {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }
}
