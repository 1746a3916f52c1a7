package dev.unjank.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.report.json.JsonReport;
import dev.unjank.doctor.report.text.RootCauseReport;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.fixture.RealTraces;
import dev.unjank.query.result.QueryException;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The text report, JSON and SQL give an incident the same number, and a root cause the same rank. */
class IncidentNumbersTest {
    private static final SqlReportQueries QUERIES = new SqlReportQueries("unjank query trace");
    private static final Pattern INCIDENT = Pattern.compile("^━━ #(\\d+)  .*? ━━ (\\w+)", Pattern.MULTILINE);

    /** The numbers after "Incidents" of each root cause. */
    private static final Pattern INCIDENTS = Pattern.compile("^  Incidents +((?:#\\d+[ \\n]*)+)", Pattern.MULTILINE);

    private static Map<?, ?> json(Diagnosis diagnosis) throws IOException {
        StringWriter json = new StringWriter();
        JsonReport.write(diagnosis, QUERIES, json);
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json.toString())) {
            parser.nextToken();
            return (Map<?, ?>) value(parser);
        }
    }

    private static Object value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> object = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String key = parser.currentName();
                    parser.nextToken();
                    object.put(key, value(parser));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(parser));
                }
                yield array;
            }
            case VALUE_NUMBER_INT -> parser.getLongValue();
            default -> parser.getString();
        };
    }

    private static List<Map<?, ?>> objects(Map<?, ?> json, String key) {
        return ((List<?>) json.get(key))
                .stream().<Map<?, ?>>map(object -> (Map<?, ?>) object).toList();
    }

    private static List<Integer> ints(Object numbers) {
        return ints(((List<?>) numbers).stream().map(String::valueOf));
    }

    private static TextReport.Style style() {
        return new TextReport.Style(100, false, true, 1000, true);
    }

    private static List<Integer> ints(Stream<String> numbers) {
        return numbers.map(number -> Integer.valueOf(number.strip().replace("#", "")))
                .toList();
    }

    /** The numbers of the incidents of each root cause, as the text lists them. */
    private static Map<Integer, List<Integer>> ofText(Diagnosis diagnosis, int causes) {
        Map<Integer, List<Integer>> incidents = new LinkedHashMap<>();
        for (int rank = 1; rank <= causes; rank++) {
            String text = RootCauseReport.ofCause(diagnosis, rank, style(), QUERIES);
            incidents.put(
                    rank,
                    INCIDENTS
                            .matcher(text)
                            .results()
                            .map(match -> ints(Stream.of(match.group(1).strip().split("\\s+"))))
                            .findFirst()
                            .orElseThrow());
        }
        return incidents;
    }

    private static Map<Integer, List<Integer>> ofJson(Map<?, ?> json) {
        Map<Integer, List<Integer>> incidents = new LinkedHashMap<>();
        objects(json, "causes").forEach(cause -> incidents.put(number(cause, "rank"), ints(cause.get("incidents"))));
        return incidents;
    }

    private static int number(Map<?, ?> object, String key) {
        return Math.toIntExact((Long) object.get(key));
    }

    private static Map<Integer, List<Integer>> ofSql(QueryTestSession session) throws QueryException {
        Map<Integer, List<Integer>> incidents = new LinkedHashMap<>();
        for (String row :
                rows(session, "SELECT cause, id FROM unjank_incident WHERE cause IS NOT NULL ORDER BY cause, id")) {
            List<Integer> pair = ints(Stream.of(row.split(",")));
            incidents.computeIfAbsent(pair.getFirst(), _ -> new ArrayList<>()).add(pair.getLast());
        }
        return incidents;
    }

    private static List<String> rows(QueryTestSession session, String sql) throws QueryException {
        return session.csv(sql).stream().skip(1).toList();
    }

    private static List<String> facts(Map<?, ?> json) {
        return objects(json, "incidents").stream()
                .map(incident -> incident.get("id") + "," + incident.get("startNs") + "," + incident.get("durNs")
                        + ",\"" + incident.get("verdict") + '"')
                .toList();
    }

    private static void assertSameNumbers(Trace trace) throws IOException, QueryException {
        Diagnosis diagnosis = Doctor.diagnose(trace, DoctorOptions.defaults());
        Map<?, ?> json = json(diagnosis);
        try (QueryTestSession session = QueryTestSession.of(trace)) {
            assertThat(ofText(diagnosis, objects(json, "causes").size()))
                    .isNotEmpty()
                    .isEqualTo(ofJson(json));
            assertThat(ofSql(session)).isEqualTo(ofJson(json));
            assertThat(rows(session, "SELECT id, ts, dur, verdict" + afterColumns(QUERIES.incidents(diagnosis))))
                    .isEqualTo(facts(json));
            assertThat(ints(rows(session, "SELECT example_id FROM unjank_cause ORDER BY rank").stream()))
                    .isEqualTo(objects(json, "causes").stream()
                            .map(cause -> number(cause, "example"))
                            .toList());
        }
        String text = TextReport.of(diagnosis, style(), QUERIES);
        assertThat(INCIDENT.matcher(text).results().map(match -> match.group(1) + " " + match.group(2)))
                .isNotEmpty()
                .isSubsetOf(objects(json, "incidents").stream()
                        .map(incident -> incident.get("id") + " " + incident.get("verdict"))
                        .toList());
    }

    private static String afterColumns(String query) {
        return query.substring(query.indexOf(" FROM "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SlowJournal", "SleepingHandler"})
    void ofExamplePrograms(String program) throws Exception {
        Path folder = Path.of(System.getProperty("unjank.root", ".."), "examples", "causes");
        assertSameNumbers(TraceReader.read(folder.resolve(program + ".jfr.gz")));
    }

    /** With waits of other threads between those of the report. */
    @Test
    void ofARealTrace() throws Exception {
        assertSameNumbers(TraceReader.read(RealTraces.file("a13_pixel6a_startup_warm.perfetto-trace")));
    }

    /** The table has the numbers of a report with default options; the query of another one counts its own rows. */
    @Test
    void aReportWithOptionsHasItsNumbersInItsQuery() throws Exception {
        Trace trace = TraceReader.read(RealTraces.file("a13_pixel6a_startup_warm.perfetto-trace"));
        Diagnosis diagnosis = Doctor.diagnose(
                trace, DoctorOptions.defaults().withThread("main").withMinDuration(Duration.ZERO));
        try (QueryTestSession session = QueryTestSession.of(trace)) {
            String query = QUERIES.incidents(diagnosis);
            assertThat(rows(session, "SELECT number, ts, dur, verdict FROM (" + query + ") ORDER BY number"))
                    .isEqualTo(facts(json(diagnosis)));
        }
    }

    /** Parts of an incident refer to it by its number. */
    @Test
    void blameSumsToTheIncidentOfItsNumber() throws Exception {
        Trace trace = TraceReader.read(RealTraces.file("a13_pixel6a_startup_warm.perfetto-trace"));
        try (QueryTestSession session = QueryTestSession.of(trace)) {
            assertThat(rows(session, """
                    SELECT count(*) FROM unjank_incident AS i
                    WHERE i.dur != (SELECT sum(b.dur) FROM unjank_blame AS b WHERE b.incident_id = i.id)""")).containsExactly("0");
            assertThat(rows(
                            session,
                            "SELECT min(id), max(id) = count(*), count(DISTINCT id) = count(*) FROM unjank_incident"))
                    .containsExactly("1,1,1");
        }
    }
}
