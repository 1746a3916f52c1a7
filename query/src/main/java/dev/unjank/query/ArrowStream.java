package dev.unjank.query;

import dev.unjank.query.NativeTable.Column;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table as an Arrow C stream, the interface by which columnar programs in one process hand tables to each other: structs
 * that point to the columns' memory, and functions that give out those structs, one batch of rows after another. The columns
 * are not copied. The structs are written once, here; all that is left to the functions is to hand them over.
 *
 * <pre>
 * struct ArrowSchema       format, name, metadata, flags, n_children, children, dictionary, release, private_data
 * struct ArrowArray        length, null_count, offset, n_buffers, n_children, buffers, children, dictionary, release, private_data
 * struct ArrowArrayStream  get_schema, get_next, get_last_error, release, private_data
 * </pre>
 *
 * Every field is eight bytes. Releasing gives nothing back: the memory belongs to the arena, which has to stay open while the
 * engine reads. A stream can be read once.
 *
 * @see <a href="https://arrow.apache.org/docs/format/CDataInterface.html">The Arrow C data interface</a>
 */
@SuppressWarnings({"restricted", "UnusedMethod", "UnusedVariable"
}) // foreign code calls its methods, by the structs it makes
final class ArrowStream {
    /** Rows in a batch: the engine's own unit, so that each of its threads fills whole ones. */
    static final int BATCH = 122_880;

    private static final AddressLayout POINTER = ValueLayout.ADDRESS;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final long SCHEMA_BYTES = 72;
    private static final long SCHEMA_RELEASE = 56;
    private static final long ARRAY_BYTES = 80;
    private static final long ARRAY_RELEASE = 64;
    private static final long STREAM_BYTES = 40;
    private static final long STREAM_RELEASE = 24;
    private static final long NULLABLE = 2;

    private static final long STREAM_STATE = 32;

    // What a stream's private data points to: where its schema and its batches are, how many of these, and the next
    // one.
    private static final long STATE_SCHEMA = 0;
    private static final long STATE_BATCHES = 8;
    private static final long STATE_COUNT = 16;
    private static final long STATE_NEXT = 24;
    private static final long STATE_BYTES = 32;

    private final Arena arena;
    private final NativeTable table;
    private final MemorySegment stream;

    /** Over a table, with structs in memory of the arena, which other threads must be allowed to read. */
    ArrowStream(Arena arena, NativeTable table) {
        this.arena = arena;
        this.table = table;
        int batchCount = Math.ceilDiv(table.rows(), BATCH);
        MemorySegment batches = arena.allocate(ARRAY_BYTES * Math.max(1, batchCount), 8);
        for (int batch = 0; batch < batchCount; batch++) {
            writeBatch(batch, batches.asSlice(batch * ARRAY_BYTES, ARRAY_BYTES));
        }
        MemorySegment state = arena.allocate(STATE_BYTES, 8);
        state.set(POINTER, STATE_SCHEMA, schemaOfTable());
        state.set(POINTER, STATE_BATCHES, batches);
        state.set(LONG, STATE_COUNT, batchCount);
        this.stream = arena.allocate(STREAM_BYTES, 8);
        stream.set(POINTER, 0, Callbacks.GET_SCHEMA);
        stream.set(POINTER, 8, Callbacks.GET_NEXT);
        stream.set(POINTER, 16, Callbacks.GET_LAST_ERROR);
        stream.set(POINTER, STREAM_RELEASE, Callbacks.RELEASE_STREAM);
        stream.set(POINTER, STREAM_STATE, state);
    }

    /** Where the struct is. */
    long address() {
        return stream.address();
    }

    /** Makes what all streams share, which takes so long that it pays to do it while something else is waited for. */
    static void prepare() {
        Callbacks.GET_NEXT.address();
    }

    // Called by the engine, on any of its threads, of a stream on one at a time. Nothing here may throw: there is
    // nobody to catch it.

    private static int getSchema(MemorySegment self, MemorySegment out) {
        MemorySegment schema = state(self).get(POINTER, STATE_SCHEMA);
        out.reinterpret(SCHEMA_BYTES).copyFrom(schema.reinterpret(SCHEMA_BYTES));
        return 0;
    }

    private static int getNext(MemorySegment self, MemorySegment out) {
        MemorySegment state = state(self);
        long batch = state.get(LONG, STATE_NEXT);
        MemorySegment target = out.reinterpret(ARRAY_BYTES);
        if (batch < state.get(LONG, STATE_COUNT)) {
            state.set(LONG, STATE_NEXT, batch + 1);
            MemorySegment batches = state.get(POINTER, STATE_BATCHES);
            target.copyFrom(batches.reinterpret((batch + 1) * ARRAY_BYTES).asSlice(batch * ARRAY_BYTES, ARRAY_BYTES));
        } else {
            target.fill((byte) 0); // released: the end
        }
        return 0;
    }

