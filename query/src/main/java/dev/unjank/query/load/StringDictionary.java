package dev.unjank.query.load;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Texts in native memory, to which columns refer by number. Behind the texts stands one more entry, {@link #none}, which is
 * NULL.
 *
 * @param size how many texts there are
 * @param offsets where each begins in {@code bytes}, as longs; one more than there are entries
 * @param bytes UTF-8
 * @param validity a bit for each entry, set unless it is NULL
 */
public record StringDictionary(int size, MemorySegment offsets, MemorySegment bytes, MemorySegment validity) {

    /** Of texts that are at hand. */
    public static StringDictionary of(Arena arena, List<String> texts) {
        return of(arena, texts.size(), texts::get);
    }

    /** Of texts by number. What Java cannot encode, half a surrogate pair, becomes a question mark. */
    public static StringDictionary of(Arena arena, int size, IntFunction<String> text) {
        byte[][] encoded = new byte[size][];
        long total = 0;
        for (int id = 0; id < size; id++) {
            encoded[id] = text.apply(id).getBytes(StandardCharsets.UTF_8);
            total += encoded[id].length;
        }
        MemorySegment offsets = arena.allocate(ValueLayout.JAVA_LONG, size + 2L);
        MemorySegment bytes = arena.allocate(Math.max(total, 1));
        long end = 0;
        for (int id = 0; id < size; id++) {
            MemorySegment.copy(encoded[id], 0, bytes, ValueLayout.JAVA_BYTE, end, encoded[id].length);
            end += encoded[id].length;
            offsets.setAtIndex(ValueLayout.JAVA_LONG, id + 1L, end);
        }
        offsets.setAtIndex(ValueLayout.JAVA_LONG, size + 1L, end);
        MemorySegment validity = arena.allocate(size / 8 + 8);
        for (int id = 0; id < size; id++) {
            int at = id >>> 3;
            validity.set(ValueLayout.JAVA_BYTE, at, (byte) (validity.get(ValueLayout.JAVA_BYTE, at) | 1 << (id & 7)));
        }
        return new StringDictionary(size, offsets, bytes, validity);
    }

    /** The number of the entry that is NULL. */
    int none() {
        return size;
    }

    /** A text, decoded. */
    String get(int id) {
        long from = offsets.getAtIndex(ValueLayout.JAVA_LONG, id);
        long to = offsets.getAtIndex(ValueLayout.JAVA_LONG, id + 1L);
        return new String(bytes.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }
}
