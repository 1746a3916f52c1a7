package dev.unjank.query.fuzz;

import dev.unjank.fixture.ArbitraryNames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Changes to the chunks of a recording of the Flight Recorder: to their heads, to whole events, and to numbers and
 * strings in them.
 */
final class JfrMutations {
    static final int HEAD = 68;
    static final int SIZE = 8;
    private static final int[] LONGS = {8, 16, 24, 32, 40, 48, 56};
    private static final int LENGTH_OF_HEADS_FIELDS = 3;

    private final Random random;
    private final List<String> names;

    JfrMutations(Random random, List<String> names) {
        this.random = random;
        this.names = names;
    }

    /** Where each event of a chunk begins, and its end as the last. */
    static List<Integer> events(byte[] bytes, int chunk, int end) {
        List<Integer> starts = new ArrayList<>();
        int at = chunk + HEAD;
        while (at < end) {
            long size = 0;
            int shift = 0;
            int digit = at;
            do {
                size |= (bytes[digit] & 0x7fL) << shift;
                shift += 7;
            } while (bytes[digit++] < 0 && shift < 35 && digit < end);
            if (size <= 0 || size > end - at) {
                break;
            }
            starts.add(at);
            at += (int) size;
        }
        starts.add(Math.min(at, end));
        return starts;
    }

    /** Where each chunk begins, and the end of the last. */
    static List<Integer> chunks(byte[] bytes) {
        List<Integer> starts = new ArrayList<>();
        int at = 0;
        while (at + HEAD <= bytes.length) {
            starts.add(at);
            long size = ByteBuffer.wrap(bytes).getLong(at + SIZE);
            if (size < HEAD || size > bytes.length - at) {
                at = bytes.length;
            } else {
                at += (int) size;
            }
        }
        starts.add(bytes.length);
        return starts;
    }

    byte[] changed(byte[] bytes) {
        List<Integer> chunks = chunks(bytes);
        if (chunks.size() < 2 || random.nextInt(8) == 0) {
            return ByteMutations.changed(random, bytes);
        }
        int number = random.nextInt(chunks.size() - 1);
        int chunk = chunks.get(number);
        if (random.nextInt(12) == 0) {
            byte[] copy = bytes.clone();
            ByteBuffer head = ByteBuffer.wrap(copy);
            int field = chunk + LONGS[random.nextInt(LONGS.length)];
            head.putLong(field, ByteMutations.number(random, head.getLong(field)));
            return copy;
        }
        List<Integer> events = events(bytes, chunk, chunks.get(number + 1));
        if (events.size() < 2) {
            return ByteMutations.changed(random, bytes);
        }
        int index = random.nextInt(events.size() - 1);
        int from = events.get(index);
        int to = events.get(index + 1);
        byte[] event = Arrays.copyOfRange(bytes, from, to);
        return switch (random.nextInt(8)) {
            case 0 -> moved(bytes, chunk, from, to, new byte[0]);
            case 1 -> moved(bytes, chunk, from, from, event);
            case 2 -> {
                int other = events.get(random.nextInt(events.size() - 1));
                yield moved(bytes, chunk, other, other, event);
            }
            case 3 -> moved(bytes, chunk, from, to, sized(ByteMutations.changed(random, event)));
            case 4, 5 -> moved(bytes, chunk, from, to, withString(event));
            default -> {
                byte[] copy = bytes.clone();
                int at = from + random.nextInt(to - from);
                copy[at] = (byte) (random.nextBoolean() ? random.nextInt() : copy[at] ^ (1 << random.nextInt(8)));
                yield copy;
            }
        };
    }

    /** Replaces a range and, mostly, corrects what the chunk's head says of the places behind it. */
    private byte[] moved(byte[] bytes, int chunk, int from, int to, byte[] by) {
        byte[] all = ByteMutations.replaced(bytes, from, to, by);
        int growth = by.length - (to - from);
        if (random.nextInt(5) != 0) {
            ByteBuffer head = ByteBuffer.wrap(all);
            for (int i = 0; i < LENGTH_OF_HEADS_FIELDS; i++) {
                int field = chunk + LONGS[i];
                long place = head.getLong(field);
                if (place > from - chunk) {
                    head.putLong(field, place + growth);
                }
            }
        }
        return all;
    }

    /** Another string in the place of one, with the event's own size corrected. */
    private byte[] withString(byte[] event) {
        int begin = random.nextInt(event.length);
        for (int i = 0; i < event.length - 3; i++) {
            int at = (begin + i) % event.length;
            if (event[at] == 3
                    && at + 2 < event.length
                    && event[at + 1] > 1
                    && at + 2 + event[at + 1] <= event.length) {
                int end = at + 2 + event[at + 1];
                if (isText(event, at + 2, end)) {
                    byte[] text = ByteMutations.of(ArbitraryNames.damaged(random, names));
                    byte[] string = ByteMutations.replaced(
                            ByteMutations.varint(text.length),
                            ByteMutations.varint(text.length).length,
                            ByteMutations.varint(text.length).length,
                            text);
                    return sized(ByteMutations.replaced(event, at + 1, end, string));
                }
            }
        }
        return ByteMutations.changed(random, event);
    }

    private static boolean isText(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] < ' ') {
                return false;
            }
        }
        return true;
    }

    /** With its own length in front, in as many bytes as before. */
    static byte[] sized(byte[] event) {
        int digits = 0;
        while (digits < event.length && event[digits] < 0) {
            digits++;
        }
        if (digits >= event.length || digits > 4) {
            return event;
        }
        long size = event.length;
        for (int i = 0; i <= digits; i++) {
            event[i] = (byte) ((size & 0x7f) | (i < digits ? 0x80 : 0));
            size >>>= 7;
        }
        return event;
    }
}
