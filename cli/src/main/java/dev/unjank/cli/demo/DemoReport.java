package dev.unjank.cli.demo;

import dev.unjank.cli.demo.load.LoopUnderLoadResult;
import dev.unjank.cli.demo.load.TickCounter.Ticks;
import dev.unjank.looper.QueueKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The result of the demo: a table of the phases, and a sentence that compares them. */
final class DemoReport {

    private static final int LABEL_WIDTH = 34;
    private static final int COLUMN_WIDTH = 16;

    private final List<Row> rows;

    /** The result of the phase over one queue. */
    record Row(QueueKind queue, LoopUnderLoadResult result) {}

    DemoReport(List<Row> rows) {
        this.rows = List.copyOf(rows);
    }

    static String name(QueueKind queue) {
        return switch (queue) {
            case MONITOR -> "monitor";
            case LOCK_FREE -> "lock-free";
        };
    }

    /** The lines of the table; the first is the header. */
    List<String> table() {
        List<String> lines = new ArrayList<>();
        lines.add(line("queue", row -> name(row.queue())));
        lines.add(row(
                "ticks run (of those due)",
                r -> r.ticks().completed() + " of " + r.ticks().due()));
        lines.add(row("16.7 ms deadlines missed", r -> grouped(r.ticks().missed())));
        lines.add(row("  control: thread without a queue", r -> grouped(r.missedByControl())));
        lines.add(row("longest stall", r -> UnitFormat.duration(r.ticks().longestStall())));
        lines.add(row("UI thread blocked on a lock", r -> UnitFormat.percent(r.blockedShare())));
        lines.add(row("post() median", r -> UnitFormat.duration(r.postMedian())));
        lines.add(row("post() 99.9th percentile", r -> UnitFormat.duration(r.postP999())));
        lines.add(row("messages posted", r -> grouped(r.posts())));
        return lines;
    }

    /** A sentence that compares the queues, if both ran and the difference is clear. */
    String sentence() {
        Optional<LoopUnderLoadResult> monitor = of(QueueKind.MONITOR);
        Optional<LoopUnderLoadResult> lockFree = of(QueueKind.LOCK_FREE);
        if (monitor.isPresent() && lockFree.isPresent()) {
            return compare(monitor.get(), lockFree.get());
        }
        LoopUnderLoadResult only = rows.getFirst().result();
        return "With the " + name(rows.getFirst().queue()) + " queue the UI loop missed " + missed(only)
                + "; the longest stall was " + UnitFormat.duration(only.ticks().longestStall()) + ".";
    }

    private static String compare(LoopUnderLoadResult monitor, LoopUnderLoadResult lockFree) {
        double with = monitor.ticks().missedShare();
        double without = lockFree.ticks().missedShare();
        StringBuilder text = new StringBuilder("With the monitor queue the UI loop missed " + missed(monitor));
        if (monitor.blockedShare() >= 0.05) {
            text.append(": for ")
                    .append(UnitFormat.percent(monitor.blockedShare()))
                    .append(" of the time its thread was blocked on the queue's lock, while preempted low-priority"
                            + " threads held it or waited for it");
        }
        text.append(". With the lock-free queue, under the same load, it missed ")
                .append(missed(lockFree))
                .append('.');
        if (lockFree.controlMissedShare() > 0.1) {
            text.append(" Other programs also use the CPUs: the control thread, which has no queue, missed ")
                    .append(UnitFormat.percent(lockFree.controlMissedShare()))
                    .append(" of its deadlines.");
        } else if (without * 2 > with) {
            text.append(" This run shows no clear difference.");
            if (!monitor.niced()) {
                text.append(" The posting threads could not be given a lower priority here; that lower priority usually"
                        + " causes the difference.");
            }
        }
        return text.toString();
    }

    private static String missed(LoopUnderLoadResult result) {
        Ticks ticks = result.ticks();
        return (ticks.missed() == 0 ? "none" : UnitFormat.percent(ticks.missedShare())) + " of its deadlines";
    }

    private Optional<LoopUnderLoadResult> of(QueueKind queue) {
        return rows.stream()
                .filter(row -> row.queue() == queue)
                .map(Row::result)
                .findFirst();
    }

    private String row(String label, Function<LoopUnderLoadResult, String> cell) {
        return line(label, row -> cell.apply(row.result()));
    }

    private String line(String label, Function<Row, String> cell) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-" + LABEL_WIDTH + "s", label));
        for (Row row : rows) {
            line.append(String.format(Locale.ROOT, "%" + COLUMN_WIDTH + "s", cell.apply(row)));
        }
        return line.toString();
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
