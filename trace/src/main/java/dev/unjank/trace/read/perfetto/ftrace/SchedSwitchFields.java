package dev.unjank.trace.read.perfetto.ftrace;

import dev.unjank.trace.proto.FtraceFields.SchedSwitch;
import dev.unjank.trace.proto.ProtoReader;

/**
 * What a switch of the scheduler says, the most frequent event of most traces. The kernel's fields nearly always come in their
 * order, which is read in a few steps; any other order field by field. One object reads one event after the other.
 */
final class SchedSwitchFields {
    private static final int PREV_COMM_TAG = SchedSwitch.PREV_COMM << 3 | ProtoReader.LENGTH_DELIMITED;
    private static final int PREV_PID_TAG = SchedSwitch.PREV_PID << 3;
    private static final int PREV_PRIO_TAG = SchedSwitch.PREV_PRIO << 3;
    private static final int PREV_STATE_TAG = SchedSwitch.PREV_STATE << 3;
    private static final int NEXT_COMM_TAG = SchedSwitch.NEXT_COMM << 3 | ProtoReader.LENGTH_DELIMITED;
    private static final int NEXT_PID_TAG = SchedSwitch.NEXT_PID << 3;
    private static final int NEXT_PRIO_TAG = SchedSwitch.NEXT_PRIO << 3;

    /** The kernel's names have 15 bytes. */
    private static final int LONGEST_NAME = 31;

    /** Two names and five numbers, of at most three bytes each. */
    private static final int LONGEST = 2 * (2 + LONGEST_NAME) + 5 * (1 + 3);

    private final ProtoReader reader = new ProtoReader();
    private int position;

    // The two threads: where the names are, -1 for none.
    private int prevNameFrom;
    private int prevNameTo;
    private int prevTid;
    private int prevPriority;
    private long prevState;
    private int nextNameFrom;
    private int nextNameTo;
    private int nextTid;
    private int nextPriority;

    /** Reads an event. What a damaged one says up to the damage counts. */
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

    /** The number behind a tag; a negative one if there is another tag, or a longer number. */
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

    /** Where the name of the thread begins that ran before; -1 if that is not told. */
    int prevNameFrom() {
        return prevNameFrom;
    }

    /** Where it ends. */
    int prevNameTo() {
        return prevNameTo;
    }

    /** The thread that ran before. */
    int prevTid() {
        return prevTid;
    }

    /** Its priority. */
    int prevPriority() {
        return prevPriority;
    }

    /** What became of it, in the kernel's bits. */
    long prevState() {
        return prevState;
    }

    /** Where the name of the thread begins that runs from now on; -1 if that is not told. */
    int nextNameFrom() {
        return nextNameFrom;
    }

    /** Where it ends. */
    int nextNameTo() {
        return nextNameTo;
    }

    /** The thread that runs from now on. */
    int nextTid() {
        return nextTid;
    }

    /** Its priority. */
    int nextPriority() {
        return nextPriority;
    }
}
