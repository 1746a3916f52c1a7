package dev.unjank.workbench.bench.doctor;

import dev.unjank.query.EngineOptions;
import dev.unjank.query.QuerySession;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.ResultWriter;
import dev.unjank.trace.build.TraceBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Joins two tables of spans repeatedly, as a user does in SQL; a {@link ProbeRunner}. The spans of each table are
 * consecutive within partitions, ten fine ones per coarse one. The tables are created before the timing starts;
 * counting the result rows is included.
 */
final class SpanJoinProbe {
    private static final int SPANS_PER_PARTITION = 1_000;

    private SpanJoinProbe() {}

    /**
     * Runs several joins with 10 to the power of {@code digits} spans in the larger table; returns the duration of each
     * in ns.
     */
    static long[] run(int digits, int joins) throws IOException {
        return ProbeRunner.run(SpanJoinProbe.class, joins, String.valueOf(digits));
    }

    public static void main(String[] args) throws IOException, QueryException {
        int digits = Integer.parseInt(args[0]);
        try (TraceBuilder nothing = new TraceBuilder("spans");
                QuerySession session = QuerySession.open(QuerySession.engine(EngineOptions.DEFAULT), nothing.build())) {
            ask(session, table("fine", digits, 1) + table("coarse", digits - 1, 10));
            ProbeRunner.serve(() -> {
                long start = System.nanoTime();
                String rows = ask(
                        session,
                        "DROP TABLE IF EXISTS joined; CREATE VIRTUAL TABLE joined USING SPAN_JOIN("
                                + "fine PARTITIONED part, coarse PARTITIONED part);"
                                + "SELECT count(*) AS n FROM joined;");
                long took = System.nanoTime() - start;
                String expected = "1" + "0".repeat(digits);
                if (!rows.lines().toList().contains(expected)) {
                    throw new IllegalStateException("not " + expected + " rows but " + rows);
                }
                return took;
            });
        }
    }

    /** A table of 10 to the power of {@code digits} spans. */
    private static String table(String name, int digits, int length) {
        String number = IntStream.range(0, digits)
                .mapToObj(digit -> "d" + digit + ".n * 1" + "0".repeat(digit))
                .collect(Collectors.joining(" + "));
        String from =
                IntStream.range(0, digits).mapToObj(digit -> "digit d" + digit).collect(Collectors.joining(", "));
        int perPartition = SPANS_PER_PARTITION / length;
        return "CREATE PERFETTO TABLE " + name
                + " AS WITH digit(n) AS (VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)),"
                + " number AS (SELECT " + number + " AS i FROM " + from + ")"
                + " SELECT i % " + perPartition + " * " + length + " AS ts, " + length + " AS dur,"
                + " i / " + perPartition + " AS part, i AS " + name + "_number FROM number;";
    }

    private static String ask(QuerySession session, String statements) throws QueryException {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        session.run(statements, ResultWriter.csv(out));
        out.flush();
        return text.toString();
    }
}
