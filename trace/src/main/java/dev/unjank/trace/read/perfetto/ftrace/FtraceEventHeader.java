package dev.unjank.trace.read.perfetto.ftrace;

import dev.unjank.trace.proto.FtraceFields.FtraceEvent;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.proto.Varint;

/**
 * The common fields of a kernel event: time, thread and kind. Nearly all events of a trace have the same layout,
 * which is parsed in a few steps; any other is parsed field by field. One object parses one event after the other.
 */
final class FtraceEventHeader {
    private static final int TIME_TAG = FtraceEvent.TIMESTAMP << 3;
    private static final int TID_TAG = FtraceEvent.PID << 3;
    private static final int LENGTH_DELIMITED = ProtoReader.LENGTH_DELIMITED;

    /** Tags up to this are of the fields above or invalid. */
    private static final int LAST_COMMON_TAG = FtraceEvent.PID << 3 | 7;

    /** The bytes of the common layout before the event's own message: three tags, a time, a tid, a length. */
    private static final int LONGEST = 1 + 8 + 1 + 3 + 2 + 4;

    private final ProtoReader event = new ProtoReader();
    /** The time, on the event's clock. */
    long time;
    /** The thread that was running. */
    int tid;
    /** The kernel's flags, such as whether it was in an interrupt. */
    int flags;
    /** The field number of the event's kind. */
    int kind;
    /** The start of that field's message. */
    int from;
    /** The end of that field's message. */
    int to;

    /** Parses an event; returns false if it is malformed. */
    boolean read(byte[] bytes, int eventFrom, int eventTo) {
        flags = 0;
        return (bytes.length - eventFrom >= LONGEST && isUsual(bytes, eventFrom, eventTo))
                || readFields(bytes, eventFrom, eventTo);
    }

    /** Whether the event has a time, a tid, the message of a kind with a tag of one or two bytes, and nothing else. */
    private boolean isUsual(byte[] bytes, int eventFrom, int eventTo) {
        int at = eventFrom;
        if (bytes[at++] != TIME_TAG) {
            return false;
        }
        long when = Varint.word(bytes, at);
        int whenLength = Varint.length(when);
        at += whenLength;
        if (whenLength > Long.BYTES || bytes[at++] != TID_TAG) {
            return false;
        }
        int who = bytes[at++];
        if (who < 0) {
            who = (who & 0x7f) | bytes[at++] << 7;
            if (who < 0) {
                who = (who & 0x3fff) | bytes[at++] << 14;
            }
        }
        int tag = bytes[at++];
        if (tag < 0) {
            tag = (tag & 0x7f) | bytes[at++] << 7;
        }
        int length = bytes[at++];
        if (length < 0) {
            length = (length & 0x7f) | bytes[at++] << 7;
            if (length < 0) {
                // Perfetto's library reserves four bytes if it does not know the length in advance.
                length = (length & 0x3fff) | bytes[at++] << 14;
                if (length < 0) {
                    length = (length & 0x1fffff) | bytes[at++] << 21;
                }
            }
        }
        if (who < 0
                || tag <= LAST_COMMON_TAG
                || (tag & 7) != LENGTH_DELIMITED
                || length < 0
                || at + length != eventTo) {
            return false;
        }
        time = Varint.value(when);
        tid = who;
        kind = tag >>> 3;
        from = at;
        to = eventTo;
        return true;
    }

    private boolean readFields(byte[] bytes, int eventFrom, int eventTo) {
        time = 0;
        tid = 0;
        kind = 0;
        event.reset(bytes, eventFrom, eventTo);
        while (event.next()) {
            int field = event.field();
            if (field == FtraceEvent.TIMESTAMP) {
                time = event.value();
            } else if (field == FtraceEvent.PID) {
                tid = event.intValue();
            } else if (field == FtraceEvent.COMMON_FLAGS && !event.isBytes()) {
                flags = event.intValue();
            } else if (kind == 0 && event.isBytes()) {
                kind = field;
                from = event.from();
                to = event.to();
            }
        }
        return !event.isDamaged() && kind != 0;
    }
}
