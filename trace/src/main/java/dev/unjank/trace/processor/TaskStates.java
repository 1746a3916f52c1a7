package dev.unjank.trace.processor;

import dev.unjank.trace.model.Machine;
import org.jspecify.annotations.Nullable;

/**
 * Names of the states in {@code sched_switch}: a letter for each bit, as trace processor prints them. The upper bits depend on
 * the version of the kernel; 4.4 is assumed if it is unknown.
 */
enum TaskStates {
    /** Before 4.8. */
    OLDEST(0x800),
    /** From 4.8 on. */
    WITH_NEW(0x1000),
    /** From 4.14 on. */
    REPORTED(0x100);

    private static final String LOW_LETTERS = "SDTtXZ";
    private static final String HIGH_LETTERS = "xKWPN";
    private static final int FIRST_HIGH = 0x40;
    private static final int PARKED = 0x40;
    private static final int REPORTED_IDLE = 0x80;
    private static final int BEYOND_REPORTED = 0xfe00;
    private static final int UNINTERRUPTIBLE = 0x2;
    private static final int NO_LOAD = 0x400;

    private final int preempted;

    TaskStates(int preempted) {
        this.preempted = preempted;
    }

    static TaskStates of(@Nullable String release) {
        Machine.Kernel kernel = release == null ? null : Machine.Kernel.parse(release);
        if (kernel == null || kernel.isOlder(4, 8)) {
            return OLDEST;
        }
        return kernel.isOlder(4, 14) ? WITH_NEW : REPORTED;
    }

    /** The name of a state; null if the bits are impossible. */
    @Nullable
    String name(int bits) {
        if (this == REPORTED && (bits & BEYOND_REPORTED) != 0) {
            return null;
        }
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < LOW_LETTERS.length(); i++) {
            if ((bits & 1 << i) != 0) {
                letters.append(LOW_LETTERS.charAt(i));
            }
        }
        if (this == REPORTED) {
            letters.append((bits & PARKED) != 0 ? "P" : "").append((bits & REPORTED_IDLE) != 0 ? "I" : "");
        } else {
            appendHigh(letters, bits);
        }
        if (letters.isEmpty()) {
            return (bits & preempted) != 0 ? "R+" : "R";
        }
        return letters.toString();
    }

    /** The bits for letters, as kernel 4.4 numbers them. */
    static long bits(String letters) {
        if (letters.startsWith("R")) {
            return letters.startsWith("R+") ? OLDEST.preempted : 0;
        }
        long bits = 0;
        for (char letter : letters.toCharArray()) {
            int low = LOW_LETTERS.indexOf(letter);
            int high = HIGH_LETTERS.indexOf(letter);
            bits |= low >= 0
                    ? 1L << low
                    : high >= 0 ? (long) FIRST_HIGH << high : letter == 'I' ? UNINTERRUPTIBLE | NO_LOAD : 0;
        }
        return bits;
    }

    /** The letters of the upper bits, in trace processor's order: parked comes first. */
    private static void appendHigh(StringBuilder letters, int bits) {
        int known = bits & (FIRST_HIGH * 0x20 - 1);
        if (known == (UNINTERRUPTIBLE | NO_LOAD)) {
            letters.setLength(0);
            letters.append('I');
            return;
        }
        if ((bits & 0x200) != 0) {
            letters.append('P');
        }
        for (int i = 0; i < HIGH_LETTERS.length(); i++) {
            char letter = HIGH_LETTERS.charAt(i);
            if (letter != 'P' && (bits & FIRST_HIGH << i) != 0) {
                letters.append(letter);
            }
        }
    }
}
