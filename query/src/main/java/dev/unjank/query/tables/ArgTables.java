package dev.unjank.query.tables;

import static dev.unjank.query.load.TableDefinition.table;

import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.NativeTable.Layout;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.Trace;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Table of slices' arguments. The id of a slice's argument set is the slice's own. */
final class ArgTables {
    private static final long NULL_VALUE = Long.MIN_VALUE;
    private static final int NO_SET = -1;
    private static final Pattern INDEX = Pattern.compile("\\[[0-9]+]");

    private final Supplier<Trace> trace;
    private final SharedStrings strings;
    private final ProcessTable processes;

    ArgTables(Supplier<Trace> trace, SharedStrings strings, ProcessTable processes) {
        this.trace = trace;
        this.strings = strings;
        this.processes = processes;
    }

    List<TableDefinition> definitions() {
        return List.of(table(
                "args",
                "id INT, arg_set_id INT, flat_key TEXT, key TEXT, int_value INT, string_value TEXT, real_value REAL,"
                        + " value_type TEXT, display_value TEXT",
                this::args,
                processes::args));
    }

    /** Adds the argument set ids to a table of slices. */
    NativeTable withSets(NativeTable slices) {
        Args args = trace.get().args();
        if (args.size() == 0) {
            return slices;
        }
        int[] sets = new int[slices.rows()];
        Arrays.fill(sets, NO_SET);
        for (int row = 0; row < args.size(); row++) {
            sets[args.slice(row)] = args.slice(row);
        }
        return slices.ints("arg_set_id", NO_SET, row -> sets[row]);
    }

    private NativeTable args(Arena arena) {
        Args args = trace.get().args();
        return new NativeTable(arena, args.size())
                .ints("id", row -> row)
                .column("arg_set_id", Layout.INT32, args.columns().slice().segment())
                .strings("flat_key", row -> INDEX.matcher(args.key(row)).replaceAll(""))
                .column("key", args.columns().key().segment(), strings.traceStrings())
                .longs("int_value", NULL_VALUE, row -> isInteger(args.type(row)) ? args.value(row) : NULL_VALUE)
                .strings("string_value", args::text)
                .doubles("real_value", row -> real(args, row))
                .strings("value_type", row -> args.type(row).text())
                .strings("display_value", row -> displayValue(args, row));
    }

    private static boolean isInteger(Args.Type type) {
        return switch (type) {
            case INT, UINT, BOOL, POINTER -> true;
            case REAL, TEXT, JSON -> false;
        };
    }

    private static double real(Args args, int row) {
        return args.type(row) == Args.Type.REAL ? Double.longBitsToDouble(args.value(row)) : Double.NaN;
    }

    private static @Nullable String displayValue(Args args, int row) {
        long value = args.value(row);
        return switch (args.type(row)) {
            case INT -> Long.toString(value);
            case UINT -> Long.toUnsignedString(value);
            case BOOL -> value == 0 ? "false" : "true";
            case POINTER -> "0x" + Long.toHexString(value);
            case REAL -> Double.toString(Double.longBitsToDouble(value));
            case TEXT, JSON -> args.text(row);
        };
    }
}
