package dev.unjank.trace.proto;

/**
 * Decodes the numbers of a packed field all at once, for columns of many rows. Like {@link ProtoReader} it never
 * throws; after damage there are no further numbers. Reusable.
 */
public final class PackedNumbers {
    private long[] values = {};
    private int size;

    /** Creates a column without rows. */
    public PackedNumbers() {}

    /** Removes all numbers. */
    public void clear() {
        size = 0;
    }

    /** Reads a field. */
    public void read(ProtoReader reader) {
        byte[] bytes = reader.bytes();
        int at = reader.from();
        int to = reader.to();
        if (values.length < to - at) {
            values = new long[Math.max(to - at, values.length * 2)];
        }
        int rows = 0;
        while (at < to) {
            long value = bytes[at++];
            if (value < 0) {
                value &= 0x7f;
                int shift = 7;
                long next = -1;
                while (next < 0 && at < to && shift < Long.SIZE) {
                    next = bytes[at++];
                    value |= (next & 0x7f) << shift;
                    shift += 7;
                }
                if (next < 0) {
                    break;
                }
            }
            values[rows++] = value;
        }
        size = rows;
    }

    /** The count of numbers. */
    public int size() {
        return size;
    }

    /** One of the numbers. */
    public long get(int row) {
        return values[row];
    }
}
