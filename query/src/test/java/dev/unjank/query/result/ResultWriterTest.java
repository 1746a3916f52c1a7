package dev.unjank.query.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.query.Engine;
import dev.unjank.query.EngineOptions;
import dev.unjank.trace.text.TerminalText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The contract of each output format. */
class ResultWriterTest {
    private static final String ODD =
            "SELECT 1 AS \"a\", 'it is \"quoted\", and' || chr(10) || 'broken' AS \"b \"\"c\"\"\", NULL AS d, 1.5::DOUBLE AS e, true AS f,"
                    + " '\\x00\\xFF'::BLOB AS g, '' AS h";

    private Engine engine;

    @BeforeEach
    void open() throws QueryException {
        engine = Engine.open(EngineOptions.DEFAULT, List.of());
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private String written(Function<PrintWriter, ResultWriter> format, String... statements) throws QueryException {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        ResultWriter writer = format.apply(out);
        for (String statement : statements) {
            try (Rows rows = engine.run(statement)) {
                writer.write(rows);
            }
        }
        out.flush();
        return text.toString();
    }

    @Test
    void csvQuotesNamesAndStringsAndWritesNullLikePerfetto() throws QueryException {
        assertThat(written(ResultWriter::csv, ODD)).isEqualTo("""
                        "a","b ""c""\","d","e","f","g","h"
                        1,"it is ""quoted"", and
                        broken","[NULL]",1.500000,1,"00ff",""
                        """);
    }

    @Test
    void csvPutsAnEmptyLineBetweenResults() throws QueryException {
        assertThat(written(ResultWriter::csv, "SELECT 1 AS a", "SELECT 2 AS b WHERE false", "SELECT 'x' AS c"))
                .isEqualTo("\"a\"\n1\n\n\"b\"\n\n\"c\"\n\"x\"\n");
    }

    @Test
    void csvWritesDoublesWithSixDecimals() throws QueryException {
        assertThat(written(
                        ResultWriter::csv,
                        "SELECT 0.1::DOUBLE AS a, -1e20::DOUBLE AS b, 'nan'::DOUBLE AS c, '-inf'::DOUBLE AS d"))
                .endsWith("\n0.100000,-100000000000000000000.000000,nan,-inf\n");
    }

    @Test
    void csvWritesIntegersWithoutDecimals() throws QueryException {
        assertThat(
                        written(
                                ResultWriter::csv,
                                "SELECT -9223372036854775808 AS a, sum(x) AS b, 18446744073709551615::UBIGINT AS c FROM (VALUES (1), (2)) t(x)"))
                .endsWith("\n-9223372036854775808,3,18446744073709551615\n");
    }

    @Test
    void jsonIsAnArrayOfObjectsForEachResult() throws QueryException {
        assertThat(written(
                        ResultWriter::json,
                        ODD + " UNION ALL SELECT 2, NULL, NULL, 'nan'::DOUBLE, false, NULL, NULL",
                        "SELECT 1 AS x WHERE false"))
                .isEqualTo("""
                        [
                        {"a":1,"b \\"c\\"":"it is \\"quoted\\", and\\nbroken","d":null,"e":1.5,"f":1,"g":"00ff","h":""},
                        {"a":2,"b \\"c\\"":null,"d":null,"e":"nan","f":0,"g":null,"h":null}
                        ]
                        [
                        ]
                        """);
    }

    /** JSON has no NaN and no infinity, and null means unknown. */
    @Test
    void jsonWritesNanAndInfinityAsStrings() throws QueryException {
        assertThat(
                        written(
                                ResultWriter::json,
                                "SELECT 'inf'::DOUBLE AS a, '-inf'::DOUBLE AS b, 'nan'::DOUBLE AS c, NULL::DOUBLE AS d, 1e300 AS e"))
                .isEqualTo("[\n{\"a\":\"inf\",\"b\":\"-inf\",\"c\":\"nan\",\"d\":null,\"e\":1.0E300}\n]\n");
    }

    @Test
    void jsonMembersAreUnique() throws QueryException {
        assertThat(written(ResultWriter::json, "SELECT 1 AS a, 2 AS a, 3 AS a_2"))
                .contains("\"a\":1")
                .contains("\"a_2\":2")
                .contains("\"a_2_2\":3");
    }

    @Test
    void aTableIsAlignedWithNumbersToTheRight() throws QueryException {
        assertThat(
                        written(
                                out -> ResultWriter.table(out, 0),
                                "SELECT * FROM (VALUES ('short', 1, NULL), ('a longer name', 12345, 0.5::DOUBLE)) t(name, n, real)"))
                .isEqualTo("""
                        name               n      real
                        ─────────────  ─────  ────────
                        short              1    [NULL]
                        a longer name  12345  0.500000
                        """);
    }

    @Test
    void aTableFitsItsWidthByCuttingTheWidestColumns() throws QueryException {
        String table = written(
                out -> ResultWriter.table(out, 40),
                "SELECT 12345 AS n, repeat('x', 100) AS long, repeat('y', 50) AS longer, 'z' AS z");

        assertThat(table.lines())
                .allSatisfy(line ->
                        assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(40));
        assertThat(table).contains("12345").contains("xxx…").contains("yyy…").contains("  z");
    }

    @Test
    void aTableCutsNoNumbersAndNarrowsNullColumns() throws QueryException {
        assertThat(written(
                        out -> ResultWriter.table(out, 40),
                        "SELECT 1234567890123456 AS ts, repeat('x', 100) AS name, NULL AS a_column_without_values"))
                .isEqualTo("""
                                      ts  name            a_col…
                        ────────────────  ──────────────  ──────
                        1234567890123456  xxxxxxxxxxxxx…  [NULL]
                        """);
    }

    @Test
    void aLaterNumberIsNotCutEither() throws QueryException {
        assertThat(
                        written(
                                out -> ResultWriter.table(out, 20),
                                "SELECT CASE WHEN range < 1500 THEN range ELSE 1234567890123456 END AS n, repeat('x', 30) AS t FROM range(1501)"))
                .endsWith("1234567890123456  xxxxxxxxxxxxxx…\n");
    }

    @Test
    void rowsAreWrittenVerticallyIfNumbersDoNotFit() throws QueryException {
        assertThat(written(
                        out -> ResultWriter.table(out, 30),
                        "SELECT 1234567890123456 AS ts, range AS dur, 'a name of some length' AS name FROM range(2)"))
                .isEqualTo("""
                        ── row 1 ──
                        ts    1234567890123456
                        dur   0
                        name  a name of some length
                        ── row 2 ──
                        ts    1234567890123456
                        dur   1
                        name  a name of some length
                        """);
    }

    @Test
    void verticalRowsAreComplete() throws QueryException {
        assertThat(written(
                        out -> ResultWriter.table(out, 8),
                        "SELECT range + 1000000 AS a, range + 1000000 AS b FROM range(1200)"))
                .hasLineCount(3_600)
                .endsWith("── row 1200 ──\na  1001199\nb  1001199\n");
    }

    @Test
    void anEmptyResultPrintsColumnNames() throws QueryException {
        assertThat(written(out -> ResultWriter.table(out, 4), "SELECT 1 AS a, 2 AS b, 3 AS c WHERE false"))
                .startsWith("a  b  c\n");
    }

    @Test
    void tablesContainNoControlCharacters() throws QueryException {
        assertThat(written(
                        out -> ResultWriter.table(out, 0),
                        "SELECT chr(27) || '[2J' || chr(10) || chr(8238) || 'abc' AS a"))
                .contains("\\u001b[2J\\u000a\\u202eabc")
                .doesNotContain("\033")
                .hasLineCount(3);
    }

    /** Only the table format replaces control characters; CSV and JSON keep them. */
    @Test
    void csvAndJsonKeepControlCharacters() throws QueryException {
        String sql = "SELECT 'a' || chr(8232) || chr(8233) || chr(133) || chr(8294) || chr(917569) || 'b' AS a";
        String hostile = "a\u2028\u2029\u0085\u2066\udb40\udc41b";
        assertThat(written(out -> ResultWriter.table(out, 0), sql))
                .contains("a\\u2028\\u2029\\u0085\\u2066\\U000e0041b")
                .matches(text -> TerminalText.isPrintable(text.replace("\n", "")));
        assertThat(written(ResultWriter::csv, sql)).contains('"' + hostile + '"');
        try (JsonParser json =
                new JsonFactory().createParser(ObjectReadContext.empty(), written(ResultWriter::json, sql))) {
            List<String> strings = new ArrayList<>();
            while (json.nextToken() != null) {
                strings.add(json.getString());
            }
            assertThat(strings).contains(hostile);
        }
    }

    @Test
    void rowsAfterTheSampleArePrinted() throws QueryException {
        assertThat(written(
                        out -> ResultWriter.table(out, 0),
                        "SELECT range AS n, repeat('x', range // 1000) AS t FROM range(2500)"))
                .hasLineCount(2_502);
    }
}
