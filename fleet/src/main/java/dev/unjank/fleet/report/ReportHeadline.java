package dev.unjank.fleet.report;

import static dev.unjank.fleet.report.Cells.count;
import static dev.unjank.fleet.report.Cells.decimals;
import static dev.unjank.fleet.report.Cells.number;

import dev.unjank.fleet.folder.FleetDatabase;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The totals of a fleet in two sentences. */
final class ReportHeadline {
    private static final String TOTALS = """
            SELECT count(*), sum(dur) / 1e9, sum(lock_wait_dur) FILTER (WHERE dur IS NOT NULL) / 1e6, sum(frame_count),
                sum(missed_frame_count), (SELECT count(*) FROM incidents), (SELECT count(*) FROM failures),
                (SELECT count(unread) FROM traces), count(*) - count(dur)
            FROM summaries""";

    private ReportHeadline() {}

    static String of(FleetDatabase store) throws IOException {
        @Nullable Object[] all = store.all(TOTALS).getFirst();
        double frames = number(all[3]);
        String missed = frames == 0
                ? FleetMessages.of("headline.noFrames")
                : FleetMessages.of(
                        "headline.frames",
                        count(all[4]),
                        count(frames),
                        String.format(Locale.ROOT, "%.2f", number(all[4]) / frames * 100));
        double doubtful = number(all[8]);
        return FleetMessages.of(
                "headline",
                count(all[0]),
                count(all[1]),
                doubtful == 0 ? "" : FleetMessages.of("headline.doubtful", count(doubtful)),
                count(all[7]),
                count(all[6]),
                count(all[5]),
                decimals(all[2]),
                String.format(Locale.ROOT, "%.3f", number(all[2]) / Math.max(Cells.LEAST, number(all[1]))),
                missed);
    }
}
