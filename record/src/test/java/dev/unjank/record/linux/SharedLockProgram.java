package dev.unjank.record.linux;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Takes a shared lock of a file, which needs no more than reading it, until its standard input ends. */
final class SharedLockProgram {
    private SharedLockProgram() {}

    public static void main(String[] arguments) throws IOException {
        try (FileChannel file = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.READ);
                FileLock _ = file.lock(0, Long.MAX_VALUE, true)) {
            System.out.println("locked");
            int _ = System.in.read();
        }
    }
}