    private static MemorySegment state(MemorySegment stream) {
        return stream.reinterpret(STREAM_BYTES).get(POINTER, STREAM_STATE).reinterpret(STATE_BYTES);
    }

    private static MemorySegment getLastError(MemorySegment self) {
        return MemorySegment.NULL;
    }

    private static void releaseSchema(MemorySegment released) {
        released.reinterpret(SCHEMA_BYTES).set(POINTER, SCHEMA_RELEASE, MemorySegment.NULL);
    }

    private static void releaseArray(MemorySegment released) {
        released.reinterpret(ARRAY_BYTES).set(POINTER, ARRAY_RELEASE, MemorySegment.NULL);
    }

    private static void releaseStream(MemorySegment released) {
        released.reinterpret(STREAM_BYTES).set(POINTER, STREAM_RELEASE, MemorySegment.NULL);
    }

    private MemorySegment schemaOfTable() {
        List<Column> columns = table.columns();
        MemorySegment children = arena.allocate(POINTER, columns.size());
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            MemorySegment dictionary =
                    column.dictionary() == null ? null : schema("U", "", NULLABLE, 0, MemorySegment.NULL, null);
            children.setAtIndex(
                    POINTER,
                    i,
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
        struct.set(POINTER, 0, arena.allocateFrom(format));
        struct.set(POINTER, 8, arena.allocateFrom(name));
        struct.set(LONG, 24, flags);
        struct.set(LONG, 32, childCount);
        struct.set(POINTER, 40, children);
        struct.set(POINTER, 48, dictionary == null ? MemorySegment.NULL : dictionary);
        struct.set(POINTER, SCHEMA_RELEASE, Callbacks.RELEASE_SCHEMA);
        return struct;
    }

    private void writeBatch(int batch, MemorySegment struct) {
        long from = (long) batch * BATCH;
        long length = Math.min(BATCH, table.rows() - from);
        List<Column> columns = table.columns();
        MemorySegment children = arena.allocate(POINTER, columns.size());
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            MemorySegment data = column.data().asSlice(from * column.layout().bytes);
            MemorySegment child = arena.allocate(ARRAY_BYTES, 8);
            array(child, length, 0, List.of(MemorySegment.NULL, data));
            if (column.dictionary() != null) {
                child.set(POINTER, 56, dictionary(column.dictionary()));
            }
            children.setAtIndex(POINTER, i, child);
        }
        array(struct, length, 0, List.of(MemorySegment.NULL));
        struct.set(LONG, 32, columns.size());
        struct.set(POINTER, 48, children);
    }

    private MemorySegment dictionary(Dictionary dictionary) {
        MemorySegment struct = arena.allocate(ARRAY_BYTES, 8);
        array(
                struct,
                dictionary.size() + 1L,
                1,
                List.of(dictionary.validity(), dictionary.offsets(), dictionary.bytes()));
        return struct;
    }

    private void array(MemorySegment struct, long length, long nulls, List<MemorySegment> buffers) {
        MemorySegment pointers = arena.allocate(POINTER, buffers.size());
        for (int i = 0; i < buffers.size(); i++) {
            pointers.setAtIndex(POINTER, i, buffers.get(i));
        }
        struct.set(LONG, 0, length);
        struct.set(LONG, 8, nulls);
        struct.set(LONG, 24, buffers.size());
        struct.set(POINTER, 40, pointers);
        struct.set(POINTER, ARRAY_RELEASE, Callbacks.RELEASE_ARRAY);
    }

    /** The methods above as C functions. Each costs milliseconds to make, so that all streams share them. */
    private static final class Callbacks {
        private static final FunctionDescriptor GET = FunctionDescriptor.of(ValueLayout.JAVA_INT, POINTER, POINTER);
        private static final FunctionDescriptor RELEASE = FunctionDescriptor.ofVoid(POINTER);

        static final MemorySegment GET_SCHEMA = function("getSchema", GET);
        static final MemorySegment GET_NEXT = function("getNext", GET);
        static final MemorySegment GET_LAST_ERROR = function("getLastError", FunctionDescriptor.of(POINTER, POINTER));
        static final MemorySegment RELEASE_SCHEMA = function("releaseSchema", RELEASE);
        static final MemorySegment RELEASE_ARRAY = function("releaseArray", RELEASE);
        static final MemorySegment RELEASE_STREAM = function("releaseStream", RELEASE);

        private Callbacks() {}

        private static MemorySegment function(String method, FunctionDescriptor descriptor) {
            try {
                MethodHandle handle =
                        MethodHandles.lookup().findStatic(ArrowStream.class, method, descriptor.toMethodType());
                return Linker.nativeLinker().upcallStub(handle, descriptor, Arena.global());
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(method, e);
            }
        }
    }
}
