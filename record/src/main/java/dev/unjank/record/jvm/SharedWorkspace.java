package dev.unjank.record.jvm;

import dev.unjank.record.helper.HelperProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * A folder that recorder and target share. It belongs to the target's user, who may do with it as he likes: what the recorder does there the
 * helper process does with that user's identity. Removed at the end.
 */
final class SharedWorkspace implements RollingJfrRecording.Files {
    private static final Path TEMPORARY = Path.of("/tmp");

    private final HelperProcess helper;
    private final TargetDeadline patience;
    private final String name;

    SharedWorkspace(HelperProcess helper, TargetDeadline patience, String name) {
        this.helper = helper;
        this.patience = patience;
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
        patience.ask(() -> {
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
        return patience.ask(() -> helper.size(name, file));
    }

    @Override
    public InputStream read(String file) throws IOException {
        return helper.read(name, file);
    }

    @Override
    public void delete(String file) throws IOException {
        patience.ask(() -> {
            helper.delete(name, file);
            return file;
        });
    }

    @Override
    public void close() throws IOException {
        try {
            patience.ask(() -> {
                helper.removeFolder(name);
                return name;
            });
        } catch (TargetDeadline.NoAnswerException e) {
            // the helper removes it when it ends, and the next recorder if that is prevented
        }
    }

    /** Removes the folder after a failure, which counts more than another one here. */
    void closeQuietly() {
        try {
            close();
        } catch (IOException e) {
            // the helper tries again when it ends
        }
    }
}
