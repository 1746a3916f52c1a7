package dev.unjank.trace.read.jfr;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A type as a chunk's metadata tells of it: an event, a constant, a part of one, or one of the few primitive ones. */
final class Type {
    /** How a value is written. */
    enum Form {
        /** A number of variable length. */
        VARINT,
        /** A byte. */
        ONE,
        /** A number with a fraction, of four bytes. */
        FLOAT,
        /** The same of eight. */
        DOUBLE,
        /** Text. */
        STRING,
        /** The fields, one after the other. */
        STRUCT
    }

    /**
     * A field of a type.
     *
     * @param name what it is called
     * @param type of its value, or of its elements
     * @param array whether it has several elements, with their count in front
     * @param constant whether what is written is not the value but the number of a constant
     */
    record Field(String name, Type type, boolean array, boolean constant) {}

    private static final String EVENT = "jdk.jfr.Event";

    private final long id;
    private final String name;
    private final Form form;
    private final boolean event;
    private final List<Field> fields = new ArrayList<>();
    private boolean incomplete;
    private @Nullable Layout layout;

    Type(long id, String name, @Nullable String superType) {
        this.id = id;
        this.name = name;
        this.event = EVENT.equals(superType);
        this.form = switch (name) {
            case "boolean", "byte" -> Form.ONE;
            case "char", "short", "int", "long" -> Form.VARINT;
            case "float" -> Form.FLOAT;
            case "double" -> Form.DOUBLE;
            case "java.lang.String" -> Form.STRING;
            default -> Form.STRUCT;
        };
    }

    long id() {
        return id;
    }

    String name() {
        return name;
    }

    Form form() {
        return form;
    }

    boolean isEvent() {
        return event;
    }

    /** In the order in which they are written. */
    List<Field> fields() {
        return fields;
    }

    /** Says that further fields follow of which nothing is known. */
    void endUnknown() {
        incomplete = true;
    }

    boolean isIncomplete() {
        return incomplete;
    }

    /** How to pass over a value of this type; to be asked for once all types are known. */
    Layout layout() {
        if (layout == null) {
            layout = Layout.of(this);
        }
        return layout;
    }
}
