package dev.unjank.fleet.report;

import dev.unjank.fleet.folder.FleetDatabase;
import java.io.IOException;
import java.util.List;

/**
 * The report on a fleet: the verdicts, locks and methods that cost most, MessageQueue's share of the main threads' lock
 * wait time, the distribution over devices, builds and versions, and the worst traces.
 *
 * <p>A missed frame counts once, for the incident with the longest overlap, as in the doctor's report.
 *
 * @param folder the fleet's folder, as the user gave it
 */
public record FleetReport(String folder, String headline, List<ReportTable> tables) {
    public FleetReport {
        tables = List.copyOf(tables);
    }

    /** Builds the report of a fleet. */
    public static FleetReport of(FleetDatabase store) throws IOException {
        store.requireDoctor();
        return new FleetReport(store.folder().toString(), ReportHeadline.of(store), ReportTables.of(store));
    }
}
