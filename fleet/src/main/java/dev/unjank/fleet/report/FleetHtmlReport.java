package dev.unjank.fleet.report;

import dev.unjank.fleet.folder.OpenTraceCommand;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;

/**
 * A report as a self-contained HTML page, without scripts and with a Content-Security-Policy that allows only its own
 * style sheet, by hash.
 */
public final class FleetHtmlReport {
    private static final int BAR_WIDTH = 120;

    private FleetHtmlReport() {}

    /**
     * Writes a report to a writer that must encode to UTF-8; it is flushed and not closed. {@code program} is the name
     * of the command {@code unjank}.
     */
    public static void write(FleetReport report, String program, Writer out) throws IOException {
        String style = resource("report.css");
        String folder = escaped(report.folder());
        out.write("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <meta name="generator" content="unjank fleet">
                <link rel="icon" href="data:,">
                <title>%s · unjank fleet</title>
                <style>""".formatted(hash(style), folder));
        out.write(style);
        out.write("</style>\n</head>\n<body>\n<header><h1><bdi>" + folder + "</bdi></h1></header>\n");
        out.write("<p class=\"headline\">" + escaped(report.headline()) + "</p>\n<main>\n");
        for (ReportTable table : report.tables()) {
            write(table, program, out);
        }
        out.write("</main>\n</body>\n</html>\n");
        out.flush();
    }

    private static void write(ReportTable table, String program, Writer out) throws IOException {
        out.write("<section>\n<h2>" + escaped(table.title()) + "</h2>\n<p class=\"dim\">" + escaped(table.remark())
                + "</p>\n<div class=\"scroll\"><table>\n<thead><tr>");
        for (int i = 0; i < table.columns().size(); i++) {
            out.write((i == 0 ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"number\">")
                    + escaped(table.columns().get(i)) + "</th>");
        }
        out.write("<th></th></tr></thead>\n<tbody>\n");
        for (ReportTable.Row row : table.rows()) {
            write(row, program, out);
        }
        out.write("</tbody>\n</table></div>\n</section>\n");
    }

    private static void write(ReportTable.Row row, String program, Writer out) throws IOException {
        out.write("<tr><th scope=\"row\">");
        String name = "<bdi>" + escaped(row.cells().getFirst()) + "</bdi>";
        if (row.worst().isEmpty()) {
            out.write(name);
        } else {
            out.write("<details><summary>" + name + "</summary><p class=\"dim\">"
                    + escaped(FleetMessages.of("page.worst")) + "</p><ol>");
            for (String trace : row.worst()) {
                out.write("<li><code>" + escaped(OpenTraceCommand.command(program, trace)) + "</code></li>");
            }
            out.write("</ol></details>");
        }
        out.write("</th>");
        List<String> numbers = row.cells().subList(1, row.cells().size());
        for (String number : numbers) {
            out.write("<td class=\"number\">" + escaped(number) + "</td>");
        }
        long bar = Math.round(Math.clamp(row.share(), 0, 1) * BAR_WIDTH);
        out.write("<td class=\"bar\"><svg width=\"" + BAR_WIDTH + "\" height=\"10\" aria-hidden=\"true\"><rect width=\""
                + bar + "\" height=\"10\" rx=\"2\"/></svg></td></tr>\n");
    }

    private static String escaped(String text) {
        return TerminalText.printable(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String hash(String source) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(source.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static String resource(String name) {
        try (InputStream in = FleetHtmlReport.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r", "");
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }
}
