package dev.unjank.trace.read.perfetto.ftrace;

import dev.unjank.trace.proto.FtraceFields.SchedSwitch;
import dev.unjank.trace.proto.ProtoReader;

/**
 * The fields of a sched_switch, the most frequent event of most traces. They nearly always come in order, which is
 * parsed in a few steps; any other order is parsed field by field. One object parses one event after the other.
 */
final class SchedSwitchFields {
    private static final int PREV_COMM_TAG = SchedSwitch.PREV_COMM << 3 | ProtoReader.LENGTH_DELIMITED;
    private static final int PREV_PID_TAG = SchedSwitch.PREV_PID << 3;
    private static final int PREV_PRIO_TAG = SchedSwitch.PREV_PRIO << 3;
    private static final int PREV_STATE_TAG = SchedSwitch.PREV_STATE << 3;
    private static final int NEXT_COMM_TAG = SchedSwitch.NEXT_COMM << 3 | ProtoReader.LENGTH_DELIMITED;
    private static final int NEXT_PID_TAG = SchedSwitch.NEXT_PID << 3;
    private static final int NEXT_PRIO_TAG = SchedSwitch.NEXT_PRIO << 3;

    /** The kernel's names have at most 15 bytes. */
    private static final int LONGEST_NAME = 31;

    /** Two names and five numbers, of at most three bytes each. */
    private static final int LONGEST = 2 * (2 + LONGEST_NAME) + 5 * (1 + 3);

    private final ProtoReader reader = new ProtoReader();
    private int position;

    // The names of the two threads: start, -1 for none.
    /** The start of the name of the thread that ran before; -1 if it is missing. */
    int prevNameFrom;

    int prevNameTo;
    /** The thread that ran before. */
    int prevTid;
    /** The priority of the thread that ran before. */
    int prevPriority;
    /** The new state of the thread that ran before, in the kernel's bits. */
    long prevState;
    /** The start of the name of the thread that runs next; -1 if it is missing. */
    int nextNameFrom;

    int nextNameTo;
    /** The thread that runs next. */
    int nextTid;
    /** The priority of the thread that runs next. */
    int nextPriority;

    /** Parses an event. Fields before a damage count. */
    void read(byte[] bytes, int from, int to) {
        if (bytes.length - from < LONGEST || !isUsual(bytes, from, to)) {
            readFields(bytes, from, to);
        }
    }

    private boolean isUsual(byte[] bytes, int from, int to) {
        int prevLength = bytes[from + 1];
        if (bytes[from] != PREV_COMM_TAG || prevLength < 0 || prevLength > LONGEST_NAME) {
            return false;
        }
        prevNameFrom = from + 2;
        position = prevNameFrom + prevLength;
        prevNameTo = position;
        prevTid = number(bytes, PREV_PID_TAG);
        prevPriority = number(bytes, PREV_PRIO_TAG);
        int state = number(bytes, PREV_STATE_TAG);
        prevState = state;
        int at = position;
        int nextLength = bytes[at + 1];
        if (bytes[at] != NEXT_COMM_TAG || nextLength < 0 || nextLength > LONGEST_NAME) {
            return false;
        }
        nextNameFrom = at + 2;
        position = nextNameFrom + nextLength;
        nextNameTo = position;
        nextTid = number(bytes, NEXT_PID_TAG);
        nextPriority = number(bytes, NEXT_PRIO_TAG);
        return (prevTid | prevPriority | state | nextTid | nextPriority) >= 0 && position == to;
    }

    /** The number after a tag; negative if there is another tag, or a longer number. */
    private int number(byte[] bytes, int tag) {
        int at = position;
        int number = bytes[at + 1];
        int next = at + 2;
        if (number < 0) {
            number = (number & 0x7f) | bytes[next++] << 7;
            if (number < 0) {
                number = (number & 0x3fff) | bytes[next++] << 14;
            }
        }
        position = next;
        return bytes[at] == tag ? number : -1;
    }

    private void readFields(byte[] bytes, int from, int to) {
        prevNameFrom = -1;
        prevTid = 0;
        prevPriority = 0;
        prevState = 0;
        nextNameFrom = -1;
        nextTid = 0;
        nextPriority = 0;
        reader.reset(bytes, from, to);
        while (reader.next()) {
            switch (reader.field()) {
                case SchedSwitch.PREV_COMM -> {
                    prevNameFrom = reader.from();
                    prevNameTo = reader.to();
                }
                case SchedSwitch.PREV_PID -> prevTid = reader.intValue();
                case SchedSwitch.PREV_PRIO -> prevPriority = reader.intValue();
                case SchedSwitch.PREV_STATE -> prevState = reader.value();
                case SchedSwitch.NEXT_COMM -> {
                    nextNameFrom = reader.from();
                    nextNameTo = reader.to();
                }
                case SchedSwitch.NEXT_PID -> nextTid = reader.intValue();
                case SchedSwitch.NEXT_PRIO -> nextPriority = reader.intValue();
                default -> {}
            }
        }
    }
}
