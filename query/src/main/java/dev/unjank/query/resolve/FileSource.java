package dev.unjank.query.resolve;

import dev.unjank.query.tree.FileFormat;
import dev.unjank.query.tree.TypedColumn;
import java.io.IOException;
import java.util.List;

/** Files that statements read and write. */
public interface FileSource {
    /** Rejects all file access. */
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
     * A file as a table.
     *
     * @param format its format
     * @param path its path
     * @param columns its columns
     */
    record FileTable(FileFormat format, String path, List<TypedColumn> columns) {
        /** Copies the columns. */
        public FileTable {
            columns = List.copyOf(columns);
        }
    }

    /**
     * Finds a file to read, and its columns.
     *
     * @throws IOException if the file cannot be read or access is denied, with a message of one line
     */
    FileTable read(FileFormat format, String name) throws IOException;

    /**
     * Finds a file to write.
     *
     * @throws IOException if the file cannot be written or access is denied, with a message of one line
     */
    String write(String name) throws IOException;
}
