package dev.unjank.fleet.task;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * What each trace is asked.
 *
 * @param table what the rows are called; where statements have several results, the others are called so with a number behind
 * @param sql PerfettoSQL
 */
public record TaskQuery(String table, String sql) implements Serializable {
    private static final long serialVersionUID = 1;

    /** The table with one row for each trace that could be read. */
    public static final String TRACES = "traces";

    /** The table with one row for each trace that could not. */
    public static final String FAILURES = "failures";

    /** The table with one row for each file that was found among traces and is plainly none. */
    public static final String SKIPPED = "skipped";

    /** What the doctor counts of a trace as a whole: one row each. */
    public static final String SUMMARIES = "summaries";

    /** What the doctor shows of a trace. */
    public static final String INCIDENTS = "incidents";

    /** What those in the way were doing meanwhile. */
    public static final String BLAMES = "blames";

    /** The frames that incidents cost. */
    public static final String FRAME_COSTS = "frame_costs";

    /** The starts of apps, a row for each cause. */
    public static final String START_UPS = "start_ups";

    /**
     * What {@code unjank doctor} tells of a trace.
     *
     * @param least the shortest wait that counts as an incident
     * @return a question for each table
     */
    public static List<TaskQuery> ofTheDoctor(Duration least) {
        String shown = "unjank_incident WHERE is_default AND dur >= " + least.toNanos();
        String ids = "(SELECT id FROM " + shown + ")";
        return List.of(
                new TaskQuery(SUMMARIES, "SELECT * FROM unjank_summary"),
                new TaskQuery(INCIDENTS, "SELECT * FROM " + shown),
                new TaskQuery(BLAMES, "SELECT * FROM unjank_blame WHERE incident_id IN " + ids),
                new TaskQuery(FRAME_COSTS, "SELECT * FROM unjank_frame_cost WHERE incident_id IN " + ids),
                new TaskQuery(START_UPS, "SELECT * FROM unjank_start_up"));
    }

    /**
     * What statements answer.
     *
     * @param sql PerfettoSQL
     * @return one question
     */
    public static List<TaskQuery> ofStatements(String sql) {
        return List.of(new TaskQuery("result", sql));
    }
}
