package dev.unjank.query.resolve;

import dev.unjank.query.tree.FileFormat;
import dev.unjank.query.tree.TypedColumn;
import java.io.IOException;
import java.util.List;

/** The files that statements may read and write, outside of the engine. */
public interface FileSource {
    /** No file may be touched. */
    FileSource NONE = new FileSource() {
        @Override
        public FileTable read(FileFormat format, String name) throws IOException {
            throw new IOException("file access is disabled");
        }

        @Override
        public String write(String name) throws IOException {
            throw new IOException("file access is disabled");
        }
    };

    /**
     * A file as the engine reads it.
     *
     * @param sql what to put after FROM
     * @param columns its columns, by which it may be read
     */
    record FileTable(String sql, List<TypedColumn> columns) {
        /** Keeps its own copy. */
        public FileTable {
            columns = List.copyOf(columns);
        }
    }

    /**
     * Opens a file to see what it holds.
     *
     * @param format what it is said to be
     * @param name as the statement names it
     * @return the file
     * @throws IOException if it may not or cannot be read, with what to tell of it in one line
     */
    FileTable read(FileFormat format, String name) throws IOException;

    /**
     * Asks for a file to be written.
     *
     * @param name as the statement names it
     * @return where it is to be
     * @throws IOException if it may not be written, with what to tell of it in one line
     */
    String write(String name) throws IOException;
}
