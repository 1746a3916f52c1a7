package dev.unjank.trace.read.jfr.format;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A type from a chunk's metadata: an event, a constant, a struct, or one of the few primitive types. */
public final class JfrType {
    /** The encoding of a value. */
    public enum Form {
        /** An integer of variable length. */
        VARINT,
        /** A byte. */
        ONE,
        /** A floating-point number of four bytes. */
        FLOAT,
        /** A floating-point number of eight bytes. */
        DOUBLE,
        STRING,
        /** A struct: its fields in order. */
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

    /** In the order in which they are encoded. */
    public List<Field> fields() {
        return fields;
    }

    /** Marks that unknown fields follow. */
    void endUnknown() {
        incomplete = true;
    }

    boolean isIncomplete() {
        return incomplete;
    }

    /** The layout of a value of this type; must be called after all types are known. */
    TypeLayout layout() {
        if (layout == null) {
            layout = TypeLayout.of(this);
        }
        return layout;
    }
}
