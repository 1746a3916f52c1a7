package dev.unjank.query.span;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class SpanJoinTest {
    /** A span; its row is its index in the list. */
    record Span(long ts, long dur, long partition) {}

    private static Spans spans(List<Span> list) {
        return new Spans(
                list.stream().mapToLong(Span::ts).toArray(),
                list.stream().mapToLong(Span::dur).toArray(),
                list.stream().mapToLong(Span::partition).toArray(),
                list.size());
    }

    /** Each joined span as {@code [ts, end) partition left right}, "-" for no row. */
    private static List<String> join(
            SpanJoinKind kind, List<Span> left, boolean leftParts, List<Span> right, boolean rightParts) {
        return rows(SpanJoin.join(kind, spans(left), leftParts, spans(right), rightParts, () -> false));
    }

    private static List<String> rows(JoinedSpans joined) {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < joined.size(); i++) {
            long ts = joined.ts()[i];
            rows.add("[" + ts + "," + (ts + joined.dur()[i]) + ") " + joined.partition()[i] + " "
                    + row(joined.leftRow()[i]) + " " + row(joined.rightRow()[i]));
        }
        return rows;
    }

    private static String row(long row) {
        return row == JoinedSpans.NO_ROW ? "-" : Long.toString(row);
    }

    private static final List<Span> LEFT = List.of(new Span(0, 10, 1), new Span(20, 10, 1), new Span(0, 5, 2));
    private static final List<Span> RIGHT = List.of(new Span(5, 20, 1), new Span(100, 5, 3));

    @Test
    void innerKeepsOverlaps() {
        assertThat(join(SpanJoinKind.INNER, LEFT, true, RIGHT, true)).containsExactly("[5,10) 1 0 0", "[20,25) 1 1 0");
    }

    @Test
    void leftKeepsTheLeftSide() {
        assertThat(join(SpanJoinKind.LEFT, LEFT, true, RIGHT, true))
                .containsExactly("[0,5) 1 0 -", "[5,10) 1 0 0", "[20,25) 1 1 0", "[25,30) 1 1 -", "[0,5) 2 2 -");
    }

    @Test
    void outerKeepsBothSides() {
        assertThat(join(SpanJoinKind.OUTER, LEFT, true, RIGHT, true))
                .containsExactly(
                        "[0,5) 1 0 -",
                        "[5,10) 1 0 0",
                        "[10,20) 1 - 0",
                        "[20,25) 1 1 0",
                        "[25,30) 1 1 -",
                        "[0,5) 2 2 -",
                        "[100,105) 3 - 1");
    }

    @Test
    void extremeTimestampsAndPartitions() {
        List<Span> extreme = List.of(
                new Span(Long.MIN_VALUE, 10, Long.MIN_VALUE),
                new Span(Long.MAX_VALUE, 0, 7),
                new Span(5, 5, Long.MAX_VALUE));
        for (SpanJoinKind kind : SpanJoinKind.values()) {
            assertThat(join(kind, extreme, true, extreme, true))
                    .as("%s", kind)
                    .contains("[5,10) " + Long.MAX_VALUE + " 2 2");
            join(kind, extreme, false, extreme, true);
            join(kind, extreme, false, extreme, false);
        }
    }

    @Test
    void partitionsAreIgnoredIfNotPartitioned() {
        assertThat(join(SpanJoinKind.INNER, List.of(new Span(0, 10, 1)), false, List.of(new Span(5, 10, 2)), false))
                .singleElement()
                .asString()
                .startsWith("[5,10) ")
                .endsWith(" 0 0");
    }

    @Test
    void anUnpartitionedSideMatchesEveryPartition() {
        List<Span> window = List.of(new Span(3, 4, 0), new Span(21, 1, 0));

        assertThat(join(SpanJoinKind.INNER, LEFT, true, window, false))
                .containsExactly("[3,7) 1 0 0", "[21,22) 1 1 1", "[3,5) 2 2 0");
        assertThat(join(SpanJoinKind.INNER, window, false, LEFT, true))
                .containsExactly("[3,7) 1 0 0", "[21,22) 1 1 1", "[3,5) 2 0 2");
        assertThat(join(SpanJoinKind.LEFT, LEFT, true, window, false))
                .containsExactly(
                        "[0,3) 1 0 -",
                        "[3,7) 1 0 0",
                        "[7,10) 1 0 -",
                        "[20,21) 1 1 -",
                        "[21,22) 1 1 1",
                        "[22,30) 1 1 -",
                        "[0,3) 2 2 -",
                        "[3,5) 2 2 0");
    }

    @Test
    void anEmptySpanMatchesASpanWithTheSameStart() {
        List<Span> mark = List.of(new Span(5, 0, 1));

        assertThat(join(SpanJoinKind.INNER, mark, true, List.of(new Span(5, 3, 1)), true))
                .containsExactly("[5,5) 1 0 0");
        assertThat(join(SpanJoinKind.INNER, mark, true, List.of(new Span(0, 9, 1)), true))
                .containsExactly("[5,5) 1 0 0");
        assertThat(join(SpanJoinKind.INNER, mark, true, List.of(new Span(0, 5, 1)), true))
                .isEmpty();
    }

    @Test
    void anOpenSpanCountsAsEmpty() {
        assertThat(join(SpanJoinKind.INNER, List.of(new Span(5, -1, 1)), true, List.of(new Span(0, 9, 1)), true))
                .containsExactly("[5,4) 1 0 0");
    }

    @Test
    void overlappingSpansOfOneSide() {
        // the long span is skipped when the right span ends, as in trace processor
        List<Span> overlapping = List.of(new Span(0, 100, 1), new Span(10, 10, 1));
        List<Span> right = List.of(new Span(0, 15, 1), new Span(50, 10, 1));

        assertThat(join(SpanJoinKind.INNER, overlapping, true, right, true))
                .containsExactly("[0,15) 1 0 0", "[50,60) 1 0 1");
    }

    @Test
    void emptySide() {
        assertThat(join(SpanJoinKind.INNER, LEFT, true, List.of(), true)).isEmpty();
        assertThat(join(SpanJoinKind.LEFT, LEFT, true, List.of(), true))
                .containsExactly("[0,10) 1 0 -", "[20,30) 1 1 -", "[0,5) 2 2 -");
        assertThat(join(SpanJoinKind.LEFT, List.of(), true, RIGHT, true)).isEmpty();
        assertThat(join(SpanJoinKind.OUTER, List.of(), true, RIGHT, true))
                .containsExactly("[5,25) 1 - 0", "[100,105) 3 - 1");
        assertThat(join(SpanJoinKind.OUTER, List.of(), false, List.of(), false)).isEmpty();
    }

    @Test
    void sortIsStable() {
        List<Span> unsorted = List.of(new Span(9, 1, 1), new Span(0, 1, 1), new Span(0, 1, 1), new Span(4, 1, 0));
        Spans spans = spans(unsorted);
        spans.sort();

        assertThat(LongStream.range(0, 4).map(i -> spans.row((int) i)).toArray())
                .containsExactly(3, 1, 2, 0);
    }

    /** Reference: the rows of both sides at each timestamp, for spans that do not overlap. */
    @Property(tries = 300)
    void agreesWithATimestampByTimestampJoin(
            @ForAll("disjoint") List<Span> left, @ForAll("disjoint") List<Span> right, @ForAll SpanJoinKind kind) {
        List<String> expected = new ArrayList<>();
        TreeSet<Long> partitions = new TreeSet<>();
        left.forEach(span -> partitions.add(span.partition));
        right.forEach(span -> partitions.add(span.partition));
        for (long partition : partitions) {
            for (long ts = 0; ts < 140; ts++) {
                long l = at(left, partition, ts);
                long r = at(right, partition, ts);
                boolean wanted = switch (kind) {
                    case INNER -> l >= 0 && r >= 0;
                    case LEFT -> l >= 0;
                    case OUTER -> l >= 0 || r >= 0;
                };
                if (wanted) {
                    expected.add(partition + " " + ts + " " + l + " " + r);
                }
            }
        }
        JoinedSpans joined = SpanJoin.join(kind, spans(left), true, spans(right), true, () -> false);
        List<String> actual = new ArrayList<>();
        for (int i = 0; i < joined.size(); i++) {
            long start = joined.ts()[i];
            for (long ts = start; ts < start + joined.dur()[i]; ts++) {
                actual.add(joined.partition()[i] + " " + ts + " " + joined.leftRow()[i] + " " + joined.rightRow()[i]);
            }
        }

        assertThat(actual).isEqualTo(expected);
    }

    /** The merge gives the same result as the sweep, also for overlapping spans. */
    @Property(tries = 500)
    void mergeEqualsSweep(
            @ForAll("any") List<Span> left, @ForAll("any") List<Span> right, @ForAll boolean partitioned) {
        Spans l = spans(left);
        Spans r = spans(right);
        l.sort();
        r.sort();
        JoinedSpans walked = SpanJoin.walk(SpanJoinKind.INNER, l, partitioned, r, partitioned, () -> false);
        JoinedSpans merged = new SpanMerge(l, r, partitioned).merge(() -> false);

        assertThat(rows(merged, partitioned)).isEqualTo(rows(walked, partitioned));
    }

    /** Partitions are ignored if the sides are not partitioned. */
    private static List<String> rows(JoinedSpans joined, boolean partitioned) {
        return rows(joined).stream()
                .map(row -> partitioned ? row : row.replaceFirst("\\) -?[0-9]+ ", ") "))
                .toList();
    }

    /** Spans that may overlap, start together, be empty or be open. */
    @Provide
    Arbitrary<List<Span>> any() {
        return Combinators.combine(
                        Arbitraries.longs().between(0, 20),
                        Arbitraries.longs().between(-1, 6),
                        Arbitraries.longs().between(0, 2))
                .as(Span::new)
                .list()
                .ofMaxSize(12);
    }

    private static long at(List<Span> spans, long partition, long ts) {
        for (int i = 0; i < spans.size(); i++) {
            Span span = spans.get(i);
            if (span.partition == partition && span.ts <= ts && ts < span.ts + span.dur) {
                return i;
            }
        }
        return JoinedSpans.NO_ROW;
    }

    /** Disjoint spans in up to three partitions, with and without gaps. */
    @Provide
    Arbitrary<List<Span>> disjoint() {
        Arbitrary<long[]> steps = Combinators.combine(
                        Arbitraries.longs().between(0, 3), Arbitraries.longs().between(1, 6))
                .as((gap, dur) -> new long[] {gap, dur});
        return Combinators.combine(
                        Arbitraries.integers().between(1, 3), steps.list().ofMaxSize(15))
                .as((partitions, list) -> {
                    long[] next = new long[partitions];
                    List<Span> spans = new ArrayList<>();
                    for (int i = 0; i < list.size(); i++) {
                        int partition = i % partitions;
                        long ts = next[partition] + list.get(i)[0];
                        spans.add(new Span(ts, list.get(i)[1], partition));
                        next[partition] = ts + list.get(i)[1];
                    }
                    return spans;
                });
    }
}
