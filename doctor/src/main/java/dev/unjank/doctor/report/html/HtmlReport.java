package dev.unjank.doctor.report.html;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.ReportQueries;
import dev.unjank.doctor.report.Messages;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.text.TerminalText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a diagnosis as one self-contained page for a browser: the incidents in a list to sort and filter, and for each
 * a drawn timeline.
 *
 * <p>The page makes no request and runs only its own script. Its Content-Security-Policy allows only its own script and
 * style sheet, identified by their hashes, and images in data URLs; it forbids the script to create markup from text.
 * Everything from the trace is data in a block of compressed JSON; the script shows it as text only.
 */
public final class HtmlReport {
    private static final String SHELL = "page.html";
    private static final List<String> STYLE = List.of("page.css", "causes.css");

    private static final Pattern MESSAGE = Pattern.compile("\\{message:([\\w.]+)}");

    /** In dependency order: each file uses only those before it. */
    private static final List<String> SCRIPT = List.of(
            "text.js",
            "data.js",
            "ruler.js",
            "scene.js",
            "timeline.js",
            "details.js",
            "list.js",
            "sections.js",
            "overview.js",
            "lanes.js",
            "icicle.js",
            "causes.js",
            "main.js");

    private HtmlReport() {}

    /**
     * Writes a diagnosis. The writer must encode to UTF-8, which the page declares as its encoding. This method flushes
     * the writer but does not close it.
     *
     * @param diagnosis the diagnosis
     * @param trace the trace that it is of
     * @param queries the queries over the trace
     * @param out where to
     * @throws IOException if {@code out} fails
     */
    public static void write(Diagnosis diagnosis, Trace trace, ReportQueries queries, Writer out) throws IOException {
        String style = resources(STYLE);
        String script = "\"use strict\";\n" + resources(SCRIPT);
        String shell = MESSAGE.matcher(resource(SHELL))
                .replaceAll(key -> Matcher.quoteReplacement(Messages.of(key.group(1))))
                .replace("{style-hash}", hash(style))
                .replace("{script-hash}", hash(script))
                .replace("{title}", escaped(TerminalText.withSymbols(TerminalText.start(diagnosis.trace()))))
                .replace("{style}", style)
                .replace("{script}", script);
        String here = "{data}";
        int data = shell.indexOf(here);
        out.append(shell, 0, data);
        out.append(packed(new PageData(diagnosis, trace, queries)));
        out.append(shell, data + here.length(), shell.length());
        out.flush();
    }

    /** Compresses the data; in Base64 no name of a trace can end the element that holds it. */
    private static String packed(PageData data) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream compressed = new GZIPOutputStream(bytes)) {
            data.writeTo(compressed);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("{", "&#123;");
    }

    private static String hash(String source) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(source.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static String resources(List<String> names) {
        StringBuilder all = new StringBuilder();
        names.forEach(name -> all.append(resource(name)));
        return all.toString();
    }

    private static String resource(String name) {
        try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r", "");
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }
}
