package dev.unjank.trace.read.jfr.format;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A type as a chunk's metadata tells of it: an event, a constant, a part of one, or one of the few primitive ones. */
public final class JfrType {
    /** How a value is written. */
    public enum Form {
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

    /** A field of a type. */
    public record Field(String name, JfrType type, boolean array, boolean constant) {}

    private static final String EVENT = "jdk.jfr.Event";

    private final long id;
    private final String name;
    private final Form form;
    private final boolean event;
    private final List<Field> fields = new ArrayList<>();
    private boolean incomplete;
    private @Nullable TypeLayout layout;

    JfrType(long id, String name, @Nullable String superType) {
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

    public long id() {
        return id;
    }

    public String name() {
        return name;
    }

    public Form form() {
        return form;
    }

    public boolean isEvent() {
        return event;
    }

    /** In the order in which they are written. */
    public List<Field> fields() {
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
    TypeLayout layout() {
        if (layout == null) {
            layout = TypeLayout.of(this);
        }
        return layout;
    }
}
