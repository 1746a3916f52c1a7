package dev.unjank.query.load;

import dev.unjank.query.load.NativeTable.Column;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table as an Arrow C stream, the interface for passing tables between libraries in one process: structs that point
 * to the columns' memory, and functions that return these structs, one batch of rows after another. Columns are not
 * copied. All structs are written in advance; the functions only return them.
 *
 * <pre>
 * struct ArrowSchema       format, name, metadata, flags, n_children, children, dictionary, release, private_data
 * struct ArrowArray        length, null_count, offset, n_buffers, n_children, buffers, children, dictionary, release,
 * private_data
 * struct ArrowArrayStream  get_schema, get_next, get_last_error, release, private_data
 * </pre>
 *
 * Every field has eight bytes. The stream's private_data points to the state after its struct: the table's schema, the
 * number of batches left, and the next batch. Releasing frees nothing: the memory belongs to the arena, which must stay
 * open while the engine reads. A stream can be read once.
 *
 * @see <a href="https://arrow.apache.org/docs/format/CDataInterface.html">The Arrow C data interface</a>
 */
@SuppressWarnings("restricted") // pointers from the engine
public final class ArrowStream {
    /** Rows per batch: DuckDB's row group size, so that each of its threads fills whole row groups. */
    static final int BATCH = 122_880;

    /** Layout of every field. Pointers are written as integers, which the JVM prepares faster. */
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private static final long SCHEMA_BYTES = 72;
    private static final long SCHEMA_RELEASE = 56;
    private static final long ARRAY_BYTES = 80;
    private static final long ARRAY_RELEASE = 64;
    private static final long STREAM_BYTES = 40;
    private static final long STREAM_RELEASE = 24;
    private static final long STREAM_PRIVATE = 32;
    private static final long NULLABLE = 2;

    /** Size of the state after the stream's struct. */
    private static final long STATE_BYTES = 24;

    private static final long STATE_SCHEMA = 0;
    private static final long STATE_LEFT = 8;
    private static final long STATE_NEXT = 16;

    private final Arena arena;
    private final NativeTable table;
    private final MemorySegment stream;

    /**
     * Writes the structs of a stream.
     *
     * @param arena allocates the structs; must be accessible from all threads
     */
    ArrowStream(Arena arena, NativeTable table) {
        this.arena = arena;
        this.table = table;
        int count = Math.ceilDiv(table.rows(), BATCH);
        MemorySegment batches = arena.allocate(ARRAY_BYTES * Math.max(1, count), 8);
        for (int batch = 0; batch < count; batch++) {
            writeBatch(batches.asSlice(batch * ARRAY_BYTES, ARRAY_BYTES), batch);
        }
        this.stream = arena.allocate(STREAM_BYTES + STATE_BYTES, 8);
        MemorySegment state = stream.asSlice(STREAM_BYTES);
        point(state, STATE_SCHEMA, schemaOfTable());
        state.set(LONG, STATE_LEFT, count);
        point(state, STATE_NEXT, batches);
        point(stream, 0, Functions.GET_SCHEMA);
        point(stream, 8, Functions.GET_NEXT);
        point(stream, 16, Functions.GET_LAST_ERROR);
        point(stream, STREAM_RELEASE, Functions.RELEASE_STREAM);
        point(stream, STREAM_PRIVATE, state);
    }

    /** Address of the stream's struct. */
    long address() {
        return stream.address();
    }

    /** Creates the upcall stubs that all streams share. Slow, so callers do it while they wait for something else. */
    public static void prepare() {
        Functions.GET_NEXT.address();
    }

    private static void point(MemorySegment struct, long field, MemorySegment to) {
        struct.set(LONG, field, to.address());
    }

