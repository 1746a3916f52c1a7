package dev.unjank.trace.read.perfetto;

/**
 * A batch of packets with their parsed headers, passed from the task that splits the file to the thread that imports
 * them.
 */
final class PacketBatch {
    private static final int MOST_PACKETS = 1 << 11;
    private static final int BYTES = 1 << 17;

    // Words of a packet, after those of its header: its place | its length; its offset in the file; the offset of its
    // skipped bundle, -1 for none, and the length of that.
    private static final int PLACE_AND_LENGTH = PacketHeader.WORDS;
    private static final int OFFSET = PLACE_AND_LENGTH + 1;
    private static final int LEFT_OFFSET = OFFSET + 1;
    private static final int LEFT_LENGTH = LEFT_OFFSET + 1;
    private static final int WORDS = LEFT_LENGTH + 1;

    private final long[] words = new long[MOST_PACKETS * WORDS];
    byte[] bytes = new byte[BYTES];
    private int used;
    int packets;
    boolean isLast;

    /** Adds the current packet of a stream; returns false if the batch is full. */
    boolean add(PacketStream stream, PacketHeader frame) {
        int length = stream.to() - stream.from();
        if (packets == MOST_PACKETS || (packets > 0 && length > bytes.length - used)) {
            return false;
        }
        if (length > bytes.length) {
            bytes = new byte[length];
        }
        System.arraycopy(stream.bytes(), stream.from(), bytes, used, length);
        int at = packets++ * WORDS;
        frame.store(words, at, stream.from());
        words[at + PLACE_AND_LENGTH] = (long) used << 32 | length;
        words[at + OFFSET] = stream.offsetOf(stream.from());
        words[at + LEFT_OFFSET] = stream.hasSkippedBundle() ? stream.skippedOffset() : -1;
        words[at + LEFT_LENGTH] = stream.skippedLength();
        used += length;
        return true;
    }

    /** Marks the batch as the last one. */
    void end() {
        isLast = true;
    }

    /** Removes all packets, for reuse. */
    void clear() {
        used = 0;
        packets = 0;
    }

    void loadFrame(int packet, PacketHeader frame) {
        frame.load(words, packet * WORDS, from(packet));
    }

    int from(int packet) {
        return (int) (words[packet * WORDS + PLACE_AND_LENGTH] >> 32);
    }

    int to(int packet) {
        return from(packet) + (int) words[packet * WORDS + PLACE_AND_LENGTH];
    }

    long offset(int packet) {
        return words[packet * WORDS + OFFSET];
    }

    long leftOffset(int packet) {
        return words[packet * WORDS + LEFT_OFFSET];
    }

    int leftLength(int packet) {
        return (int) words[packet * WORDS + LEFT_LENGTH];
    }
}
