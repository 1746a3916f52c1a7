package dev.unjank.workbench.lab.inversion;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A wait for the mutex. The kernel does not record the owner of a pthread mutex, so the program reports it, as
 * Android's runtime does for its own locks.
 *
 * @param began the start of the wait, on the clock of {@link System#nanoTime()}
 */
record MutexWait(long began, long taken, int waiter, int owner) {
    /** Writes waits, one per line. */
    static void write(List<MutexWait> contentions, Path file) throws IOException {
        List<String> lines = contentions.stream().map(MutexWait::line).toList();
        // not created: the reader may have ended and deleted the file
        Files.write(file, lines, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
    }

    static List<MutexWait> read(Path file) throws IOException {
        return Files.readAllLines(file).stream().map(MutexWait::parse).toList();
    }

    private String line() {
        return began + " " + taken + " " + waiter + " " + owner;
    }

    private static MutexWait parse(String line) {
        String[] words = line.split(" ", -1);
        return new MutexWait(
                Long.parseLong(words[0]),
                Long.parseLong(words[1]),
                Integer.parseInt(words[2]),
                Integer.parseInt(words[3]));
    }
}
