package dev.unjank.query.engine;

import dev.unjank.query.Engine;
import dev.unjank.query.EngineOptions;
import dev.unjank.query.resolve.FileSource;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.result.Rows;
import dev.unjank.query.tree.FileFormat;
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
 * The files that statements may touch: those within one folder, symbolic links followed, and none without it. A name is taken
 * from the folder. What is there is never overwritten, so that no statement destroys a trace or a result.
 *
 * <p>The engine is told the same limits, {@link Engine}, and would refuse what slips through here.
 */
public final class AllowedFolder implements FileSource {
    /** What the engine takes for a pattern in the name of a file to be read. */
    private static final String PATTERNS = "*?[]{}";

    private final Engine engine;
    private final @Nullable Path folder;

    /** With the folder as {@link EngineOptions#folder} has it. */
    public AllowedFolder(Engine engine, @Nullable Path folder) {
        this.engine = engine;
        this.folder = folder;
    }

    @Override
    public FileTable read(FileFormat format, String name) throws IOException {
        Path file = inFolder(name);
        if (!Files.isRegularFile(file)) {
            throw new IOException("there is no such file: " + name);
        }
        String path = within(file.toRealPath(), name).toString();
        if (path.chars().anyMatch(c -> PATTERNS.indexOf(c) >= 0)) {
            throw new IOException("a file with one of " + PATTERNS + " in its name cannot be read: " + name);
        }
        String sql = format.reading(path);
        return new FileTable(sql, columns(sql, name));
    }

    @Override
    public String write(String name) throws IOException {
        Path file = inFolder(name);
        Path parent = file.getParent();
        Path last = file.getFileName();
        if (parent == null || last == null || !Files.isDirectory(parent)) {
            throw new IOException("there is no such folder to write to: " + name);
        }
        Path target = within(parent.toRealPath().resolve(last), name);
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("there is already a file " + name + ", and none is overwritten");
        }
        return target.toString();
    }

    private Path inFolder(String name) throws IOException {
        if (folder == null) {
            throw new IOException("statements may touch no file, unless --allow-files DIR says where");
        }
        try {
            return folder.resolve(name).normalize();
        } catch (InvalidPathException e) {
            throw new IOException("this can be no file: " + name, e);
        }
    }

    private Path within(Path file, String name) throws IOException {
        if (folder == null || !file.startsWith(folder)) {
            throw new IOException("outside of the folder that statements may use: " + name);
        }
        return file;
    }

    private List<TypedColumn> columns(String sql, String name) throws IOException {
        List<TypedColumn> columns = new ArrayList<>();
        try (Rows rows = engine.run("SELECT * FROM " + sql + " LIMIT 0")) {
            rows.columns()
                    .forEach(column -> columns.add(new TypedColumn(column.name(), TableCatalog.type(column.type()))));
        } catch (QueryException e) {
            throw new IOException("cannot be read: " + name, e);
        }
        return columns;
    }
}
