package dev.unjank.fleet.folder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** What makes files last, whenever the machine goes down. */
interface DurableFiles {
    /** This machine's. */
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

    /** Waits until a file's content, or a folder's names, are there for good. */
    void sync(Path path) throws IOException;

    /** As a whole, or not at all. */
    void rename(Path from, Path to) throws IOException;
}
