package dev.unjank.bench.queue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The table of one question: a row per peer, a column per circumstance, each cell a median and its ratio to the monitor queue. */
final class Medians {

    private static final int LABEL_WIDTH = 24;
    private static final int COLUMN_WIDTH = 20;

    private final Map<String, Map<Peer, Double>> columns = new LinkedHashMap<>();

    /**
     * Adds a measurement.
     *
     * @param column the circumstance, as the column's head says it
     * @param nanos per operation
     */
    void add(String column, Peer peer, double nanos) {
        columns.computeIfAbsent(column, name -> new LinkedHashMap<>()).put(peer, nanos);
    }

    /** The lines of the table. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        StringBuilder head = new StringBuilder(" ".repeat(LABEL_WIDTH));
        columns.keySet().forEach(name -> head.append(right(name)));
        lines.add(head.toString());
        for (Peer peer : Peer.values()) {
            if (columns.values().stream().anyMatch(column -> column.containsKey(peer))) {
                StringBuilder line =
                        new StringBuilder(String.format(Locale.ROOT, "%-" + LABEL_WIDTH + "s", peer.label()));
                columns.values().forEach(column -> line.append(right(cell(column, peer))));
                lines.add(line.toString());
            }
        }
        return lines;
    }

    private static String cell(Map<Peer, Double> column, Peer peer) {
        Double nanos = column.get(peer);
        if (nanos == null) {
            return "-";
        }
        Double monitor = column.get(Peer.MONITOR);
        String ratio = monitor == null || monitor == 0 ? "" : " (" + ratio(nanos / monitor) + ")";
        return nanos(nanos) + ratio;
    }

    private static String nanos(double nanos) {
        return nanos < 99.5 ? threeDigits(nanos) : String.format(Locale.ROOT, "%,.0f", nanos);
    }

    /** Small ones as a fraction: 1/3,290 is easier to read than 0.000304. */
    private static String ratio(double ratio) {
        return ratio < 0.095 ? String.format(Locale.ROOT, "1/%,.0f", 1 / ratio) : threeDigits(ratio) + "x";
    }

    private static String threeDigits(double value) {
        String format = value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%,.0f";
        return String.format(Locale.ROOT, format, value);
    }

    private static String right(String text) {
        return String.format(Locale.ROOT, "%" + COLUMN_WIDTH + "s", text);
    }
}
