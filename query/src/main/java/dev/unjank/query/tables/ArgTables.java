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

/** What is told of slices beside their names. The id of a slice's set of arguments is the slice's own. */
final class ArgTables {
    private static final long NO_NUMBER = Long.MIN_VALUE;
    private static final int NO_SET = -1;
    private static final Pattern INDEX = Pattern.compile("\\[[0-9]+]");

    private final Supplier<Trace> trace;
    private final SharedStrings texts;

    ArgTables(Supplier<Trace> trace, SharedStrings texts) {
        this.trace = trace;
        this.texts = texts;
    }

    List<TableDefinition> definitions() {
        return List.of(table(
                "args",
                "id INT, arg_set_id INT, flat_key TEXT, key TEXT, int_value INT, string_value TEXT, real_value REAL,"
                        + " value_type TEXT, display_value TEXT",
                this::args));
    }

    /** Adds the sets to a table of slices. */
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
                .with("arg_set_id", Layout.INT32, args.columns().slice().segment())
                .texts("flat_key", row -> INDEX.matcher(args.key(row)).replaceAll(""))
                .with("key", args.columns().key().segment(), texts.all())
                .longs("int_value", NO_NUMBER, row -> isWhole(args.type(row)) ? args.value(row) : NO_NUMBER)
                .texts("string_value", args::text)
                .reals("real_value", row -> real(args, row))
                .texts("value_type", row -> args.type(row).text())
                .texts("display_value", row -> shown(args, row));
    }

    private static boolean isWhole(Args.Type type) {
        return switch (type) {
            case INT, UINT, BOOL, POINTER -> true;
            case REAL, TEXT, JSON -> false;
        };
    }

    private static double real(Args args, int row) {
        return args.type(row) == Args.Type.REAL ? Double.longBitsToDouble(args.value(row)) : Double.NaN;
    }

    private static @Nullable String shown(Args args, int row) {
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
