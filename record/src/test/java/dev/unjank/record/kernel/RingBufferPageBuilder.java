package dev.unjank.record.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Makes pages as the kernel does: the generator of recorded raw pages for tests. */
final class RingBufferPageBuilder {
    static final PageLayout LAYOUT = new PageLayout(8, 16, 4080);

    private final ByteBuffer page = ByteBuffer.allocate(LAYOUT.pageSize()).order(ByteOrder.LITTLE_ENDIAN);
    private long time;

    RingBufferPageBuilder(long time) {
        this.time = time;
        page.putLong(0, time);
        page.position(LAYOUT.dataOffset());
    }

    /** An event with a record of any length. */
    RingBufferPageBuilder event(long at, byte[] record) {
        int padded = (record.length + 3) & ~3;
        long delta = at - time;
        if (delta >= 1 << 27) {
            page.putInt((int) (delta & ((1 << 27) - 1)) << 5 | 30).putInt((int) (delta >>> 27));
            delta = 0;
        }
        time = at;
        if (padded <= 28 * 4 && padded > 0) {
            page.putInt((int) delta << 5 | padded / 4);
        } else {
            page.putInt((int) delta << 5).putInt(padded + 4);
        }
        page.put(record).put(new byte[padded - record.length]);
        return this;
    }

    /** An event that the kernel has taken back. */
    RingBufferPageBuilder discarded(long at, int bytes) {
        page.putInt((int) (at - time) << 5 | 29).putInt(bytes + 4).put(new byte[bytes]);
        time = at;
        return this;
    }

    /** A time by itself. */
    RingBufferPageBuilder stamp(long at) {
        page.putInt((int) (at & ((1 << 27) - 1)) << 5 | 31).putInt((int) (at >>> 27));
        time = at;
        return this;
    }

    byte[] build() {
        return build(0, 0);
    }

    /** With the flags of events that were overwritten unread, and how many if that is stored. */
    byte[] build(int flags, long missed) {
        int used = page.position() - LAYOUT.dataOffset();
        page.putInt(LAYOUT.commitOffset(), used | flags);
        if (missed > 0) {
            page.putLong(missed);
        }
        return page.array().clone();
    }

    /** The record of a sched_switch in the layout of {@link EventFormats#SCHED_SWITCH}. */
    static byte[] schedSwitch(int prev, int prevPrio, long prevState, int next, int nextPrio) {
        ByteBuffer record = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        record.putShort((short) 372).put((byte) 1).put((byte) 2).putInt(prev);
        comm(record, 8, "thread-" + prev);
        record.putInt(24, prev).putInt(28, prevPrio).putLong(32, prevState);
        comm(record, 40, "thread-" + next);
        record.putInt(56, next).putInt(60, nextPrio);
        return record.array();
    }

    private static void comm(ByteBuffer record, int at, String comm) {
        record.put(at, comm.getBytes(StandardCharsets.UTF_8));
    }
}
