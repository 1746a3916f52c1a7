package dev.unjank.trace.write;

import dev.unjank.trace.proto.PacketFields.BuiltinClock;

/** A clock that times in a trace can be of. */
public enum TraceClock {
    /** Nanoseconds since boot, sleep included: Perfetto's own. */
    BOOTTIME(BuiltinClock.BOOTTIME),
    /** Nanoseconds since boot, sleep excluded. */
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
