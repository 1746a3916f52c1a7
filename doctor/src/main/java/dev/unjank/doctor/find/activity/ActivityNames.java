package dev.unjank.doctor.find.activity;

import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Says in the program's own words what a thread was doing. */
public final class ActivityNames {
    private final Slices slices;
    private final IntPredicate isContention;

    /** Names by the slices of a trace; {@code isContention} says which rows are waits for a lock. */
    public ActivityNames(Trace trace, IntPredicate isContention) {
        this.slices = trace.slices();
        this.isContention = isContention;
    }

    /**
     * {@return the name of the innermost slice of a thread in the middle of an interval that is not about a lock; null if there
     * is none}
     */
    @Nullable
    public String amid(int utid, long from, long to) {
        int row = slices.innermostAt(utid, from + (to - from) / 2);
        while (row >= 0 && isContention.test(row)) {
            row = slices.parent(row);
        }
        return row < 0 ? null : whole(slices.name(row));
    }

    /** Recordings that do not know what a thread parked on say so by saying nothing: {@code parking on}. */
    private static String whole(String name) {
        return name.endsWith(" on") ? name.substring(0, name.length() - 3) : name;
    }
}
