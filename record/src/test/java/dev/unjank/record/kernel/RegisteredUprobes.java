package dev.unjank.record.kernel;

import java.io.IOException;
import java.nio.file.Files;

/** All registered uprobes of the kernel, of any process. */
public final class RegisteredUprobes {
    private RegisteredUprobes() {}

    /** The kernel's list of them; its file system may have to be mounted for that. */
    public static String listed() throws IOException {
        TraceFs fs = TraceFs.find();
        try {
            return Files.readString(fs.root.resolve("uprobe_events"));
        } finally {
            fs.release();
        }
    }
}
