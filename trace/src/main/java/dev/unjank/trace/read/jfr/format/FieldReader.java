package dev.unjank.trace.read.jfr.format;

import dev.unjank.trace.read.jfr.format.JfrType.Field;
import dev.unjank.trace.read.jfr.format.JfrType.Form;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads some fields of a type, by slots, and skips the others. Integers are stored as they are, bytes
 * with their sign, floating-point numbers as the bits of a double, references as the key of the constant; of strings,
 * arrays and structs the position is stored.
 */
public final class FieldReader {
    /** Stands for a field that the type does not have. */
    public static final long ABSENT = Long.MIN_VALUE;

    /** The fields up to the last one to be read: the layout of each, its slot or -1, and its form. */
    private final TypeLayout[] layouts;

    private final int[] slots;
    private final Form[] forms;
    private final @Nullable Field[] wanted;
    private final long[] values;

    /** Looks up the fields. */
    public FieldReader(JfrType type, List<String> names) {
        List<Field> fields = type.fields();
        wanted = new @Nullable Field[names.size()];
        values = new long[names.size()];
        int used = 0;
        for (int i = 0; i < fields.size(); i++) {
            if (names.contains(fields.get(i).name())) {
                used = i + 1;
            }
        }
        layouts = new TypeLayout[used];
        slots = new int[used];
        forms = new Form[used];
        for (int i = 0; i < used; i++) {
            Field field = fields.get(i);
            layouts[i] = TypeLayout.of(field);
            slots[i] = names.indexOf(field.name());
            forms[i] = formOf(field);
            if (slots[i] >= 0) {
                wanted[slots[i]] = field;
            }
        }
    }

    private static Form formOf(Field field) {
        if (field.array()) {
            return Form.STRUCT;
        }
        return field.constant() ? Form.VARINT : field.type().form();
    }

    /** The field of a slot; null if the type does not have it. */
    @Nullable
    public Field field(int slot) {
        return wanted[slot];
    }

    /** The last value of a field, {@link #ABSENT} if it is missing. */
    public long value(int slot) {
        return values[slot];
    }

    /** An integer, 0 if it is missing. */
    public long number(int slot) {
        return values[slot] == ABSENT ? 0 : values[slot];
    }

    /** A floating-point number, 0 if it is missing. */
    public double fraction(int slot) {
        return values[slot] == ABSENT ? 0 : Double.longBitsToDouble(values[slot]);
    }

    /** Reads a value at the cursor. */
    public void read(Cursor cursor) throws DamagedRecordingException {
        Arrays.fill(values, ABSENT);
        for (int i = 0; i < slots.length; i++) {
            int slot = slots[i];
            if (slot < 0) {
                layouts[i].skip(cursor);
                continue;
            }
            switch (forms[i]) {
                case VARINT -> values[slot] = cursor.varint();
                case ONE -> values[slot] = cursor.one();
                case FLOAT -> values[slot] = Double.doubleToRawLongBits(cursor.float32());
                case DOUBLE -> values[slot] = Double.doubleToRawLongBits(cursor.float64());
                case STRING, STRUCT -> {
                    values[slot] = cursor.position();
                    layouts[i].skip(cursor);
                }
            }
        }
    }
}
