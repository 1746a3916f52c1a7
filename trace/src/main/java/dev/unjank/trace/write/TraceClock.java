package dev.unjank.trace.write;

import dev.unjank.trace.proto.PacketFields.BuiltinClock;

/** The clocks of times in a trace. */
public enum TraceClock {
    /** Nanoseconds since boot, including suspend: Perfetto's default. */
    BOOTTIME(BuiltinClock.BOOTTIME),
    /** Nanoseconds since boot, excluding suspend. */
    MONOTONIC(BuiltinClock.MONOTONIC),
    /** Nanoseconds since 1970. */
    REALTIME(BuiltinClock.REALTIME);

    private final int id;

    TraceClock(int id) {
        this.id = id;
    }

    int id() {
        return id;
    }
}
