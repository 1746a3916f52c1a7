package dev.unjank.trace.read.common;

/** Counts what the importers passed over. */
public final class SkippedRecords {
    private static final int PLAIN = 1024;

    /** By field number, for the numbers in use today; greater ones share the last slot. */
    private final long[] packets = new long[PLAIN + 1];

    private final long[] ftraceEvents = new long[PLAIN + 1];

    private final UnreadableRecords omissions = new UnreadableRecords();

    /** A kind of packet that no importer is for. */
    public void packet(int field) {
        packets[Math.min(field, PLAIN)]++;
    }

    /** A kind of ftrace event that no importer is for. */
    public void ftraceEvent(int field) {
        ftraceEvents[Math.min(field, PLAIN)]++;
    }

    /** {@return what should have been read and could not be} */
    public UnreadableRecords omissions() {
        return omissions;
    }

    /** Something that should have been read and could not be. */
    public void omit(UnreadableRecords.Kind what) {
        omissions.count(what);
    }

    public long ftraceEvents() {
        return sum(ftraceEvents);
    }

    public long packets() {
        return sum(packets);
    }

    /** Adds what another has counted. */
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
