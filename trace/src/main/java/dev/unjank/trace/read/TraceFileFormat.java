package dev.unjank.trace.read;

import dev.unjank.trace.read.perfetto.PerfettoReader;
import dev.unjank.trace.read.systrace.AtraceOutput;
import dev.unjank.trace.read.systrace.SystraceLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The formats of files, detected by their first bytes. */
enum TraceFileFormat {
    PERFETTO(PerfettoReader.NO_PACKETS),
    JFR("no readable chunk in the Flight Recorder recording; copy or record it again"),
    SYSTRACE("no readable event in the systrace text; copy or record it again"),
    /** The output of {@code atrace -z}: a line of text, then systrace text, compressed with zlib. */
    CTRACE("no readable event in the output of atrace; copy or record it again"),
    HTML("an HTML page without a trace"),
    GZIP("compressed too many times; unpack it first"),
    ZIP("a zip archive in compressed data; unpack it first"),
    TRACE_CMD("a trace-cmd recording: not supported; record with Perfetto or atrace"),
    CHROME_JSON("a Chrome JSON trace: not supported (expected Perfetto, systrace or JFR)"),
    IMAGE("an image, not a trace (expected Perfetto, systrace or JFR)"),
    /** A program, a document, a database. */
    OTHER_BINARY("another format, not a trace (expected Perfetto, systrace or JFR)"),
    TEXT("text, but not a trace (expected Perfetto, systrace or JFR)"),
    OTHER("not a trace (expected Perfetto, systrace or JFR)");

    /** The tag of a trace's first packet. */
    private static final byte PACKET = 0x0a;

    /** The bytes in which the list of events of a Chrome JSON trace must begin. */
    private static final int MAX_METADATA = 1 << 24;

    /** UTF-8's byte order mark, one character per byte. */
    private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

    private static final int MIN_TEXT_LENGTH = 8;

    private final String errorMessage;

    TraceFileFormat(String complaint) {
        this.errorMessage = complaint;
    }

    /** Whether the file is certainly not a trace, not even a truncated or damaged one. */
    boolean isOtherFormat() {
        return this == IMAGE || this == OTHER_BINARY || this == CHROME_JSON || this == TEXT;
    }

    /** The error message for a file without a readable trace. */
    String errorMessage() {
        return errorMessage;
    }

    static TraceFileFormat of(byte[] head) {
        if (startsWith(head, 0x1f, 0x8b)) {
            return GZIP;
        } else if (startsWith(head, 'P', 'K', 3, 4) || startsWith(head, 'P', 'K', 5, 6)) {
            return ZIP;
        } else if (startsWith(head, 'F', 'L', 'R', 0)) {
            return JFR;
        } else if (startsWith(head, 0x17, 0x08, 'D', 't', 'r', 'a', 'c', 'i', 'n', 'g')) {
            return TRACE_CMD;
        } else if (startsWith(head, 0xff, 0xd8, 0xff)
                || startsWith(head, 0x89, 'P', 'N', 'G')
                || startsWith(head, 'G', 'I', 'F', '8')) {
            return IMAGE;
        } else if (startsWith(head, 0x7f, 'E', 'L', 'F')
                || startsWith(head, 0xca, 0xfe, 0xba, 0xbe)
                || startsWith(head, '%', 'P', 'D', 'F')
                || startsWith(head, 'S', 'Q', 'L', 'i', 't', 'e', ' ')) {
            return OTHER_BINARY;
        }
        return ofText(head);
    }

    /** A Perfetto trace starts with the byte 0x0A, which is a line feed in text. */
    private static TraceFileFormat ofText(byte[] head) {
        String text = text(head);
        if (text.startsWith(AtraceOutput.BEGINNING)) {
            return CTRACE;
        } else if (head.length > 0 && head[0] == PACKET && !isText(head)) {
            return PERFETTO;
        } else if (isChromeJson(text)) {
            return CHROME_JSON;
        } else if (text.contains("\n" + AtraceOutput.BEGINNING)) {
            return CTRACE;
        } else if (text.stripLeading().startsWith("<")) {
            return isSystrace(text) ? SYSTRACE : HTML;
        } else if (text.startsWith("# tracer") || isSystrace(text)) {
            return SYSTRACE;
        } else if (head.length > 0 && head[0] == PACKET && !isWords(text)) {
            return PERFETTO;
        }
        return isText(head) ? TEXT : OTHER;
    }

    /** The bytes as characters, without a byte order mark. */
    private static String text(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
    }

    /** Whether nearly all characters are of words; the few first bytes of a truncated packet may be text by chance. */
    private static boolean isWords(String text) {
        long ofWords = text.chars()
                .filter(c -> c == ' ' || c == '\n' || (c < 0x80 && Character.isLetterOrDigit(c)))
                .count();
        return text.length() >= MIN_TEXT_LENGTH && ofWords * 10 >= text.length() * 8L;
    }

    /** Whether text begins with an object that has a list of events, or with a list of events with phases. */
    private static boolean isChromeJson(String text) {
        String json = text.stripLeading();
        return (json.startsWith("{") && json.contains("\"traceEvents\""))
                || (json.startsWith("[") && json.contains("\"ph\""));
    }

    /** {@return the format by the whole file: a Chrome JSON trace may have its list of events after much metadata} */
    TraceFileFormat orChromeJson(byte[] head, InputStream file) throws IOException {
        String text = text(head);
        boolean mayBe = this == TEXT && text.stripLeading().startsWith("{");
        return mayBe && isChromeJson(text(file.readNBytes(MAX_METADATA))) ? CHROME_JSON : this;
    }

    /** Whether one of the first lines is an event or names the tracer. */
    private static boolean isSystrace(String text) {
        SystraceLine line = new SystraceLine();
        int lines = 0;
        for (String each : (Iterable<String>) text.lines().limit(64)::iterator) {
            byte[] bytes = each.getBytes(StandardCharsets.ISO_8859_1);
            if (each.startsWith("# tracer: ") || line.parse(bytes, 0, bytes.length)) {
                return true;
            } else if (++lines == 1 && each.startsWith("<!")) {
                return false;
            }
        }
        return false;
    }

    private static boolean startsWith(byte[] head, int... magic) {
        if (head.length < magic.length) {
            return false;
        }
        for (int i = 0; i < magic.length; i++) {
            if ((head[i] & 0xff) != magic[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isText(byte[] head) {
        for (byte b : head) {
            if (b >= 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t') {
                return false;
            }
        }
        return head.length > 0;
    }
}
