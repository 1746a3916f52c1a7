package dev.unjank.query.engine;

import dev.unjank.query.print.DuckDbPrinter;
import dev.unjank.query.resolve.FileSource;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.Rows;
import dev.unjank.query.tree.FileFormat;
import dev.unjank.query.tree.Sql;
import dev.unjank.query.tree.SqlQuery;
import dev.unjank.query.tree.TypedColumn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Access to the files of one folder, and to none without a folder. Symbolic links are followed; names are relative to
 * the folder. Existing files are never overwritten, so that no statement destroys a trace or a result.
 *
 * <p>DuckDB has the same limits ({@link DuckDbSettings}) and enforces them independently.
 */
public final class AllowedFolder implements FileSource {
    /** Characters that DuckDB reads as a pattern in a file name. */
    private static final String PATTERN_CHARACTERS = "*?[]{}";

    private final DuckDbEngine engine;
    private final @Nullable Path folder;

    /**
     * Allows access to a folder.
     *
     * @param folder its real path; null to disable file access
     */
    public AllowedFolder(DuckDbEngine engine, @Nullable Path folder) {
        this.engine = engine;
        this.folder = folder;
    }

    @Override
    public FileTable read(FileFormat format, String name) throws IOException {
        Path file = inFolder(name);
        if (!Files.isRegularFile(file)) {
            throw new IOException("no such file: " + name);
        }
        String path = requireInside(file.toRealPath(), name).toString();
        if (path.chars().anyMatch(c -> PATTERN_CHARACTERS.indexOf(c) >= 0)) {
            throw new IOException("cannot read a file with one of " + PATTERN_CHARACTERS + " in its name: " + name);
        }
        return new FileTable(format, path, columns(format, path, name));
    }

    @Override
    public String write(String name) throws IOException {
        Path file = inFolder(name);
        Path parent = file.getParent();
        Path last = file.getFileName();
        if (parent == null || last == null || !Files.isDirectory(parent)) {
            throw new IOException("no such folder to write to: " + name);
        }
        Path target = requireInside(parent.toRealPath().resolve(last), name);
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("file exists and is not overwritten: " + name);
        }
        return target.toString();
    }

    private Path inFolder(String name) throws IOException {
        if (folder == null) {
            throw new IOException("file access is disabled; enable it with --allow-files DIR");
        }
        try {
            return folder.resolve(name).normalize();
        } catch (InvalidPathException e) {
            throw new IOException("not a file name: " + name, e);
        }
    }

    private Path requireInside(Path file, String name) throws IOException {
        if (folder == null || !file.startsWith(folder)) {
            throw new IOException("outside of the allowed folder: " + name);
        }
        return file;
    }

    private List<TypedColumn> columns(FileFormat format, String path, String name) throws IOException {
        SqlQuery describe = SqlQuery.Select.of(List.of(), new SqlQuery.File(format, path, "file"));
        SqlQuery noRows = new SqlQuery.Limited(describe, List.of(), Sql.bare(0), null);
        List<TypedColumn> columns = new ArrayList<>();
        try (Rows rows = engine.run(DuckDbPrinter.print(noRows))) {
            rows.columns()
                    .forEach(column -> columns.add(new TypedColumn(column.name(), TableCatalog.type(column.type()))));
        } catch (QueryException e) {
            throw new IOException("cannot be read: " + name, e);
        }
        return columns;
    }
}
