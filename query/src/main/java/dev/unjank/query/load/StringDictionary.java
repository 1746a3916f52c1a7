package dev.unjank.query.load;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Strings in native memory that columns refer to by id. One additional entry at the end, {@link #nullId}, is NULL.
 *
 * @param size number of strings
 * @param offsets start of each entry in {@code bytes} and the end of the last, as longs
 * @param bytes UTF-8
 * @param validity one bit per entry, set unless it is NULL
 */
public record StringDictionary(int size, MemorySegment offsets, MemorySegment bytes, MemorySegment validity) {

    /** A dictionary of the given strings. */
    public static StringDictionary of(Arena arena, List<String> strings) {
        return of(arena, strings.size(), strings::get);
    }

    /** A dictionary of strings by id. An unpaired surrogate becomes a question mark. */
    public static StringDictionary of(Arena arena, int size, IntFunction<String> string) {
        byte[][] encoded = new byte[size][];
        long total = 0;
        for (int id = 0; id < size; id++) {
            encoded[id] = string.apply(id).getBytes(StandardCharsets.UTF_8);
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

    /** The id of the NULL entry. */
    int nullId() {
        return size;
    }

    /** Decodes a string. */
    String get(int id) {
        long from = offsets.getAtIndex(ValueLayout.JAVA_LONG, id);
        long to = offsets.getAtIndex(ValueLayout.JAVA_LONG, id + 1L);
        return new String(bytes.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }
}
