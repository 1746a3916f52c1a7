package dev.unjank.query.resolve;

import dev.unjank.query.tree.TypedColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tables that the engine has, or can load on demand. */
public interface TableSource {
    /**
     * The columns of a table.
     *
     * @return its columns in order; null if there is no such table
     */
    @Nullable
    List<TypedColumn> columns(String table);

    /** All tables, for completion and suggestions. */
    List<String> names();
}
