package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import dev.unjank.trace.collections.StringPool;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Sets of arguments: equal sets are stored once, and the id of a set is that of its first argument. */
final class ArgSets {
    /** The type of an argument's value, by trace processor's name. */
    enum Type {
        INT,
        UINT,
        STRING,
        REAL,
        POINTER,
        BOOL,
        JSON,
        NULL
    }

    /** An argument; the value is an integer, the bits of a double, or the id of a string. */
    record Arg(int flatKey, int key, Type type, long value) {}

    private static final int MAX_DIGITS = 15;

    final ProcessorTable table = new ProcessorTable(
            "args",
            "id INT, arg_set_id INT, flat_key TEXT, key TEXT, int_value INT, string_value TEXT, real_value REAL,"
                    + " value_type TEXT, display_value TEXT");
    private final Map<List<Arg>, Integer> ids = new HashMap<>();
    private final StringPool strings;
    private final int[] typeNames = new int[Type.values().length];
    private final int yes;
    private final int no;

    ArgSets(StringPool strings) {
        this.strings = strings;
        for (Type type : Type.values()) {
            typeNames[type.ordinal()] = strings.intern(type.name().toLowerCase(Locale.ROOT));
        }
        yes = strings.intern("true");
        no = strings.intern("false");
    }

    /** Stores a set; returns its id, NULL for an empty one. */
    long add(List<Arg> args) {
        if (args.isEmpty()) {
            return NULL;
        }
        Integer known = ids.get(args);
        if (known != null) {
            return known;
        }
        int id = table.rows();
        ids.put(List.copyOf(args), id);
        for (Arg arg : args) {
            insert(id, arg);
        }
        return id;
    }

    private void insert(int set, Arg arg) {
        long value = arg.value();
        boolean text = arg.type() == Type.STRING || arg.type() == Type.JSON;
        boolean integer = !text && arg.type() != Type.REAL && arg.type() != Type.NULL;
        table.add(
                table.rows(),
                set,
                arg.flatKey(),
                arg.key(),
                integer ? value : NULL,
                text ? value : NULL,
                arg.type() == Type.REAL ? value : NULL,
                typeNames[arg.type().ordinal()],
                display(arg));
    }

    private long display(Arg arg) {
        long value = arg.value();
        return switch (arg.type()) {
            case INT -> strings.intern(Long.toString(value));
            case UINT -> strings.intern(Long.toUnsignedString(value));
            case STRING, JSON -> value;
            case REAL -> strings.intern(real(Double.longBitsToDouble(value)));
            case POINTER -> strings.intern("0x" + Long.toHexString(value));
            case BOOL -> value == 0 ? no : yes;
            case NULL -> NULL;
        };
    }

    /** A double as SQLite prints it: 15 significant digits. */
    private static String real(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return Double.isNaN(value) ? "NaN" : value > 0 ? "Inf" : "-Inf";
        }
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return Long.toString((long) value) + ".0";
        }
        return new java.math.BigDecimal(value)
                .round(new java.math.MathContext(MAX_DIGITS))
                .stripTrailingZeros()
                .toPlainString();
    }
}
