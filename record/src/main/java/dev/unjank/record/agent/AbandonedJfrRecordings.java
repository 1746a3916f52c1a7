package dev.unjank.record.agent;

import java.io.IOException;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/**
 * Flight Recorder recordings that the recorder started and could not stop, because the JVM did not answer. Unclosed, they would stop by their
 * duration, fail to write a file into a deleted folder, and stay listed with their data.
 */
final class AbandonedJfrRecordings {
    private AbandonedJfrRecordings() {}

    /** Closes the recordings with a prefix of their names, whether they are running or stopped. */
    static void close(String prefix) {
        for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
            if (recording.getName().startsWith(prefix)) {
                try {
                    recording.setDestination(null); // its file is not wanted any more
                    recording.stop(); // otherwise its timer would go on
                } catch (IOException | IllegalStateException e) {
                    // already stopped
                }
                recording.close();
            }
        }
    }
}
