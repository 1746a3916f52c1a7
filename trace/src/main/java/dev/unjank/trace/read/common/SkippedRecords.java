package dev.unjank.trace.read.common;

/** Counts the records that the importers skipped. */
public final class SkippedRecords {
    private static final int PLAIN = 1024;

    /** By field number, for the numbers in use today; greater ones share the last slot. */
    private final long[] packets = new long[PLAIN + 1];

    private final long[] ftraceEvents = new long[PLAIN + 1];

    private final UnreadableRecords omissions = new UnreadableRecords();

    /** Counts a kind of packet without an importer. */
    public void packet(int field) {
        packets[Math.min(field, PLAIN)]++;
    }

    /** Counts a kind of ftrace event without an importer. */
    public void ftraceEvent(int field) {
        ftraceEvents[Math.min(field, PLAIN)]++;
    }

    /** {@return the records that could not be read} */
    public UnreadableRecords omissions() {
        return omissions;
    }

    /** Counts a record that could not be read. */
    public void omit(UnreadableRecords.Kind what) {
        omissions.count(what);
    }

    public long ftraceEvents() {
        return sum(ftraceEvents);
    }

    public long packets() {
        return sum(packets);
    }

    /** Adds the counts of another. */
    public void add(SkippedRecords other) {
        for (int i = 0; i < packets.length; i++) {
            packets[i] += other.packets[i];
            ftraceEvents[i] += other.ftraceEvents[i];
        }
        omissions.add(other.omissions);
    }

    private static long sum(long[] counts) {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }
}
