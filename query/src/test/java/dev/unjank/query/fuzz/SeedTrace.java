package dev.unjank.query.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * A trace to damage. Large traces are also split into pieces, which are faster to check: consecutive packets, lines or
 * events, with those from the start that the others need.
 */
final class SeedTrace {
    /** Layout of the pieces. */
    enum Format {
        PERFETTO,
        TEXT,
        JFR
    }

    private static final int PIECE = 40_000;
    private static final int PIECES = 40;
    private static final int HEAD_OF_A_TRACE = 12_000;
    private static final int COMPRESSED_PACKETS = 50;
    private static final byte[] CTRACE = "TRACE:\n".getBytes(ISO_8859_1);

    private final String name;
    private final Format format;
    private final byte[] file;
    private final List<byte[]> pieces;

    private SeedTrace(String name, Format format, byte[] file, List<byte[]> pieces) {
        this.name = name;
        this.format = format;
        this.file = file;
        this.pieces = pieces;
    }

    static SeedTrace read(Path path) throws IOException {
        return of(path.getFileName().toString(), Files.readAllBytes(path));
    }

    static SeedTrace of(String name, byte[] file) throws IOException {
        byte[] content = unpacked(file);
        String head = new String(content, 0, Math.min(content.length, 64), ISO_8859_1);
        if (head.startsWith("FLR\0")) {
            return new SeedTrace(name, Format.JFR, file, ofRecording(content));
        } else if (head.startsWith("<!DOCTYPE")
                || head.startsWith("#")
                || head.startsWith(" ")
                || head.startsWith("TRACE:")
                || isText(content)) {
            return new SeedTrace(name, Format.TEXT, file, ofText(content));
        }
        return new SeedTrace(name, Format.PERFETTO, file, ofPackets(plain(content)));
    }

    private static boolean isText(byte[] content) {
        for (int i = 0; i < Math.min(200, content.length); i++) {
            if (content[i] < ' ' && content[i] != '\n' && content[i] != '\r' && content[i] != '\t') {
                return false;
            }
        }
        return true;
    }

    String name() {
        return name;
    }

    Format format() {
        return format;
    }

    /** The whole file. */
    byte[] file() {
        return file;
    }

    byte[] anyPiece(Random random) {
        return pieces.get(random.nextInt(pieces.size()));
    }

    List<byte[]> pieces() {
        return pieces;
    }

    /** Unpacked bytes packed as a file of this kind may be. */
    byte[] packed(Random random, byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (format == Format.TEXT && random.nextBoolean()) {
            out.writeBytes(CTRACE);
            try (DeflaterOutputStream packing = new DeflaterOutputStream(out)) {
                packing.write(content);
            }
        } else {
            try (GZIPOutputStream packing = new GZIPOutputStream(out)) {
                packing.write(content);
            }
        }
        return out.toByteArray();
    }

    private static byte[] unpacked(byte[] file) throws IOException {
        if (file.length > 2 && file[0] == 0x1f && file[1] == (byte) 0x8b) {
            return new GZIPInputStream(new ByteArrayInputStream(file)).readAllBytes();
        }
        boolean isCtrace = file.length > CTRACE.length + 2
                && Arrays.equals(CTRACE, Arrays.copyOf(file, CTRACE.length))
                && file[CTRACE.length] == 0x78;
        return isCtrace
                ? new InflaterInputStream(new ByteArrayInputStream(file, CTRACE.length, file.length - CTRACE.length))
                        .readAllBytes()
                : file;
    }

    /** With the packets that were compressed several to one as they are. */
    private static byte[] plain(byte[] trace) throws IOException {
        List<int[]> packets = ProtobufMutations.packets(trace);
        if (packets == null) {
            return trace;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int[] packet : packets) {
            byte[] content = Arrays.copyOfRange(trace, packet[1], packet[2]);
            byte[] tag = ByteMutations.varint((COMPRESSED_PACKETS << 3) | 2);
            boolean isCompressed = content.length > 4 && content[0] == tag[0] && content[1] == tag[1];
            List<int[]> within = isCompressed ? ProtobufMutations.packets(content) : null;
            if (within != null && within.size() == 1) {
                int[] only = within.getFirst();
                out.writeBytes(new InflaterInputStream(new ByteArrayInputStream(content, only[1], only[2] - only[1]))
                        .readAllBytes());
            } else {
                out.write(trace, packet[0], packet[2] - packet[0]);
            }
        }
        return out.toByteArray();
    }

