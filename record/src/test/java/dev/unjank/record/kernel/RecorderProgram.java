package dev.unjank.record.kernel;

import dev.unjank.record.session.Recording;
import dev.unjank.record.session.Rotation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A recorder in a process of its own, to be killed: records a process into a file. */
final class RecorderProgram {
    private RecorderProgram() {}

    /**
     * Runs it.
     *
     * @param args the number of the process, and the file
     */
    public static void main(String[] args) throws IOException {
        int pid = Integer.parseInt(args[0]);
        try (Recording recording =
                Recording.start(Path.of(args[1]), Rotation.NONE, pid, List.of(new KernelSource(pid, false, false)))) {
            System.out.println(recording.availability().getFirst().isOn() ? "ready" : recording.availability());
            while (System.in.read() >= 0) {
                // until it is killed
            }
        }
    }
}
