package dev.unjank.record.jvm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * A directory for what recorder and target hand to each other: it belongs to the target's user, and lies where the target looks
 * for it, be it in a container. Deleted at the end.
 */
final class Workspace implements AutoCloseable {
    private final Path inTarget;
    private final Path here;

    private Workspace(Path inTarget, Path here) {
        this.inTarget = inTarget;
        this.here = here;
    }

    /** Makes one. */
    static Workspace create(TargetVm vm) throws IOException {
        String name = "unjank-" + vm.pid() + "-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong());
        Path inTarget = Path.of("/tmp", name);
        Path here = vm.here(inTarget);
        Files.createDirectory(here, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Object owner = Files.getAttribute(Path.of("/proc/" + vm.pid()), "unix:uid");
        if (!owner.equals(Files.getAttribute(here, "unix:uid"))) {
            Files.setAttribute(here, "unix:uid", owner);
        }
        return new Workspace(inTarget, here);
    }

    /** A name that no other has. */
    String name() {
        return String.valueOf(inTarget.getFileName());
    }

    /** A file as the target names it. */
    Path inTarget(String name) {
        return inTarget.resolve(name);
    }

    /** A file as the recorder names it. */
    Path here(String name) {
        return here.resolve(name);
    }

    /** Makes a file that the target may read. */
    Path put(String name, byte[] content) throws IOException {
        Path file = here(name);
        Files.write(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        return inTarget(name);
    }

    @Override
    public void close() throws IOException {
        if (!Files.exists(here)) {
            return; // with the container, if not before
        }
        try (Stream<Path> files = Files.list(here)) {
            files.forEach(Workspace::delete);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        Files.delete(here);
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
