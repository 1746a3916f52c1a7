package dev.unjank.query.load;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A table as columns in native memory, to be handed over in bulk. Columns that lie so in the trace's model already are taken
 * as they are, the others are written once into memory of the arena.
 *
 * <p>A whole number may stand for NULL, {@code none}; the engine puts the NULLs in.
 */
public final class NativeTable {

    /** How the values of a column lie in memory; {@code format} is Arrow's name of it. */
    public enum Layout {
        INT16("s", 2),
        INT32("i", 4),
        INT64("l", 8),
        REAL("g", 8),
        /** Numbers of entries in a dictionary, as {@link #INT32}. */
        TEXT("i", 4);

        final String format;
        final int bytes;

        Layout(String format, int bytes) {
            this.format = format;
            this.bytes = bytes;
        }
    }

    /**
     * A column.
     *
     * @param data the rows one after another
     * @param none the whole number that stands for NULL, or null if no row is NULL
     * @param dictionary the texts that a {@link Layout#TEXT} column refers to, else null
     */
    record Column(
            String name,
            Layout layout,
            MemorySegment data,
            @Nullable Long none,
            @Nullable StringDictionary dictionary) {}

    /** Rows that go into native memory at once, through an array: single writes to it are slow. */
    private static final int CHUNK = 1 << 10;

    private final Arena arena;
    private final int rows;
    private final Map<String, Column> columns = new LinkedHashMap<>();
    private final Map<String, String> aliases = new LinkedHashMap<>();

    /** A table without columns, whose further memory the arena gives. */
    public NativeTable(Arena arena, int rows) {
        this.arena = arena;
        this.rows = rows;
    }

    public int rows() {
        return rows;
    }

    List<Column> columns() {
        return new ArrayList<>(columns.values());
    }

    @Nullable
    Column column(String name) {
        return columns.get(name);
    }

    /** A column that is in native memory already. */
    public NativeTable with(String name, Layout layout, MemorySegment data) {
        return add(new Column(name, layout, data, null, null));
    }

    /** The same with a number that stands for NULL. */
    public NativeTable with(String name, Layout layout, MemorySegment data, long none) {
        return add(new Column(name, layout, data, none, null));
    }

    /** A column of texts whose numbers are in native memory already. */
    public NativeTable with(String name, MemorySegment ids, StringDictionary dictionary) {
        return add(new Column(name, Layout.TEXT, ids, null, dictionary));
    }

    /** Gives the values of some rows, one behind the other. */
    @FunctionalInterface
    public interface Rows {
        void fill(int first, long[] values, int count);
    }

    public NativeTable longs(String name, IntToLongFunction value) {
        return add(new Column(name, Layout.INT64, longs(each(value)), null, null));
    }

    public NativeTable longs(String name, long none, IntToLongFunction value) {
        return longs(name, none, each(value));
    }

    public NativeTable longs(String name, long none, Rows values) {
        return add(new Column(name, Layout.INT64, longs(values), none, null));
    }

    /** A column of numbers that lie in an array, which may hold something behind the last. */
    public NativeTable longs(String name, long[] values) {
        MemorySegment data = memory(Layout.INT64);
        MemorySegment.copy(values, 0, data, ValueLayout.JAVA_LONG, 0, rows);
        return add(new Column(name, Layout.INT64, data, null, null));
    }

    private static Rows each(IntToLongFunction value) {
        return (first, values, count) -> {
            for (int i = 0; i < count; i++) {
                values[i] = value.applyAsLong(first + i);
            }
        };
    }

    private MemorySegment longs(Rows values) {
        MemorySegment data = memory(Layout.INT64);
        long[] chunk = new long[Math.min(rows, CHUNK)];
        for (int from = 0; from < rows; from += CHUNK) {
            int count = Math.min(CHUNK, rows - from);
            values.fill(from, chunk, count);
            MemorySegment.copy(chunk, 0, data, ValueLayout.JAVA_LONG, (long) from * Long.BYTES, count);
        }
        return data;
    }

    public NativeTable ints(String name, IntUnaryOperator value) {
        return add(new Column(name, Layout.INT32, ints(Layout.INT32, value), null, null));
    }

    public NativeTable ints(String name, int none, IntUnaryOperator value) {
        ints(name, value);
        return with(name, Layout.INT32, data(name), none);
    }

    /** Numbers with a fraction; what is no number is NULL, as in SQLite. */
    public NativeTable reals(String name, IntToDoubleFunction value) {
        MemorySegment data = memory(Layout.REAL);
        for (int row = 0; row < rows; row++) {
            data.setAtIndex(ValueLayout.JAVA_DOUBLE, row, value.applyAsDouble(row));
        }
        return add(new Column(name, Layout.REAL, data, null, null));
    }

    /** A column of texts by their numbers in a dictionary, where a negative number is NULL. */
    public NativeTable texts(String name, StringDictionary dictionary, IntUnaryOperator id) {
        int none = dictionary.none();
        MemorySegment data = ints(Layout.TEXT, row -> {
            int value = id.applyAsInt(row);
            return value < 0 ? none : value;
        });
        return add(new Column(name, Layout.TEXT, data, null, dictionary));
    }

    /** A column of a few texts or of texts that no dictionary holds; null is NULL. */
    public NativeTable texts(String name, IntFunction<@Nullable String> text) {
        Map<String, Integer> ids = new LinkedHashMap<>();
        int[] id = new int[rows];
        for (int row = 0; row < rows; row++) {
            String value = text.apply(row);
            id[row] = value == null ? -1 : ids.computeIfAbsent(value, _ -> ids.size());
        }
        return texts(name, StringDictionary.of(arena, List.copyOf(ids.keySet())), row -> id[row]);
    }

    /** The same column once more under another name; only the name is noted. */
    public NativeTable alias(String name, String other) {
        aliases.put(other, existing(name).name());
        return this;
    }

    /** Which column has the values of a name that is only another name for it; null for any other name. */
    @Nullable
    String original(String alias) {
        return aliases.get(alias);
    }

    private MemorySegment ints(Layout layout, IntUnaryOperator value) {
        MemorySegment data = memory(layout);
        int[] chunk = new int[Math.min(rows, CHUNK)];
        for (int from = 0; from < rows; from += CHUNK) {
            int count = Math.min(CHUNK, rows - from);
            for (int i = 0; i < count; i++) {
                chunk[i] = value.applyAsInt(from + i);
            }
            MemorySegment.copy(chunk, 0, data, ValueLayout.JAVA_INT, (long) from * Integer.BYTES, count);
        }
        return data;
    }

    private MemorySegment data(String name) {
        return existing(name).data();
    }

    private Column existing(String name) {
        Column column = columns.get(name);
        if (column == null) {
            throw new IllegalArgumentException(name);
        }
        return column;
    }

    private MemorySegment memory(Layout layout) {
        return arena.allocate(Math.max(1, (long) rows * layout.bytes), 64);
    }

    private NativeTable add(Column column) {
        if (column.data().byteSize() < (long) rows * column.layout().bytes) {
            throw new IllegalArgumentException(
                    column.name() + ": " + column.data().byteSize() + " bytes for " + rows + " rows");
        }
        columns.put(column.name(), column);
        return this;
    }
}
