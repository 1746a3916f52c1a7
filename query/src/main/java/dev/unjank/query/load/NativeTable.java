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
 * A table as columns in native memory, for bulk loading. Columns that the trace's model already has in native memory
 * are shared; others are copied into the arena.
 *
 * <p>A column may have a null value: an integer that the engine replaces by NULL.
 */
public final class NativeTable {

    /** Memory layout of a column; {@code format} is its name in Arrow. */
    public enum Layout {
        INT16("s", 2),
        INT32("i", 4),
        INT64("l", 8),
        DOUBLE("g", 8),
        /** Indexes into a dictionary, as {@link #INT32}. */
        STRING("i", 4);

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
     * @param data the values, row by row
     * @param nullValue the integer that means NULL; null if no row is NULL
     * @param dictionary the strings of a {@link Layout#STRING} column; null for other columns
     */
    record Column(
            String name,
            Layout layout,
            MemorySegment data,
            @Nullable Long nullValue,
            @Nullable StringDictionary dictionary) {}

    /** Rows copied to native memory at a time, through an array: single writes are slow. */
    private static final int CHUNK = 1 << 10;

    private final Arena arena;
    private final int rows;
    private final Map<String, Column> columns = new LinkedHashMap<>();
    private final Map<String, String> aliases = new LinkedHashMap<>();

    /**
     * Creates a table without columns.
     *
     * @param arena allocates columns that are copied
     */
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

    /** Adds a column that is already in native memory. */
    public NativeTable column(String name, Layout layout, MemorySegment data) {
        return add(new Column(name, layout, data, null, null));
    }

    /** Adds a column with a null value that is already in native memory. */
    public NativeTable column(String name, Layout layout, MemorySegment data, long nullValue) {
        return add(new Column(name, layout, data, nullValue, null));
    }

    /** Adds a string column by dictionary ids that are already in native memory. */
    public NativeTable column(String name, MemorySegment ids, StringDictionary dictionary) {
        return add(new Column(name, Layout.STRING, ids, null, dictionary));
    }

    /** Supplies the values of consecutive rows. */
    @FunctionalInterface
    public interface LongSource {
        void fill(int first, long[] values, int count);
    }

    /** Adds a column of integers. */
    public NativeTable longs(String name, IntToLongFunction value) {
        return add(new Column(name, Layout.INT64, longs(each(value)), null, null));
    }

    public NativeTable longs(String name, long nullValue, IntToLongFunction value) {
        return longs(name, nullValue, each(value));
    }

    public NativeTable longs(String name, long nullValue, LongSource values) {
        return add(new Column(name, Layout.INT64, longs(values), nullValue, null));
    }

    /** Adds a column of integers; the array may be longer than the table. */
    public NativeTable longs(String name, long[] values) {
        MemorySegment data = memory(Layout.INT64);
        MemorySegment.copy(values, 0, data, ValueLayout.JAVA_LONG, 0, rows);
        return add(new Column(name, Layout.INT64, data, null, null));
    }

    private static LongSource each(IntToLongFunction value) {
        return (first, values, count) -> {
            for (int i = 0; i < count; i++) {
                values[i] = value.applyAsLong(first + i);
            }
        };
    }

    private MemorySegment longs(LongSource values) {
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

    public NativeTable ints(String name, int nullValue, IntUnaryOperator value) {
        ints(name, value);
        return column(name, Layout.INT32, data(name), nullValue);
    }

    /** Adds a column of doubles; NaN becomes NULL, as in SQLite. */
    public NativeTable doubles(String name, IntToDoubleFunction value) {
        MemorySegment data = memory(Layout.DOUBLE);
        for (int row = 0; row < rows; row++) {
            data.setAtIndex(ValueLayout.JAVA_DOUBLE, row, value.applyAsDouble(row));
        }
        return add(new Column(name, Layout.DOUBLE, data, null, null));
    }

    /** Adds a string column by dictionary ids; negative ids become NULL. */
    public NativeTable strings(String name, StringDictionary dictionary, IntUnaryOperator id) {
        int nullValue = dictionary.nullId();
        MemorySegment data = ints(Layout.STRING, row -> {
            int value = id.applyAsInt(row);
            return value < 0 ? nullValue : value;
        });
        return add(new Column(name, Layout.STRING, data, null, dictionary));
    }

    /** Adds a string column with a dictionary of its own; null becomes NULL. */
    public NativeTable strings(String name, IntFunction<@Nullable String> string) {
        Map<String, Integer> ids = new LinkedHashMap<>();
        int[] id = new int[rows];
        for (int row = 0; row < rows; row++) {
            String value = string.apply(row);
            id[row] = value == null ? -1 : ids.computeIfAbsent(value, _ -> ids.size());
        }
        return strings(name, StringDictionary.of(arena, List.copyOf(ids.keySet())), row -> id[row]);
    }

    /** Declares another name for a column, without copying it. */
    public NativeTable alias(String name, String other) {
        aliases.put(other, existing(name).name());
        return this;
    }

    /** The column that a name is an alias of; null if the name is not an alias. */
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
