package dev.unjank.fleet.task;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * A query that runs on each trace.
 *
 * @param table the table of its rows; further results of the statements get a number as suffix
 * @param sql PerfettoSQL
 */
public record TaskQuery(String table, String sql) implements Serializable {
    private static final long serialVersionUID = 1;

    /** The table with one row for each trace that could be read. */
    public static final String TRACES = "traces";

    /** The table with one row for each trace that could not be read. */
    public static final String FAILURES = "failures";

    /** The table with one row for each file that is clearly not a trace. */
    public static final String SKIPPED = "skipped";

    /** The doctor's summary, one row per trace. */
    public static final String SUMMARIES = "summaries";

    /** The doctor's incidents. */
    public static final String INCIDENTS = "incidents";

    /** The doctor's root causes. */
    public static final String CAUSES = "causes";

    /** The states of owners during incidents. */
    public static final String BLAMES = "blames";

    /** The missed frames of incidents. */
    public static final String FRAME_COSTS = "frame_costs";

    /** App startups, one row per cause. */
    public static final String STARTUPS = "startups";

    /** The queries of the doctor's tables; {@code least} is the minimum duration of an incident. */
    public static List<TaskQuery> ofTheDoctor(Duration least) {
        String shown = "unjank_incident WHERE is_default AND dur >= " + least.toNanos();
        String ids = "(SELECT id FROM " + shown + ")";
        return List.of(
                new TaskQuery(SUMMARIES, "SELECT * FROM unjank_summary"),
                new TaskQuery(INCIDENTS, "SELECT * FROM " + shown),
                new TaskQuery(CAUSES, "SELECT * FROM unjank_cause"),
                new TaskQuery(BLAMES, "SELECT * FROM unjank_blame WHERE incident_id IN " + ids),
                new TaskQuery(FRAME_COSTS, "SELECT * FROM unjank_frame_cost WHERE incident_id IN " + ids),
                new TaskQuery(STARTUPS, "SELECT * FROM unjank_startup"));
    }

    /** The query of statements in PerfettoSQL. */
    public static List<TaskQuery> ofStatements(String sql) {
        return List.of(new TaskQuery("result", sql));
    }
}
