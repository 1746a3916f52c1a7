package dev.unjank.doctor;

import static dev.unjank.trace.example.Scene.ms;
import static dev.unjank.trace.example.Scene.traceTime;
import static dev.unjank.trace.write.Tracks.ofThread;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.example.Scene;
import dev.unjank.trace.example.SceneProcess;
import dev.unjank.trace.example.SceneThread;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.TrackEvents;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of a looper, the app's main thread, from the bytes of a trace on. */
class BacklogScenesTest {
    private static final int PID = 1000;
    private static final int FLOODER = 1001;

    /** What the messages are, and what one of them less, or one word else, makes of it. */
    enum Variant {
        FLOOD(12, 1, 0, "mq", true),
        FEW(3, 1, 0, "mq", true),
        SHORT(12, 0.05, 0, "mq", true),
        /** They are not due before the one before them is done. */
        DELAYED(12, 1, 50, "mq", true),
        /** Slices, but not of messages. */
        OTHER_CATEGORY(12, 1, 0, "app", true),
        /** Nobody knows when they were sent. */
        WITHOUT_ARROWS(12, 1, 0, "mq", false);

        private final int messages;
        private final double eachMs;
        private final long delayMs;
        private final String category;
        private final boolean arrows;

        Variant(int messages, double eachMs, long delayMs, String category, boolean arrows) {
            this.messages = messages;
            this.eachMs = eachMs;
            this.delayMs = delayMs;
            this.category = category;
            this.arrows = arrows;
        }
    }

    private static byte[] write(Variant variant) {
        Scene scene = new Scene();
        SceneProcess app = scene.process(PID, "com.example.app");
        app.mainThread("com.example.app", 110).runs(0, ms(60));
        app.thread(FLOODER, "flooder", 120).runs(1, ms(60));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.COMPACT)) {
            scene.writeTo(writer);
            TrackEvents events = writer.trackEvents(TraceClock.BOOTTIME, ofThread(PID, PID));
            events.tracks().process(traceTime(0), PID, "com.example.app");
            events.tracks().thread(traceTime(0), PID, PID, "main");
            events.tracks().thread(traceTime(0), PID, FLOODER, "flooder");
            for (int i = 0; i < variant.messages; i++) {
                TrackEvents.Event sent = events.instant(
                        traceTime(ms(2 + i * 0.01)), ofThread(PID, FLOODER), variant.category, "message_queue_send");
                (variant.arrows ? sent.flow(100 + i) : sent).write();
            }
            for (int i = 0; i < variant.messages; i++) {
                double from = 2.2 + i * variant.eachMs;
                TrackEvents.Event runs =
                        events.begin(traceTime(ms(from)), ofThread(PID, PID), variant.category, "H: #1");
                (variant.arrows ? runs.terminatingFlow(100 + i) : runs)
                        .messageQueue("flooder", "main", 1, variant.delayMs)
                        .write();
                events.end(traceTime(ms(from + variant.eachMs)), ofThread(PID, PID))
                        .write();
            }
        } catch (IOException e) {
            throw new AssertionError("memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({
        "FLOOD, true",
        "FEW, false",
        "SHORT, false",
        "DELAYED, false",
        "OTHER_CATEGORY, false",
        "WITHOUT_ARROWS, false"
    })
    void aFlood(Variant variant, boolean backlog) {
        Diagnosis diagnosis = Doctor.diagnose(Scenes.read(write(variant)), DoctorOptions.defaults());
        Scenes.assertSound(diagnosis);
        List<Incident> incidents = diagnosis.incidents();
        assertThat(incidents).hasSize(backlog ? 1 : 0);
        if (backlog) {
            Incident incident = incidents.getFirst();
            assertThat(incident.verdict()).isEqualTo(Verdict.QUEUE_BACKLOG);
            assertThat(incident.judgement().blamed().tid()).isEqualTo(FLOODER);
            assertThat(incident.judgement().evidence()).isEqualTo(Evidence.OWNER_NAMED);
            assertThat(incident.tree().durNs()).isEqualTo(ms(2.2 + 11) - ms(2.11));
            assertThat(incident.backlog().messages()).isEqualTo(11);
            assertThat(incident.backlog().fromSender()).isEqualTo(11);
            assertThat(incident.backlog().ranNs()).isEqualTo(ms(11));
        }
    }

    /** What Android writes of its loopers says when messages ran; how long they waited nobody can know from it. */
    @Test
    void androidsOwnSlicesTellOfNoWait() {
        Scene scene = new Scene();
        SceneThread main = scene.process(PID, "com.example.app").mainThread("com.example.app", 110);
        for (int i = 0; i < 12; i++) {
            main.begin("android.os.Handler: #12").runs(0, ms(i + 1)).end();
        }
        assertThat(Scenes.inAnyFormat(scene, Scenes.EVERYTHING).incidents()).isEmpty();
    }
}
