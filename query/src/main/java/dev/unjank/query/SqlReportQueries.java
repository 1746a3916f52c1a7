package dev.unjank.query;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.ReportQueries;
import dev.unjank.doctor.model.Verdict;

/**
 * The queries in a doctor's report: they run in a {@link QuerySession} over the same trace.
 *
 * @param command the start of a command line that queries the trace, quoted for a shell
 */
public record SqlReportQueries(String command) implements ReportQueries {
    @Override
    public String incidents(Diagnosis diagnosis) {
        return IncidentQuery.of(diagnosis);
    }

    @Override
    public String evidence(Verdict verdict, Platform platform) {
        return EvidenceQueries.of(verdict, platform);
    }

    @Override
    public String names(String table) {
        return "SELECT DISTINCT name FROM " + table;
    }
}
