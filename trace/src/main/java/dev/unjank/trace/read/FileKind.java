package dev.unjank.trace.read;

/** What a file is, by its first bytes; to tell people what they gave us instead of a trace. */
enum FileKind {
    PERFETTO(""),
    GZIP("is compressed twice; unpack it first"),
    ZIP("is a zip archive; unpack it and give the trace within"),
    JFR("is a Flight Recorder recording without a single chunk that can be read; copy or record it again"),
    IMAGE("is an image, not a trace"),
    HTML("is an HTML page; only Perfetto traces can be read, so record in Perfetto's format"),
    TEXT("is text; only Perfetto traces can be read, so record in Perfetto's format"),
    OTHER("is not a Perfetto trace");

    /** How many bytes are looked at. */
    static final int HEAD = 32;

    /** The tag of a trace's first packet. */
    private static final byte PACKET = 0x0a;

    private final String complaint;

    FileKind(String complaint) {
        this.complaint = complaint;
    }

    /** What to say about a file that is no trace. */
    String complaint() {
        return complaint;
    }

    static FileKind of(byte[] head) {
        if (startsWith(head, 0x1f, 0x8b)) {
            return GZIP;
        } else if (startsWith(head, 'P', 'K', 3, 4)) {
            return ZIP;
        } else if (startsWith(head, 'F', 'L', 'R', 0)) {
            return JFR;
        } else if (startsWith(head, 0xff, 0xd8, 0xff)
                || startsWith(head, 0x89, 'P', 'N', 'G')
                || startsWith(head, 'G', 'I', 'F', '8')) {
            return IMAGE;
        } else if (startsWith(head, '<')) {
            return HTML;
        } else if (head.length > 0 && head[0] == PACKET) {
            return PERFETTO;
        }
        return isText(head) ? TEXT : OTHER;
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
            if (b < ' ' && b != '\n' && b != '\r' && b != '\t') {
                return false;
            }
        }
        return head.length > 0;
    }
}
