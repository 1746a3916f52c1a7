package dev.unjank.record.jvm;

import dev.unjank.record.helper.HelperEndedException;
import dev.unjank.record.helper.HelperProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * The recorder's side of the folder that it shares with the target. The folder belongs to the target's user, who may
 * change it at any time, so all accesses go through the helper process with that user's rights.
 */
final class SharedWorkspace implements RollingJfrRecording.Files {
    private static final Path TEMPORARY = Path.of("/tmp");

    private final HelperProcess helper;
    private final TargetDeadline deadline;
    private final String name;

    SharedWorkspace(HelperProcess helper, TargetDeadline deadline, String name) {
        this.helper = helper;
        this.deadline = deadline;
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Path inTarget(String file) {
        return TEMPORARY.resolve(name).resolve(file);
    }

    /** Writes a new file. */
    void put(String file, byte[] content) throws IOException {
        deadline.ask(() -> {
            helper.put(name, file, content);
            return file;
        });
    }

    /** Connects to a socket at which the target listens. */
    HelperProcess.Connection connect(String file) throws IOException {
        return helper.connect(name, file);
    }

    @Override
    public long size(String file) throws IOException {
        return deadline.ask(() -> helper.size(name, file));
    }

    @Override
    public InputStream read(String file) throws IOException {
        return helper.read(name, file);
    }

    @Override
    public void delete(String file) throws IOException {
        deadline.ask(() -> {
            helper.delete(name, file);
            return file;
        });
    }

    @Override
    public void close() throws IOException {
        try {
            deadline.ask(() -> {
                helper.removeFolder(name);
                return name;
            });
        } catch (TargetDeadline.NoAnswerException e) {
            // the helper removes it when it ends; if that fails, the next recorder does
        } catch (HelperEndedException e) {
            throw new IOException(
                    TEMPORARY.resolve(name) + " is left until the next recording of this process deletes it", e);
        }
    }

    /** Removes the folder, ignoring failures. */
    void closeQuietly() {
        try {
            close();
        } catch (IOException e) {
            // the helper tries again when it ends
        }
    }
}
