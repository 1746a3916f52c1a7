package dev.unjank.doctor.scene;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** The bytes of a trace without some of its packets, lines or events, chosen at random. */
public final class ThinnedTrace {
    private static final Pattern SYSTRACE_EVENT = Pattern.compile(".*\\[\\d{3}] .*\\d+\\.\\d{6}: .*", Pattern.DOTALL);
    private static final int CHUNK_HEADER = 68;

    /** Metadata and checkpoints of a recording have the types 0 and 1. */
    private static final long FIRST_EVENT_TYPE = 2;

    private ThinnedTrace() {}

    /** Removes a share of the events of a file; its name has the format. */
    public static byte[] without(double share, String name, byte[] trace, Random random) throws IOException {
        if (name.endsWith(".txt") || name.endsWith(".html")) {
            return lines(share, trace, random);
        }
        if (name.endsWith(".jfr.gz")) {
            return recording(share, new GZIPInputStream(new ByteArrayInputStream(trace)).readAllBytes(), random);
        }
        return name.endsWith(".jfr") ? recording(share, trace.clone(), random) : packets(share, trace, random);
    }

    private static byte[] lines(double share, byte[] trace, Random random) {
        StringBuilder rest = new StringBuilder(trace.length);
        for (String line : new String(trace, StandardCharsets.ISO_8859_1).split("(?<=\n)", -1)) {
            if (!SYSTRACE_EVENT.matcher(line).matches() || random.nextDouble() >= share) {
                rest.append(line);
            }
        }
        return rest.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A trace is a sequence of packets, each a field with its length. */
    private static byte[] packets(double share, byte[] trace, Random random) {
        ByteArrayOutputStream rest = new ByteArrayOutputStream(trace.length);
        int at = 0;
        while (at < trace.length) {
            int next = afterVarint(trace, at + 1);
            int end = (int) Math.min(trace.length, next + varint(trace, at + 1));
            if (random.nextDouble() >= share) {
                rest.write(trace, at, end - at);
            }
            at = end;
        }
        return rest.toByteArray();
    }

    /**
     * Events refer to each other by position, so those that are removed get a type that the recording does not have.
     */
    private static byte[] recording(double share, byte[] recording, Random random) {
        Set<Long> types = new HashSet<>();
        forEachEvent(recording, (bytes, at) -> types.add(varint(bytes, at)));
        forEachEvent(recording, (bytes, at) -> {
            if (varint(bytes, at) >= FIRST_EVENT_TYPE && random.nextDouble() < share) {
                removeType(bytes, at, types);
            }
        });
        return recording;
    }

    private static void removeType(byte[] bytes, int at, Set<Long> types) {
        int length = afterVarint(bytes, at) - at;
        long free = (1L << (7 * length)) - 1;
        while (types.contains(free)) {
            free--;
        }
        for (int i = 0; i < length; i++) {
            int more = i + 1 < length ? 0x80 : 0;
            bytes[at + i] = (byte) ((free >>> (7 * i) & 0x7f) | more);
        }
    }

    /** Passes the position of each event's type. */
    private static void forEachEvent(byte[] recording, ObjIntConsumer<byte[]> action) {
        int chunk = 0;
        while (chunk + CHUNK_HEADER <= recording.length) {
            long size = ByteBuffer.wrap(recording).getLong(chunk + 8);
            int end = (int) Math.min(recording.length, size < CHUNK_HEADER ? Long.MAX_VALUE : chunk + size);
            int at = chunk + CHUNK_HEADER;
            while (at < end && varint(recording, at) > 1) {
                action.accept(recording, afterVarint(recording, at));
                at += (int) varint(recording, at);
            }
            chunk = end;
        }
    }

    private static long varint(byte[] bytes, int at) {
        long value = 0;
        int end = afterVarint(bytes, at);
        for (int i = end - 1; i >= at; i--) {
            value = value << 7 | (bytes[i] & 0x7f);
        }
        return value;
    }

    private static int afterVarint(byte[] bytes, int at) {
        int end = at;
        while (bytes[end] < 0) {
            end++;
        }
        return end + 1;
    }
}
