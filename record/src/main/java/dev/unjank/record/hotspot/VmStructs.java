package dev.unjank.record.hotspot;

import dev.unjank.record.linux.JvmLibrary;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * HotSpot's vmStructs: the offsets of fields and the sizes of types that {@code libjvm.so} exports for debuggers, in
 * tables whose symbols begin with {@code gHotSpotVM}. They differ from build to build.
 */
final class VmStructs {
    private static final String PREFIX = "gHotSpotVM";
    private static final int LONGEST_NAME = 256;

    /** The maximum number of entries, more than any JVM has: a bound for tables without an end. */
    private static final int MOST = 20_000;

    /** Offsets of fields; addresses of static fields. */
    private final Map<String, Long> fields;

    private final Map<String, Long> sizes;

    VmStructs(Map<String, Long> fields, Map<String, Long> sizes) {
        this.fields = fields;
        this.sizes = sizes;
    }

    /** Reads the tables of a JVM. */
    static VmStructs read(JvmLibrary library, ProcessMemory memory) throws IOException {
        VmStructs layout = new VmStructs(new HashMap<>(), new HashMap<>());
        Map<String, Long> symbols = library.symbols(PREFIX);
        Table structs = new Table(symbols, memory, "Structs", "StructEntry");
        for (int row = 0; structs.has(row); row++) {
            String name = structs.text(row, "TypeName") + "::" + structs.text(row, "FieldName");
            boolean isStatic = structs.value(row, "IsStatic") << 32 != 0;
            layout.fields.put(name, structs.value(row, isStatic ? "Address" : "Offset"));
        }
        Table types = new Table(symbols, memory, "Types", "TypeEntry");
        for (int row = 0; types.has(row); row++) {
            layout.sizes.put(types.text(row, "TypeName"), types.value(row, "Size"));
        }
        return layout;
    }

    /** A field's offset; the address of a static field. */
    long field(String name) throws IOException {
        return required(fields, name);
    }

    /** The size of a type in bytes. */
    long size(String type) throws IOException {
        return required(sizes, type);
    }

    private static long required(Map<String, Long> known, String name) throws IOException {
        Long value = known.get(name);
        if (value == null) {
            throw new IOException("this JVM does not export " + name);
        }
        return value;
    }

    /** A table of the JVM, whose layout is described by symbols. */
    private static final class Table {
        private final Map<String, Long> symbols;
        private final ProcessMemory memory;
        private final String entry;
        private final long start;
        private final long stride;

        Table(Map<String, Long> symbols, ProcessMemory memory, String name, String entry) throws IOException {
            this.symbols = symbols;
            this.memory = memory;
            this.entry = entry;
            start = memory.longAt(required(symbols, PREFIX + name));
            stride = layoutValue("ArrayStride");
        }

        private long layoutValue(String what) throws IOException {
            return memory.longAt(required(symbols, PREFIX + entry + what));
        }

        long value(int row, String column) throws IOException {
            return memory.longAt(start + row * stride + layoutValue(column + "Offset"));
        }

        boolean has(int row) throws IOException {
            return row < MOST && value(row, "TypeName") != 0;
        }

        String text(int row, String column) throws IOException {
            long at = value(row, column);
            return at == 0 ? "" : memory.textAt(at, LONGEST_NAME);
        }
    }
}
