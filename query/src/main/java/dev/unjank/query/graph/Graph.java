package dev.unjank.query.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/** A directed graph; the edges of a node are in the order of their rows. */
final class Graph {
    /** An edge; without a weight, it is 0. */
    record Edge(long to, long weight) {}

    private final Map<Long, List<Edge>> edges = new HashMap<>();

    /** Reads {@code from to;from to;…}, with an optional weight after each edge. */
    static Graph parse(String text) {
        Graph graph = new Graph();
        for (long[] row : rows(text)) {
            graph.edges
                    .computeIfAbsent(row[0], node -> new ArrayList<>())
                    .add(new Edge(row[1], row.length > 2 ? row[2] : 0));
        }
        return graph;
    }

    /** Rows of numbers: fields are separated by spaces, rows by semicolons. */
    static List<long[]> rows(String text) {
        List<long[]> rows = new ArrayList<>();
        for (StringTokenizer lines = new StringTokenizer(text, ";"); lines.hasMoreTokens(); ) {
            StringTokenizer fields = new StringTokenizer(lines.nextToken(), " ");
            long[] row = new long[fields.countTokens()];
            for (int i = 0; i < row.length; i++) {
                row[i] = Long.parseLong(fields.nextToken());
            }
            rows.add(row);
        }
        return rows;
    }

    List<Edge> from(long node) {
        return edges.getOrDefault(node, List.of());
    }

    /** Collects rows in the format that {@link #rows} reads; a null field is empty. */
    static final class Output {
        private final StringBuilder text = new StringBuilder();

        void add(@Nullable Long... fields) {
            if (!text.isEmpty()) {
                text.append(';');
            }
            for (int i = 0; i < fields.length; i++) {
                Long field = fields[i];
                text.append(i == 0 ? "" : " ").append(field == null ? "" : field);
            }
        }

        /** The rows; null if there are none. */
        @Nullable
        String text() {
            return text.isEmpty() ? null : text.toString();
        }
    }
}
