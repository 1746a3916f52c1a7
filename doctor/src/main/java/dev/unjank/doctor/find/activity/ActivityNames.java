package dev.unjank.doctor.find.activity;

import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Names the activity of a thread by its slices. */
public final class ActivityNames {
    private final Slices slices;
    private final IntPredicate isContention;

    /** Reads the slices of a trace; {@code isContention} tests a row for a wait for a lock. */
    public ActivityNames(Trace trace, IntPredicate isContention) {
        this.slices = trace.slices();
        this.isContention = isContention;
    }

    /**
     * {@return the innermost slice of a thread in the middle of an interval, other than a wait for a lock; null if
     * there is none}
     */
    @Nullable
    public String during(int utid, long from, long to) {
        int row = slices.innermostAt(utid, from + (to - from) / 2);
        while (row >= 0 && isContention.test(row)) {
            row = slices.parent(row);
        }
        return row < 0 ? null : withoutEmptyObject(slices.name(row));
    }

    /** Recordings without the object that a thread parked on have slices with the name {@code parking on}. */
    private static String withoutEmptyObject(String name) {
        return name.endsWith(" on") ? name.substring(0, name.length() - 3) : name;
    }
}
