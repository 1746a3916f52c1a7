package dev.unjank.record.kernel;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a kernel event, from its {@code format} file. The layout differs between kernels; only the names of the
 * fields are fixed.
 *
 * @param fields by name, including common fields
 */
record EventFormat(String name, int id, Map<String, Field> fields) {
    private static final Pattern NAME = Pattern.compile("(?m)^name: (\\S+)$");
    private static final Pattern ID = Pattern.compile("(?m)^ID: (\\d+)$");
    private static final Pattern FIELD =
            Pattern.compile("field:([^;]*);\\s*offset:(\\d+);\\s*size:(\\d+);\\s*signed:([01]);");
    private static final Pattern DECLARATION = Pattern.compile("(.*?)(\\w+)(?:\\[[^\\]]*\\])?$");

    /**
     * A field.
     *
     * @param size in bytes
     * @param elsewhere whether it is a {@code __data_loc}: length and offset of a string, in 16 bits each
     */
    record Field(int offset, int size, boolean signed, boolean elsewhere) {}

    /** Parses a {@code format} file. */
    static EventFormat parse(String text) throws IOException {
        Matcher name = NAME.matcher(text);
        Matcher id = ID.matcher(text);
        if (!name.find() || !id.find()) {
            throw new IOException("unknown format of a kernel event");
        }
        Map<String, Field> fields = new HashMap<>();
        Matcher field = FIELD.matcher(text);
        while (field.find()) {
            Matcher declaration = DECLARATION.matcher(field.group(1).strip());
            if (declaration.matches()) {
                fields.put(
                        declaration.group(2),
                        new Field(
                                Integer.parseInt(field.group(2)),
                                Integer.parseInt(field.group(3)),
                                field.group(4).equals("1"),
                                declaration.group(1).contains("__data_loc")));
            }
        }
        return new EventFormat(name.group(1), Integer.parseInt(id.group(1)), Map.copyOf(fields));
    }

    /** A required field. */
    Field field(String wanted) throws IOException {
        Field field = fields.get(wanted);
        if (field == null) {
            throw new IOException("the kernel's event " + name + " has no field " + wanted);
        }
        return field;
    }

    /** An optional field. */
    @Nullable
    Field fieldOrNull(String wanted) {
        return fields.get(wanted);
    }
}
