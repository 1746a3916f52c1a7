package dev.unjank.trace.read;

import dev.unjank.trace.Omissions;

/** Counts what the importers passed over. */
final class Skipped {
    private static final int PLAIN = 1024;

    /** By field number, for the numbers in use today; greater ones share the last slot. */
    private final long[] packets = new long[PLAIN + 1];

    private final long[] ftraceEvents = new long[PLAIN + 1];

    private final Omissions omissions = new Omissions();

    /** A kind of packet that no importer is for. */
    void packet(int field) {
        packets[Math.min(field, PLAIN)]++;
    }

    /** A kind of ftrace event that no importer is for. */
    void ftraceEvent(int field) {
        ftraceEvents[Math.min(field, PLAIN)]++;
    }

    /** {@return what should have been read and could not be} */
    Omissions omissions() {
        return omissions;
    }

    /** Something that should have been read and could not be. */
    void omit(Omissions.What what) {
        omissions.note(what);
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