    private static List<byte[]> ofPackets(byte[] trace) {
        List<int[]> packets = ProtobufMutations.packets(trace);
        if (trace.length <= PIECE || packets == null) {
            return List.of(trace);
        }
        int headPackets = 0;
        while (headPackets < packets.size() && packets.get(headPackets)[2] < HEAD_OF_A_TRACE) {
            headPackets++;
        }
        List<byte[]> pieces = new ArrayList<>();
        for (int i = 0; i < PIECES; i++) {
            int first = Math.max(headPackets, (int) ((long) packets.size() * i / PIECES));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            for (int p = 0; p < headPackets; p++) {
                write(trace, packets.get(p), out);
            }
            for (int p = first; p < packets.size() && out.size() < PIECE; p++) {
                if (packets.get(p)[2] - packets.get(p)[0] < 4 * PIECE) {
                    write(trace, packets.get(p), out);
                }
            }
            pieces.add(out.toByteArray());
        }
        return pieces;
    }

    private static void write(byte[] trace, int[] packet, ByteArrayOutputStream out) {
        out.write(trace, packet[0], packet[2] - packet[0]);
    }

    /** Pages and texts have little around their traces. */
    private static List<byte[]> ofText(byte[] content) {
        String text = new String(content, ISO_8859_1);
        if (text.startsWith("<!DOCTYPE")) {
            String mark = "class=\"trace-data\"";
            List<byte[]> pieces = new ArrayList<>();
            for (int at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
                int end = text.indexOf("</script>", at);
                int begin = text.indexOf('>', at) + 1;
                for (byte[] piece :
                        ofText(text.substring(begin, Math.max(begin, end)).getBytes(ISO_8859_1))) {
                    String page = "<!DOCTYPE html>\n<html>\n<script class=\"trace-data\">"
                            + new String(piece, ISO_8859_1) + "</script>\n</html>\n";
                    pieces.add(page.getBytes(ISO_8859_1));
                }
            }
            return pieces.isEmpty() ? List.of(content) : pieces;
        }
        if (content.length <= PIECE) {
            return List.of(content);
        }
        List<byte[]> pieces = new ArrayList<>();
        int head = Math.max(0, text.lastIndexOf('\n', Math.min(text.length(), 1_500)) + 1);
        for (int i = 0; i < PIECES; i++) {
            int from = text.indexOf('\n', Math.max(head - 1, (int) ((long) text.length() * i / PIECES))) + 1;
            int to = Math.min(text.length(), from + PIECE);
            pieces.add((text.substring(0, head) + text.substring(Math.max(from, head), to)).getBytes(ISO_8859_1));
        }
        return pieces;
    }

    /** Each chunk with some of its events, and with all of its metadata and constants. */
    private static List<byte[]> ofRecording(byte[] content) {
        if (content.length <= 4 * PIECE) {
            return List.of(content);
        }
        List<byte[]> pieces = new ArrayList<>();
        List<Integer> chunks = JfrMutations.chunks(content);
        for (int i = 0; i < chunks.size() - 1; i++) {
            int chunk = chunks.get(i);
            List<Integer> events = JfrMutations.events(content, chunk, chunks.get(i + 1));
            long metadata = ByteBuffer.wrap(content).getLong(chunk + 24);
            int firstConstants = events.size() - 1;
            for (int e = events.size() - 2; e >= 0; e--) {
                if (type(content, events.get(e)) == 1) {
                    firstConstants = e;
                }
            }
            int perChunk = Math.max(1, PIECES / (chunks.size() - 1));
            for (int p = 0; p < perChunk; p++) {
                int first = (int) ((long) firstConstants * p / perChunk);
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                out.write(content, chunk, JfrMutations.HEAD);
                long newMetadata = 0;
                int written = 0;
                for (int e = 0; e < events.size() - 1; e++) {
                    int from = events.get(e);
                    int size = events.get(e + 1) - from;
                    boolean isMetadata = from - chunk == metadata;
                    boolean isKept = e >= firstConstants || isMetadata || (e >= first && written < PIECE);
                    if (isKept) {
                        newMetadata = isMetadata ? out.size() : newMetadata;
                        written += e >= firstConstants || isMetadata ? 0 : size;
                        out.write(content, from, size);
                    }
                }
                byte[] piece = out.toByteArray();
                ByteBuffer head = ByteBuffer.wrap(piece);
                int dropped = chunks.get(i + 1) - chunk - piece.length;
                head.putLong(8, piece.length);
                head.putLong(16, head.getLong(16) - dropped);
                head.putLong(24, newMetadata);
                pieces.add(piece);
            }
        }
        return pieces.isEmpty() ? List.of(content) : pieces;
    }

    private static int type(byte[] bytes, int event) {
        int at = event;
        while (bytes[at] < 0) {
            at++;
        }
        return bytes[at + 1];
    }
}
