package dev.unjank.cli.watch;

import dev.unjank.doctor.ReportMessages;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.record.jvm.BlockedThread;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.trace.text.TerminalText;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/**
 * Lays out a {@link WatchSnapshot} for a terminal. Each section has a fixed position and height, so the layout is
 * stable.
 */
public final class WatchScreen {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

    private static final AttributedStyle PLAIN = AttributedStyle.DEFAULT;
    private static final AttributedStyle BOLD = PLAIN.bold();
    private static final AttributedStyle DIM = PLAIN.faint();
    private static final AttributedStyle RED = BOLD.foreground(AttributedStyle.RED);
    private static final AttributedStyle YELLOW = PLAIN.foreground(AttributedStyle.YELLOW);

    private static final int LEAST_WIDTH = 40;

    /** The minimum width at which verdicts are shown with their grades. */
    private static final int WIDE = 120;

    private final String title;
    private final int width;
    private final int height;
    private final boolean colour;
    private final ZoneId zone;

    public WatchScreen(String title, int width, int height, boolean colour, ZoneId zone) {
        this.title = title;
        this.width = Math.max(LEAST_WIDTH, width);
        this.height = height;
        this.colour = colour;
        this.zone = zone;
    }

    /** Lays out a snapshot as lines that fit the screen, with ANSI sequences if coloured. */
    public List<String> lines(WatchSnapshot view, long seconds) {
        List<AttributedString> lines = new ArrayList<>(header(view, seconds));
        int room = Math.max(8, height - lines.size() - 10); // five titles with an empty line above each
        int threads = Math.min(12, room / 4);
        int blocked = Math.min(8, room * 2 / 10);
        int causes = Math.min(8, room / 4);
        int worst = Math.min(8, room * 15 / 100);
        section(lines, threadTitle(), view.threads().stream().map(this::thread).toList(), threads, "");
        section(
                lines,
                title(WatchMessages.of("title.blocked"), count(view.blocked())),
                view.blocked().stream().map(each -> blocked(each, view)).toList(),
                blocked,
                WatchMessages.of(isWatchingLocks(view) ? "blocked.none" : "blocked.unknown"));
        section(
                lines,
                title(WatchMessages.of("title.causes"), ""),
                view.causes().stream().map(cause -> cause(cause, view)).toList(),
                causes,
                WatchMessages.of("none"));
        section(
                lines,
                title(WatchMessages.of("title.longest"), ""),
                view.worst().stream().map(this::incident).toList(),
                worst,
                WatchMessages.of("none"));
        section(
                lines,
                title(
                        WatchMessages.of("title.latest"),
                        view.count() == 0 ? "" : WatchMessages.incidents(view.count(), view.sumNs())),
                view.latest().stream().map(this::incident).toList(),
                room - threads - blocked - causes - worst,
                WatchMessages.of("none"));
        return lines.stream().limit(height).map(this::text).toList();
    }

    private String text(AttributedString line) {
        AttributedString cut = line.columnLength() <= width
                ? line
                : AttributedString.join(
                        AttributedString.EMPTY, line.columnSubSequence(0, width - 1), new AttributedString("…"));
        return colour ? cut.toAnsi() : cut.toString();
    }

    private List<AttributedString> header(WatchSnapshot view, long seconds) {
        List<AttributedString> lines = new ArrayList<>();
        String right = WatchMessages.of(
                "seconds", seconds, WatchMessages.lost(view.progress().lost()));
        lines.add(new AttributedStringBuilder()
                .append(left(title, width - right.length() - 1), BOLD)
                .append(" ")
                .append(right, DIM)
                .toAttributedString());
        List<String> on = view.sources().stream()
                .filter(SourceAvailability::isOn)
                .map(SourceAvailability::source)
                .toList();
        if (!on.isEmpty()) {
            lines.add(styled(WatchMessages.of("sources", String.join(", ", on)), DIM));
        }
        view.sources().stream()
                .filter(source -> !source.isOn())
                .forEach(source ->
                        wrapped(printable(source.toString())).forEach(line -> lines.add(styled(line, YELLOW))));
        view.remarks().forEach(remark -> wrapped(printable(remark)).forEach(line -> lines.add(styled(line, YELLOW))));
        return lines;
    }

    private void section(
            List<AttributedString> lines,
            AttributedString heading,
            List<AttributedString> content,
            int rows,
            String otherwise) {
        lines.add(AttributedString.EMPTY);
        lines.add(heading);
        for (int row = 0; row < rows; row++) {
            lines.add(
                    row < content.size()
                            ? content.get(row)
                            : row == 0 ? styled("  " + otherwise, DIM) : AttributedString.EMPTY);
        }
    }

    private static AttributedString title(String text, String beside) {
        return new AttributedStringBuilder()
                .append(text, BOLD)
                .append(beside.isEmpty() ? "" : "  ")
                .append(beside, DIM)
                .toAttributedString();
    }

    private static String count(Collection<?> all) {
        return all.isEmpty() ? "" : Integer.toString(all.size());
    }

    private static boolean isWatchingLocks(WatchSnapshot view) {
        return view.sources().stream()
                .anyMatch(source -> source.isOn() && source.source().equals("lock owners"));
    }

