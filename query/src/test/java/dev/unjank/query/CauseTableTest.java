package dev.unjank.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.fixture.RealTraces;
import dev.unjank.query.result.QueryException;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of root causes has the rows of the report's, and its incidents are those with its rank. */
class CauseTableTest {
    private static final String COLUMNS = "rank, verdict, waiter_threads, coalesce(waiter_method, ''),"
            + " coalesce(owner_method, ''), occurrence_count, incident_count, total_dur, p50_dur, p95_dur, max_dur, cost_dur";

    private static List<String> rows(QueryTestSession session, String sql) throws QueryException {
        return session.csv(sql).stream().skip(1).toList();
    }

    private static void assertEqualsReport(Trace trace) throws IOException, QueryException {
        Diagnosis diagnosis = Doctor.diagnose(trace, DoctorOptions.defaults());
        List<RootCause> causes =
                Doctor.rootCauses(diagnosis, diagnosis.incidents()).causes();
        try (QueryTestSession session = QueryTestSession.of(trace)) {
            assertThat(rows(session, "SELECT " + COLUMNS + " FROM unjank_cause ORDER BY rank"))
                    .isEqualTo(causes.stream().map(CauseTableTest::row).toList());
            assertThat(rows(session, """
                    SELECT c.rank, count(i.id), coalesce(sum(i.dur), 0), max(i.id = c.example_id)
                    FROM unjank_cause AS c LEFT JOIN unjank_incident AS i ON i.cause = c.rank
                    GROUP BY c.rank ORDER BY c.rank"""))
                    .isEqualTo(causes.stream()
                            .map(cause -> cause.rank() + "," + cause.incidents().size() + "," + cause.totalNs() + ",1")
                            .toList());
            assertThat(rows(
                            session,
                            "SELECT count(*), coalesce(sum(dur), 0) FROM unjank_incident WHERE cause IS NOT NULL"))
                    .containsExactly(causes.stream()
                                    .mapToInt(cause -> cause.incidents().size())
                                    .sum()
                            + ","
                            + causes.stream().mapToLong(RootCause::totalNs).sum());
        }
    }

    private static String row(RootCause cause) {
        return cause.rank() + ",\"" + cause.verdict() + "\"," + cause.waiters().threads() + ",\""
                + method(cause.waiterSite()) + "\",\"" + method(cause.ownerSite()) + "\"," + cause.occurrences() + ","
                + cause.incidents().size() + "," + cause.totalNs() + "," + cause.p50Ns() + "," + cause.p95Ns() + ","
                + cause.maxNs() + "," + cause.costNs();
    }

    private static String method(CodeLocation site) {
        return site == null ? "" : site.method();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SlowJournal", "ExhaustedPool", "CollectorUnderLock", "SleepingHandler", "BusyPool"})
    void ofExamplePrograms(String program) throws Exception {
        Path folder = Path.of(System.getProperty("unjank.root", ".."), "examples", "causes");
        assertEqualsReport(TraceReader.read(folder.resolve(program + ".jfr.gz")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a13_pixel6a_startup_warm.perfetto-trace",
                "a7_nexus5x_startup_cold.perfetto-trace",
                "grafana_goland-multichunk.jfr.gz",
                "jmc_full_gc_g1.jfr"
            })
    void ofRealTraces(String name) throws Exception {
        assertEqualsReport(TraceReader.read(RealTraces.file(name)));
    }

    @Test
    void shorterWaitsAndThoseOfOtherThreadsHaveNoCause() throws Exception {
        Trace trace = TraceReader.read(RealTraces.file("a13_pixel6a_startup_warm.perfetto-trace"));
        try (QueryTestSession session = QueryTestSession.of(trace)) {
            assertThat(rows(
                            session,
                            "SELECT DISTINCT cause IS NULL FROM unjank_incident WHERE dur < 1000000 OR is_default = 0"))
                    .containsExactly("1");
        }
    }
}
