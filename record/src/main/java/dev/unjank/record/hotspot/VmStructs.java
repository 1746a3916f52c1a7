package dev.unjank.record.hotspot;

import dev.unjank.record.linux.JvmLibrary;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Where the fields of a virtual machine's own objects are, as its library tells debuggers: tables of types and of fields, named by
 * symbols that begin with {@code gHotSpotVM}. They differ from build to build.
 */
final class VmStructs {
    private static final String PREFIX = "gHotSpotVM";
    private static final int LONGEST_NAME = 256;

    /** More entries than any machine has: the table has no end, then. */
    private static final int MOST = 20_000;

    /** Offsets of fields, and addresses of those that there is only one of. */
    private final Map<String, Long> fields;

    private final Map<String, Long> sizes;

    VmStructs(Map<String, Long> fields, Map<String, Long> sizes) {
        this.fields = fields;
        this.sizes = sizes;
    }

    /** Reads that of a machine. */
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

    /** A field's offset, or its address if there is only one of it. */
    long field(String name) throws IOException {
        return required(fields, name);
    }

    /** How many bytes an object of a type takes. */
    long size(String type) throws IOException {
        return required(sizes, type);
    }

    private static long required(Map<String, Long> known, String name) throws IOException {
        Long value = known.get(name);
        if (value == null) {
            throw new IOException("the virtual machine does not tell where " + name + " is");
        }
        return value;
    }

    /** A table of the machine's, whose columns are told by symbols. */
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
            stride = told("ArrayStride");
        }

        private long told(String what) throws IOException {
            return memory.longAt(required(symbols, PREFIX + entry + what));
        }

        long value(int row, String column) throws IOException {
            return memory.longAt(start + row * stride + told(column + "Offset"));
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
