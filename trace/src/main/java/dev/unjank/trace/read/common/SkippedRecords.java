package dev.unjank.trace.read.common;

/** Counts the records that the importers skipped. */
public final class SkippedRecords {
    private final UnreadableRecords omissions = new UnreadableRecords();
    private long packets;
    private long ftraceEvents;

    /** Counts a packet of a kind without an importer. */
    public void packet() {
        packets++;
    }

    /** Counts an ftrace event of a kind without an importer. */
    public void ftraceEvent() {
        ftraceEvents++;
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
        return ftraceEvents;
    }

    public long packets() {
        return packets;
    }

    public void add(SkippedRecords other) {
        packets += other.packets;
        ftraceEvents += other.ftraceEvents;
        omissions.add(other.omissions);
    }
}
