package dev.unjank.trace.read.jfr.format;

import dev.unjank.trace.read.jfr.format.JfrType.Field;
import dev.unjank.trace.read.jfr.format.JfrType.Form;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The encoded layout of a type's values, as a list of steps that skip them. Consecutive integers are one step, and
 * the fields of a struct are inlined.
 */
final class TypeLayout {
    /** A deeper nesting of structs is a type that contains itself. */
    private static final int MAX_DEPTH = 16;

    /** The maximum number of steps. */
    private static final int MAX_STEPS = 4096;

    private static final TypeLayout[] NONE = {};

    // Steps: the operation, and its count, or the layout of an array's elements.
    private static final int VARINTS = 0;
    private static final int BYTES = 1;
    private static final int STRINGS = 2;
    private static final int ARRAY = 3;
    private static final int IMPOSSIBLE = 4;

    private static final TypeLayout ONE_VARINT = new TypeLayout(new int[] {VARINTS, 1}, NONE);
    private static final TypeLayout ONE_STRING = new TypeLayout(new int[] {STRINGS, 1}, NONE);

    private final int[] steps;
    private final TypeLayout[] elements;

    private TypeLayout(int[] steps, TypeLayout[] elements) {
        this.steps = steps;
        this.elements = elements;
    }

    /** The layout of a type; if it has no values, skipping it fails. */
    static TypeLayout of(JfrType type) {
        Builder builder = new Builder();
        builder.add(type, 0);
        return builder.layout();
    }

    static TypeLayout of(Field field) {
        Builder builder = new Builder();
        builder.add(field, 0);
        return builder.layout();
    }

    /** Skips a value. */
    void skip(Cursor cursor) throws DamagedRecordingException {
        int[] program = steps;
        for (int i = 0; i < program.length; i += 2) {
            int operand = program[i + 1];
            switch (program[i]) {
                case VARINTS -> cursor.skipVarints(operand);
                case BYTES -> cursor.skip(operand);
                case STRINGS -> {
                    for (int n = 0; n < operand; n++) {
                        cursor.skipString();
                    }
                }
                case ARRAY -> elements[operand].skip(cursor, cursor.count());
                default -> throw new DamagedRecordingException("a type that contains itself or an unknown type");
            }
        }
    }

    private void skip(Cursor cursor, int count) throws DamagedRecordingException {
        if (steps.length == 2 && steps[0] == VARINTS) {
            cursor.skipVarints((long) count * steps[1]);
        } else if (steps.length > 0) {
            for (int n = 0; n < count; n++) {
                skip(cursor);
            }
        }
    }

    private static final class Builder {
        private int[] steps = new int[16];
        private int used;
        private final List<TypeLayout> elements = new ArrayList<>();

        void add(JfrType type, int depth) {
            switch (type.form()) {
                case VARINT -> step(VARINTS, 1);
                case ONE -> step(BYTES, 1);
                case FLOAT -> step(BYTES, Float.BYTES);
                case DOUBLE -> step(BYTES, Double.BYTES);
                case STRING -> step(STRINGS, 1);
                case STRUCT -> {
                    if (depth > MAX_DEPTH || used > MAX_STEPS) {
                        step(IMPOSSIBLE, 1);
                    } else {
                        type.fields().forEach(field -> add(field, depth + 1));
                        if (type.isIncomplete()) {
                            step(IMPOSSIBLE, 1);
                        }
                    }
                }
            }
        }

        void add(Field field, int depth) {
            if (field.array()) {
                step(ARRAY, elements.size());
                elements.add(element(field, depth));
            } else if (field.constant()) {
                step(VARINTS, 1);
            } else {
                add(field.type(), depth);
            }
        }

        private static TypeLayout element(Field field, int depth) {
            if (field.constant() || field.type().form() == Form.VARINT) {
                return ONE_VARINT;
            }
            if (field.type().form() == Form.STRING) {
                return ONE_STRING;
            }
            Builder builder = new Builder();
            builder.add(field.type(), depth + 1);
            return builder.layout();
        }

        private void step(int what, int operand) {
            if (used > 0 && what < ARRAY && steps[used - 2] == what) {
                steps[used - 1] += operand;
                return;
            }
            if (used == steps.length) {
                steps = Arrays.copyOf(steps, used * 2);
            }
            steps[used++] = what;
            steps[used++] = operand;
        }

        TypeLayout layout() {
            return new TypeLayout(Arrays.copyOf(steps, used), elements.toArray(NONE));
        }
    }
}
