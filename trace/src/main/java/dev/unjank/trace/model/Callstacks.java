package dev.unjank.trace.model;

import org.jspecify.annotations.Nullable;

/**
 * The call stacks of samples. Stacks with the same outer calls share them: a row is a call with the row of its
 * caller, and a stack is the row of its innermost call. A caller's row is smaller than those of its callees.
 */
public final class Callstacks {
    /** An unknown line. */
    public static final int NO_LINE = -1;

    private final Strings strings;
    private final Columns columns;

    /**
     * The columns of calls; a row number is the call's.
     *
     * @param parent the row of the caller, -1 for the outermost call
     * @param name the id of the function's name
     * @param file the id of the name of the source file, or of the library, -1 if unknown
     * @param line the line in the file, {@link #NO_LINE} if unknown
     */
    public record Columns(IntColumn parent, IntColumn name, IntColumn file, IntColumn line) {}

    /**
     * Creates the table from its columns.
     *
     * @param strings the strings of the trace
     * @param columns the columns
     */
    public Callstacks(Strings strings, Columns columns) {
        this.strings = strings;
        this.columns = columns;
    }

    /** {@return the number of calls} */
    public int size() {
        return columns.parent.size();
    }

    /** {@return the columns of this table, all of {@link #size} rows, for reading many rows at once} */
    public Columns columns() {
        return columns;
    }

    /**
     * {@return the row of the caller of a call, -1 for the outermost call}
     *
     * @param row a call
     */
    public int parent(int row) {
        return columns.parent.get(row);
    }

    /**
     * {@return the name of a call's function; for Java code the class and the method, separated by a dot}
     *
     * @param row a call
     */
    public String name(int row) {
        return strings.get(columns.name.get(row));
    }

    /**
     * {@return the name of the call's source file or library, null if unknown}
     *
     * @param row a call
     */
    public @Nullable String file(int row) {
        return strings.getOrNull(columns.file.get(row));
    }

    /**
     * {@return the line that was being executed, {@link #NO_LINE} if unknown}
     *
     * @param row a call
     */
    public int line(int row) {
        return columns.line.get(row);
    }
}
