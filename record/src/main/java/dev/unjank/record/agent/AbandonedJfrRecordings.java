package dev.unjank.record.agent;

import java.io.IOException;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/**
 * Recordings of the machine's Flight Recorder that the recorder has begun and could not end, since the machine did not answer. By themselves they
 * would stop, fail to write a file into a directory that is gone, and stay listed with all that they hold.
 */
final class AbandonedJfrRecordings {
    private AbandonedJfrRecordings() {}

    /** Ends those whose names begin with something, whether they go on or have stopped. */
    static void close(String prefix) {
        for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
            if (recording.getName().startsWith(prefix)) {
                try {
                    recording.setDestination(null); // what it would write nobody wants any more
                    recording.stop(); // else its timer would go on
                } catch (IOException | IllegalStateException e) {
                    // it has stopped by itself
                }
                recording.close();
            }
        }
    }
}
