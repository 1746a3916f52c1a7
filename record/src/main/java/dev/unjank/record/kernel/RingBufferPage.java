package dev.unjank.record.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * An iterator over the events of one page of the kernel's ring buffer. A page begins with a timestamp and its used
 * size; records follow, each with a header of 32 bits: five for the type or the length, 27 for the time since the
 * record before.
 *
 * <pre>
 * five bits     record
 * 0             an event; its length, including the four bytes of the length, comes first
 * 1 to 28       an event of four times as many bytes
 * 29            padding: the rest of the page if the time is 0, otherwise as many bytes as the next word says
 * 30            a time extension: the 27 bits and, above them, the next 32
 * 31            an absolute time: the same bits, with the bits above from the last time
 * </pre>
 *
 * Little-endian machines only. Pages are not trusted: malformed data ends the iteration, see {@link #isDamaged}.
 */
final class RingBufferPage {
    private static final int PADDING = 29;
    private static final int TIME_EXTEND = 30;
    private static final int TIME_STAMP = 31;
    private static final int DELTA_BITS = 27;
    private static final long STAMP_BITS = (1L << 59) - 1;

    /** A flag of the used size: events before this page were overwritten unread. */
    private static final int MISSED = 1 << 31;

    private static final int USED = (1 << 27) - 1;

    private final PageLayout layout;
    private final MemorySegment page;
    private long end;
    private long next;
    private long time;
    private long offset;
    private int length;
    private boolean missed;
    private boolean damaged;

    /** Creates an iterator over pages that are read into the same memory. */
    RingBufferPage(PageLayout layout, MemorySegment page) {
        this.layout = layout;
        this.page = page;
    }

    /** Starts with the page that is in the memory now. */
    void begin() {
        time = page.get(JAVA_LONG_UNALIGNED, 0);
        int commit = page.get(JAVA_INT_UNALIGNED, layout.commitOffset());
        int used = commit & USED;
        damaged = used > layout.dataSize();
        next = layout.dataOffset();
        end = next + (damaged ? 0 : used);
        missed = (commit & MISSED) != 0;
    }

    /** Advances to the next event; false if there is none. */
    boolean next() {
        while (end - next >= Integer.BYTES) {
            int head = page.get(JAVA_INT_UNALIGNED, next);
            int kind = head & 31;
            int delta = head >>> 5;
            long body = next + Integer.BYTES;
            if (kind <= 28 && kind > 0) {
                return event(delta, body, kind * 4L);
            }
            if (kind == PADDING && delta == 0) {
                break;
            }
            if (end - body < Integer.BYTES) {
                return damage();
            }
            long word = page.get(JAVA_INT_UNALIGNED, body) & 0xffff_ffffL;
            switch (kind) {
                case 0 -> {
                    return word < Integer.BYTES
                            ? damage()
                            : event(delta, body + Integer.BYTES, (word - Integer.BYTES + 3) & ~3L);
                }
                case PADDING -> {
                    time += delta;
                    next = body + word;
                }
                case TIME_EXTEND -> {
                    time += (word << DELTA_BITS) + delta;
                    next = body + Integer.BYTES;
                }
                case TIME_STAMP -> {
                    time = (time & ~STAMP_BITS) | ((word << DELTA_BITS) + delta);
                    next = body + Integer.BYTES;
                }
                default -> throw new AssertionError(kind);
            }
        }
        next = end;
        return false;
    }

    private boolean event(int delta, long from, long size) {
        if (from + size > end) {
            return damage();
        }
        time += delta;
        offset = from;
        length = (int) size;
        next = from + size;
        return true;
    }

    private boolean damage() {
        damaged = true;
        next = end;
        return false;
    }

    /** Whether the kernel overwrote unread events before this page. */
    boolean hasMissed() {
        return missed;
    }

    /** Whether the page is malformed. */
    boolean isDamaged() {
        return damaged;
    }

    /** The time of the event, on the configured trace clock. */
    long time() {
        return time;
    }

    /** The length of the event's record. */
    int length() {
        return length;
    }

    long number(EventFormat.Field field) {
        int at = field.offset();
        if (at + field.size() > length) {
            return 0; // a shorter record than the format says
        }
        long where = offset + at;
        return switch (field.size()) {
            case 1 -> field.signed() ? page.get(JAVA_BYTE, where) : page.get(JAVA_BYTE, where) & 0xff;
            case 2 ->
                field.signed() ? page.get(JAVA_SHORT_UNALIGNED, where) : page.get(JAVA_SHORT_UNALIGNED, where) & 0xffff;
            case 4 ->
                field.signed()
                        ? page.get(JAVA_INT_UNALIGNED, where)
                        : page.get(JAVA_INT_UNALIGNED, where) & 0xffff_ffffL;
            case 8 -> page.get(JAVA_LONG_UNALIGNED, where);
            default -> 0;
        };
    }

    /** A short name in the event. */
    String text(EventFormat.Field field, CommCache comms) {
        int at = field.offset();
        int size = field.size();
        if (field.elsewhere()) {
            int place = (int) number(field);
            at = place & 0xffff;
            size = place >>> 16;
        }
        return at + size > length ? "" : comms.get(page, offset + at, size);
    }
}
