package dev.unjank.trace.read.jfr.format;

import dev.unjank.trace.read.jfr.format.JfrType.Field;
import dev.unjank.trace.read.jfr.format.JfrType.Form;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads chosen fields of a type into an array of numbers, and passes over what lies between them. A number is given as it
 * is, a byte with its sign, one with a fraction as the bits of a double, a reference as the number of its constant; of texts, arrays and
 * parts the position is given.
 */
public final class FieldReader {
    /** Stands for a field that the type does not have. */
    public static final long ABSENT = Long.MIN_VALUE;

    /** The fields up to the last one that is wanted: how to pass over each, where to put it or -1, how to read it. */
    private final TypeLayout[] layouts;

    private final int[] slots;
    private final Form[] forms;
    private final @Nullable Field[] wanted;

    /** Looks up the fields. */
    public FieldReader(JfrType type, List<String> names) {
        List<Field> fields = type.fields();
        wanted = new @Nullable Field[names.size()];
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

    /** The field of a place; null if the type has none. */
    @Nullable
    public Field field(int slot) {
        return wanted[slot];
    }

    /** Reads a value at the cursor; {@code into} gets {@link #ABSENT} for what the type does not have. */
    public void read(Cursor cursor, long[] into) throws DamagedRecordingException {
        Arrays.fill(into, ABSENT);
        for (int i = 0; i < slots.length; i++) {
            int slot = slots[i];
            if (slot < 0) {
                layouts[i].skip(cursor);
                continue;
            }
            switch (forms[i]) {
                case VARINT -> into[slot] = cursor.varint();
                case ONE -> into[slot] = cursor.one();
                case FLOAT -> into[slot] = Double.doubleToRawLongBits(cursor.float32());
                case DOUBLE -> into[slot] = Double.doubleToRawLongBits(cursor.float64());
                case STRING, STRUCT -> {
                    into[slot] = cursor.position();
                    layouts[i].skip(cursor);
                }
            }
        }
    }
}
