package dev.unjank.record.agent;

import jdk.jfr.Category;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A Flight Recorder event that relates the recorder's clock, the event's own time, to {@link System#nanoTime}. */
@Name(ClockEvent.NAME)
@Label("Clock")
@Category("unjank")
@Enabled(false)
@StackTrace(false)
public final class ClockEvent extends Event {
    /** The event's name in settings and recordings. */
    public static final String NAME = "dev.unjank.Clock";

    private static final int TRIES = 16;

    @Label("nanoTime")
    long nanoTime;

    /** The maximum distance of the two clock readings. */
    @Label("Error")
    long error;

    /** An event to be filled by {@link #emit}. */
    ClockEvent() {}

    /** Commits the most precise of several readings. Returns false if the event is not enabled in any recording. */
    static boolean emit() {
        if (!new ClockEvent().isEnabled()) {
            return false;
        }
        ClockEvent best = read();
        for (int i = 1; i < TRIES; i++) {
            ClockEvent next = read();
            best = next.error < best.error ? next : best;
        }
        best.commit();
        return true;
    }

    private static ClockEvent read() {
        ClockEvent event = new ClockEvent();
        long before = System.nanoTime();
        event.begin();
        long after = System.nanoTime();
        event.end();
        event.nanoTime = before + (after - before) / 2;
        event.error = after - before;
        return event;
    }
}
