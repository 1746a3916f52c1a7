package dev.unjank.fleet.folder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** File operations that survive a crash of the machine. */
interface DurableFiles {
    /** The file system of this machine. */
    DurableFiles REAL = new DurableFiles() {
        @Override
        public void sync(Path path) throws IOException {
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
                file.force(true);
            }
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        }
    };

    /** Writes a file's content, or a folder's entries, to the disk. */
    void sync(Path path) throws IOException;

    /** Renames atomically. */
    void rename(Path from, Path to) throws IOException;
}