    private MemorySegment schemaOfTable() {
        List<Column> columns = table.columns();
        MemorySegment children = arena.allocate(8L * columns.size(), 8);
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            MemorySegment dictionary =
                    column.dictionary() == null ? null : schema("U", "", NULLABLE, 0, MemorySegment.NULL, null);
            point(
                    children,
                    8L * i,
                    schema(column.layout().format, column.name(), NULLABLE, 0, MemorySegment.NULL, dictionary));
        }
        return schema("+s", "", 0, columns.size(), children, null);
    }

    private MemorySegment schema(
            String format,
            String name,
            long flags,
            long childCount,
            MemorySegment children,
            @Nullable MemorySegment dictionary) {
        MemorySegment struct = arena.allocate(SCHEMA_BYTES, 8);
        point(struct, 0, arena.allocateFrom(format));
        point(struct, 8, arena.allocateFrom(name));
        struct.set(LONG, 24, flags);
        struct.set(LONG, 32, childCount);
        point(struct, 40, children);
        point(struct, 48, dictionary == null ? MemorySegment.NULL : dictionary);
        point(struct, SCHEMA_RELEASE, Functions.RELEASE_SCHEMA);
        return struct;
    }

    private void writeBatch(MemorySegment struct, int batch) {
        long from = (long) batch * BATCH;
        long length = Math.min(BATCH, table.rows() - from);
        List<Column> columns = table.columns();
        MemorySegment children = arena.allocate(8L * columns.size(), 8);
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            MemorySegment data = column.data().asSlice(from * column.layout().bytes);
            MemorySegment child = arena.allocate(ARRAY_BYTES, 8);
            array(child, length, 0, List.of(MemorySegment.NULL, data));
            if (column.dictionary() != null) {
                point(child, 56, dictionary(column.dictionary()));
            }
            point(children, 8L * i, child);
        }
        array(struct, length, 0, List.of(MemorySegment.NULL));
        struct.set(LONG, 32, columns.size());
        point(struct, 48, children);
    }

    private MemorySegment dictionary(StringDictionary dictionary) {
        MemorySegment struct = arena.allocate(ARRAY_BYTES, 8);
        array(
                struct,
                dictionary.size() + 1L,
                1,
                List.of(dictionary.validity(), dictionary.offsets(), dictionary.bytes()));
        return struct;
    }

    private void array(MemorySegment struct, long length, long nulls, List<MemorySegment> buffers) {
        MemorySegment pointers = arena.allocate(8L * buffers.size(), 8);
        for (int i = 0; i < buffers.size(); i++) {
            point(pointers, 8L * i, buffers.get(i));
        }
        struct.set(LONG, 0, length);
        struct.set(LONG, 8, nulls);
        struct.set(LONG, 24, buffers.size());
        point(struct, 40, pointers);
        point(struct, ARRAY_RELEASE, Functions.RELEASE_ARRAY);
    }

    /**
     * The functions that the structs point to. Native code calls them on any thread, but never concurrently for one
     * stream. They must not throw: native code cannot catch.
     *
     * <p>All have one signature, although C declares some with one argument or with another result. Missing arguments
     * are not read, and an unexpected result stays in its register; the calling conventions of all platforms with a
     * DuckDB library allow this. Creating an upcall stub per signature would dominate the start time of a command.
     */
    @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // found by reflection
    private static final class Functions {
        private static final MethodType TYPE = MethodType.methodType(long.class, long.class, long.class);

        static final MemorySegment GET_SCHEMA = stub("getSchema");
        static final MemorySegment GET_NEXT = stub("getNext");
        static final MemorySegment GET_LAST_ERROR = stub("getLastError");
        static final MemorySegment RELEASE_SCHEMA = stub("releaseSchema");
        static final MemorySegment RELEASE_ARRAY = stub("releaseArray");
        static final MemorySegment RELEASE_STREAM = stub("releaseStream");

        private Functions() {}

        private static long getSchema(long stream, long out) {
            at(out, SCHEMA_BYTES).copyFrom(at(state(stream).get(LONG, STATE_SCHEMA), SCHEMA_BYTES));
            return 0;
        }

        private static long getNext(long stream, long out) {
            MemorySegment state = state(stream);
            MemorySegment target = at(out, ARRAY_BYTES);
            long left = state.get(LONG, STATE_LEFT);
            if (left == 0) {
                target.fill((byte) 0); // a released array ends the stream
                return 0;
            }
            long next = state.get(LONG, STATE_NEXT);
            target.copyFrom(at(next, ARRAY_BYTES));
            state.set(LONG, STATE_LEFT, left - 1);
            state.set(LONG, STATE_NEXT, next + ARRAY_BYTES);
            return 0;
        }

        private static long getLastError(long stream, long unused) {
            return 0;
        }

        private static long releaseSchema(long schema, long unused) {
            at(schema, SCHEMA_BYTES).set(LONG, SCHEMA_RELEASE, 0);
            return 0;
        }

        private static long releaseArray(long array, long unused) {
            at(array, ARRAY_BYTES).set(LONG, ARRAY_RELEASE, 0);
            return 0;
        }

        private static long releaseStream(long stream, long unused) {
            at(stream, STREAM_BYTES).set(LONG, STREAM_RELEASE, 0);
            return 0;
        }

        private static MemorySegment state(long stream) {
            return at(at(stream, STREAM_BYTES).get(LONG, STREAM_PRIVATE), STATE_BYTES);
        }

        private static MemorySegment at(long address, long bytes) {
            return MemorySegment.ofAddress(address).reinterpret(bytes);
        }

        private static MemorySegment stub(String method) {
            try {
                return Linker.nativeLinker()
                        .upcallStub(
                                MethodHandles.lookup().findStatic(Functions.class, method, TYPE),
                                FunctionDescriptor.of(LONG, LONG, LONG),
                                Arena.global());
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(method, e);
            }
        }
    }
}