    // ---- threads

    private int nameWidth() {
        return Math.clamp(width / 3, 12, 36);
    }

    private AttributedString threadTitle() {
        return new AttributedStringBuilder()
                .append(left(WatchMessages.of("title.threads"), 2 + nameWidth()), BOLD)
                .append(WatchMessages.of("threads.columns"), DIM)
                .toAttributedString();
    }

    private AttributedString thread(WatchSnapshot.ThreadLine thread) {
        AttributedStringBuilder line = new AttributedStringBuilder()
                .append("  ")
                .append(left(printable(thread.name()), nameWidth()))
                .append(right(percent(thread.ran()), 6))
                .append(right(percent(thread.ready()), 10), thread.ready() >= 0.1 ? YELLOW : PLAIN);
        String waited =
                thread.waits() == 0 ? "" : ReportMessages.duration(thread.waitedNs()) + right(thread.waits() + "×", 6);
        return line.append(right(waited, 21))
                .append("  ")
                .append(printable(thread.now()), thread.isBlocked() ? YELLOW : DIM)
                .toAttributedString();
    }

    private static String percent(double share) {
        return share < 0.005 ? "·" : Math.round(100 * share) + " %";
    }

    // ---- lock waits

    private AttributedString blocked(BlockedThread blocked, WatchSnapshot view) {
        boolean isDeadlocked = view.deadlocked().contains(blocked.waiter().javaId());
        AttributedStringBuilder line = new AttributedStringBuilder()
                .append("  ")
                .append(right(ReportMessages.duration(Math.max(0, view.nanos() - blocked.sinceNs())), 10))
                .append("  ")
                .append(isDeadlocked ? Verdict.DEADLOCK + "  " : "", RED)
                .append(printable(blocked.waiter().name()), BOLD)
                .append(WatchMessages.of("blocked.by"))
                .append(printable(blocked.owner().name()), BOLD);
        if (blocked.site() != null) {
            line.append(WatchMessages.of("blocked.site", printable(blocked.site())));
        }
        String lock =
                WatchMessages.of(blocked.isMonitor() ? "blocked.monitor" : "blocked.lock", printable(blocked.lock()));
        return line.append(", ").append(lock, DIM).toAttributedString();
    }

    // ---- root causes

    private AttributedString cause(WatchSnapshot.Cause cause, WatchSnapshot view) {
        long allNs =
                view.causes().stream().mapToLong(WatchSnapshot.Cause::sumNs).sum();
        return new AttributedStringBuilder()
                .append("  ")
                .append(right(ReportMessages.duration(cause.sumNs()), 10))
                .append(right(ReportMessages.share(cause.sumNs(), allNs), 6), DIM)
                .append(right(cause.waits() + "×", 6), DIM)
                .append("  ")
                .append(name(cause.verdict()), style(cause.verdict()))
                .append("  ")
                .append(cause.text())
                .toAttributedString();
    }

    // ---- incidents

    private AttributedString incident(IncidentSnapshot incident) {
        return new AttributedStringBuilder()
                .append("  ")
                .append(TIME.format(incident.end().atZone(zone)), DIM)
                .append(right(ReportMessages.duration(incident.durNs()), 12))
                .append("  ")
                .append(verdict(incident), style(incident.verdict()))
                .append("  ")
                .append(incident.story())
                .toAttributedString();
    }

    private String verdict(IncidentSnapshot incident) {
        return width < WIDE
                ? name(incident.verdict())
                : left(incident.grade(), "PRIORITY_INVERSION (unbounded)".length());
    }

    /** Padded, except a very long one. */
    private static String name(Verdict verdict) {
        String name = verdict.name();
        return left(
                name, Math.max(name.length(), Verdict.PRIORITY_INVERSION.name().length()));
    }

    private static AttributedStyle style(Verdict verdict) {
        return switch (verdict) {
            case DEADLOCK, PRIORITY_INVERSION -> RED;
            case UNKNOWN -> DIM;
            default -> YELLOW;
        };
    }

    // ---- text

    private static AttributedString styled(String text, AttributedStyle style) {
        return new AttributedString(text, style);
    }

    /** Text wrapped to the width, all lines but the first indented. */
    private List<String> wrapped(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (line.length() + 1 + word.length() > width && !line.isEmpty()) {
                lines.add(line.toString());
                line.setLength(0);
                line.append("    ");
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private static String printable(String text) {
        return TerminalText.printableStart(text);
    }

    private static String left(String text, int columns) {
        String fit = text.length() > columns ? prefix(text, Math.max(0, columns - 1)) + "…" : text;
        return fit + " ".repeat(Math.max(0, columns - fit.length()));
    }

    /** The first chars of a string, without splitting a surrogate pair. */
    private static String prefix(String text, int chars) {
        boolean isInPair = chars > 0 && Character.isHighSurrogate(text.charAt(chars - 1));
        return text.substring(0, isInPair ? chars - 1 : chars);
    }

    private static String right(String text, int columns) {
        return " ".repeat(Math.max(0, columns - text.length())) + text;
    }
}
