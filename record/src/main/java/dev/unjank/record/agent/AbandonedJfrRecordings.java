package dev.unjank.record.agent;

import java.io.IOException;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/**
 * Flight Recorder recordings that the recorder started and could not stop, because the JVM did not answer. If they were
 * not closed, they would stop after their maximum duration, fail to write a file into a deleted folder, and stay listed
 * with their data.
 */
final class AbandonedJfrRecordings {
    private AbandonedJfrRecordings() {}

    /** Closes the running and stopped recordings whose names have the prefix. */
    static void close(String prefix) {
        for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
            if (recording.getName().startsWith(prefix)) {
                try {
                    recording.setDestination(null); // its file is no longer needed
                    recording.stop(); // otherwise its timer would keep running
                } catch (IOException | IllegalStateException e) {
                    // already stopped
                }
                recording.close();
            }
        }
    }
}
