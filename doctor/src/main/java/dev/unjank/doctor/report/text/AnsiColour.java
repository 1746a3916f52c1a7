package dev.unjank.doctor.report.text;

import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Verdict;

/** Colours for a terminal (ANSI X3.64 sequences), or none. */
enum AnsiColour {
    BOLD("1"),
    DIM("2"),
    RED("31"),
    GREEN("32"),
    YELLOW("33"),
    MAGENTA("35"),
    CYAN("36"),
    BOLD_RED("1;31");

    private final String code;

    AnsiColour(String code) {
        this.code = code;
    }

    /** Colours a string if colours are on. */
    String on(String text, boolean colour) {
        return colour && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }

    static AnsiColour of(Verdict verdict) {
        return switch (verdict) {
            case DEADLOCK, PRIORITY_INVERSION -> BOLD_RED;
            case GC_BLOCKED_BY_CRITICAL,
                    GC_BLOCKED,
                    SAFEPOINT_BLOCKED,
                    LOCK_CONVOY,
                    RUNNABLE_OWNER,
                    LONG_HOLD,
                    SLEEPING_OWNER,
                    SLOW_REPLY,
                    QUEUE_BACKLOG,
                    NO_CPU,
                    BLOCKING_IO,
                    RESOURCE_EXHAUSTED,
                    WAITED_FOR_RESULT,
                    SLEPT,
                    SLOW_IO,
                    PINNED,
                    LONG_HANDLER,
                    STOPPED -> YELLOW;
            case UNKNOWN -> DIM;
        };
    }

    static AnsiColour of(OwnerState state) {
        return switch (state) {
            case RUNNING -> GREEN;
            case RUNNABLE -> RED;
            case BLOCKED, DEADLOCKED, GC_PAUSE, REACHING_SAFEPOINT, SAFEPOINT, JNI_CRITICAL, CRITICAL_CALL -> MAGENTA;
            case SLEEPING, IO_WAIT, UNINTERRUPTIBLE, STOPPED -> YELLOW;
            case UNKNOWN -> DIM;
        };
    }
}
