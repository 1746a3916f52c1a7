package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import dev.unjank.trace.collections.StringPool;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Metadata of the trace and its machine, and counts of what was lost or not understood. */
final class MetadataRows {
    /** Whether an entry belongs to the trace file, to the machine, or to both. */
    enum Scope {
        GLOBAL,
        TRACE,
        MACHINE,
        MACHINE_AND_TRACE
    }

    final ProcessorTable table = new ProcessorTable(
            "metadata",
            "id INT, name TEXT, key_type TEXT, int_value INT, str_value TEXT, machine_id INT, trace_id INT");
    final Map<String, Long> stats = new LinkedHashMap<>();
    private final Map<String, Integer> rows = new HashMap<>();
    private final StringPool strings;

    MetadataRows(StringPool strings) {
        this.strings = strings;
    }

    void number(String name, Scope scope, long value) {
        put(name, "single", scope, value, null);
    }

    void text(String name, Scope scope, String value) {
        put(name, "single", scope, NULL, value);
    }

    /** Adds one more value of an entry that may have several. */
    void append(String name, Scope scope, long number, @Nullable String text) {
        add(name, "multi", scope, number, text);
    }

    private void put(String name, String type, Scope scope, long number, @Nullable String text) {
        Integer known = rows.get(name);
        if (known == null) {
            rows.put(name, add(name, type, scope, number, text));
        } else {
            table.set(known, 3, number);
            table.set(known, 4, text == null ? NULL : strings.intern(text));
        }
    }

    private int add(String name, String type, Scope scope, long number, @Nullable String text) {
        boolean machine = scope == Scope.MACHINE || scope == Scope.MACHINE_AND_TRACE;
        boolean trace = scope == Scope.TRACE || scope == Scope.MACHINE_AND_TRACE;
        return table.add(
                table.rows(),
                strings.intern(name),
                strings.intern(type),
                number,
                text == null ? NULL : strings.intern(text),
                machine ? 0 : NULL,
                trace ? 0 : NULL);
    }

    long number(String name) {
        Integer row = rows.get(name);
        return row == null ? NULL : table.get(row, 3);
    }

    @Nullable
    String text(String name) {
        Integer row = rows.get(name);
        return row == null || table.get(row, 4) == NULL ? null : strings.decode((int) table.get(row, 4));
    }

    void count(String stat) {
        stats.merge(stat, 1L, Long::sum);
    }
}
