package dev.unjank.doctor;

import static dev.unjank.scene.Scene.ms;
import static dev.unjank.scene.Scene.traceTime;
import static dev.unjank.trace.write.TrackWriter.ofThread;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.TrackEventWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of a looper, the app's main thread, from the bytes of a trace on. */
class QueueBacklogScenesTest {
    private static final int PID = 1000;
    private static final int FLOODER = 1001;

    /** All of them. */
    private static final int SENDINGS = 100;

    /** What the messages are, and what one of them less, or one word else, makes of it. */
    enum Variant {
        FLOOD(12, 1, 0, 0, "mq", SENDINGS),
        FEW(3, 1, 0, 0, "mq", SENDINGS),
        SHORT(12, 0.05, 0, 0, "mq", SENDINGS),
        /**
         * They are not due before the one before them is done; our recorder says so at both ends, Android at the
         * sending.
         */
        DELAYED(12, 1, 50, 50, "mq", SENDINGS),
        DELAYED_BY_SENDING(12, 1, 50, 0, "mq", SENDINGS),
        DELAYED_BY_RUN(12, 1, 0, 50, "mq", SENDINGS),
        DELAYED_BY_THE_LARGER(12, 1, 50, 1, "mq", SENDINGS),
        /** As late as they come they were due before that: the first after 3 ms, when the flood has run for 2.8. */
        DUE_MEANWHILE_BY_SENDING(12, 1, 3, 0, "mq", SENDINGS),
        DUE_MEANWHILE_BY_RUN(12, 1, 0, 3, "mq", SENDINGS),
        /** Slices, but not of messages. */
        OTHER_CATEGORY(12, 1, 0, 0, "app", SENDINGS),
        /** Of most of them the trace has no sending, only the sender's name. */
        LOST_SENDINGS(12, 1, 0, 0, "mq", 2),
        /** Nobody knows when they were sent. */
        WITHOUT_ARROWS(12, 1, 0, 0, "mq", 0);

        private final int messages;
        private final double eachMs;
        private final long delayAtSending;
        private final long delayAtRun;
        private final String category;
        private final int sendings;

        Variant(int messages, double eachMs, long delayAtSending, long delayAtRun, String category, int sendings) {
            this.messages = messages;
            this.eachMs = eachMs;
            this.delayAtSending = delayAtSending;
            this.delayAtRun = delayAtRun;
            this.category = category;
            this.sendings = sendings;
        }

        /** The last ones have their sendings in the trace. */
        boolean isSent(int message) {
            return message >= messages - sendings;
        }
    }

    /** A trace of messages that wait behind a dozen of another thread's. */
    static byte[] flood() {
        return write(Variant.FLOOD);
    }

    private static byte[] write(Variant variant) {
        return write(events -> {
            for (int i = 0; i < variant.messages; i++) {
                if (variant.isSent(i)) {
                    events.instant(
                                    traceTime(ms(2 + i * 0.01)),
                                    ofThread(PID, FLOODER),
                                    variant.category,
                                    "message_queue_send")
                            .flow(100 + i)
                            .messageQueue(null, "main", 1, variant.delayAtSending)
                            .write();
                }
            }
            for (int i = 0; i < variant.messages; i++) {
                double from = 2.2 + i * variant.eachMs;
                TrackEventWriter.Event runs =
                        events.begin(traceTime(ms(from)), ofThread(PID, PID), variant.category, "H: #1");
                (variant.sendings == 0 ? runs : runs.terminatingFlow(100 + i))
                        .messageQueue("flooder", "main", 1, variant.delayAtRun)
                        .write();
                events.end(traceTime(ms(from + variant.eachMs)), ofThread(PID, PID))
                        .write();
            }
        });
    }

    /** Writes what happens. */
    private interface Script {
        void write(TrackEventWriter events) throws IOException;
    }

    /** Events of two threads that run all the time. */
    private static byte[] write(Script script) {
        Scene scene = new Scene();
        SceneProcess app = scene.process(PID, "com.example.app");
        app.mainThread("com.example.app", 110).runs(0, ms(90));
        app.thread(FLOODER, "flooder", 120).runs(1, ms(90));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.COMPACT)) {
            scene.writeTo(writer);
            TrackEventWriter events = writer.trackEvents(TraceClock.BOOTTIME, ofThread(PID, PID));
            events.tracks().process(traceTime(0), PID, "com.example.app");
            events.tracks().thread(traceTime(0), PID, PID, "main");
            events.tracks().thread(traceTime(0), PID, FLOODER, "flooder");
            script.write(events);
        } catch (IOException e) {
            throw new AssertionError("memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    /** How long the one waited that waited longest, behind how many, in ms; 0 if there is no backlog. */
    @ParameterizedTest
    @CsvSource({
        "FLOOD, 11.09, 11",
        "FEW, 0, 0",
        "SHORT, 0, 0",
        "DELAYED, 0, 0",
        "DELAYED_BY_SENDING, 0, 0",
        "DELAYED_BY_RUN, 0, 0",
        "DELAYED_BY_THE_LARGER, 0, 0",
        "DUE_MEANWHILE_BY_SENDING, 8.09, 9",
        "DUE_MEANWHILE_BY_RUN, 8.09, 9",
        "OTHER_CATEGORY, 0, 0",
        "LOST_SENDINGS, 11.09, 11",
        "WITHOUT_ARROWS, 0, 0"
    })
    void aFlood(Variant variant, double waitedMs, int behind) {
        Diagnosis diagnosis = Doctor.diagnose(SceneDiagnoses.read(write(variant)), DoctorOptions.defaults());
        SceneDiagnoses.assertSound(diagnosis);
        List<Incident> incidents = diagnosis.incidents();
        assertThat(incidents).hasSize(behind > 0 ? 1 : 0);
        if (behind > 0) {
            Incident incident = incidents.getFirst();
            assertThat(incident.verdict()).isEqualTo(Verdict.QUEUE_BACKLOG);
            assertThat(incident.judgement().responsibleThread().tid()).isEqualTo(FLOODER);
            assertThat(incident.judgement().evidence()).isEqualTo(Evidence.OWNER_NAMED);
            assertThat(incident.rootWait().durNs()).isEqualTo(ms(waitedMs));
            assertThat(incident.backlog().messages()).isEqualTo(behind);
            assertThat(incident.backlog().messagesFromSender()).isEqualTo(behind);
            assertThat(incident.backlog().ranNs()).isEqualTo(ms(behind));
        }
    }

    /** Twelve timers, each run when it is due, recorded as Android does: none waited for another. */
    @Test
    void timersThatRunWhenTheyAreDue() {
        assertThat(SceneDiagnoses.incidents(write(events -> androidMessages(events, 12, i -> 50 + 2 * i))))
                .isEmpty();
    }

    /** The same, all due at once: Android calls every run the same, so that it goes by its code. */
    @Test
    void timersThatAreDueAtOnce() {
        List<Incident> incidents = SceneDiagnoses.incidents(write(events -> androidMessages(events, 12, i -> 50)));
        assertThat(incidents).hasSize(1);
        Incident incident = incidents.getFirst();
        assertThat(incident.verdict()).isEqualTo(Verdict.QUEUE_BACKLOG);
        assertThat(incident.rootWait().target()).isEqualTo("message 7");
        assertThat(incident.judgement().responsibleThread().tid()).isEqualTo(FLOODER);
    }

    /** Each is sent at 2 ms and runs for 1.9 ms from 52 ms on, one every 2 ms; the looper is idle in between. */
    private static void androidMessages(TrackEventWriter events, int count, IntUnaryOperator delayMs)
            throws IOException {
        for (int i = 0; i < count; i++) {
            events.instant(traceTime(ms(2)), ofThread(PID, FLOODER), "mq", "message_queue_send")
                    .flow(100 + i)
                    .messageQueue(null, "main", 7, delayMs.applyAsInt(i))
                    .write();
        }
        for (int i = 0; i < count; i++) {
            double from = 52.02 + 2 * i;
            events.begin(traceTime(ms(from)), ofThread(PID, PID), "mq", "message_queue_receive")
                    .terminatingFlow(100 + i)
                    .messageQueue("flooder", "main", 0, -1)
                    .write();
            events.end(traceTime(ms(from + 1.9)), ofThread(PID, PID)).write();
        }
    }

    /**
     * Messages back to back: all of them waiting since 2 ms, or each sent by the one before it, when that was nearly
     * done.
     */
    private static byte[] backToBack(boolean queued, boolean hasFlows) {
        return write(events -> {
            for (int i = 0; i < 12; i++) {
                double from = 2.2 + i;
                boolean isChained = !queued && i > 0;
                if (hasFlows) {
                    events.instant(
                                    traceTime(isChained ? ms(from - 0.01) : ms(2)),
                                    ofThread(PID, isChained ? PID : FLOODER),
                                    "mq",
                                    "message_queue_send")
                            .flow(100 + i)
                            .write();
                }
            }
            for (int i = 0; i < 12; i++) {
                double from = 2.2 + i;
                TrackEventWriter.Event run =
                        events.begin(traceTime(ms(from)), ofThread(PID, PID), "mq", "android.os.Handler: #12");
                (hasFlows ? run.terminatingFlow(100 + i) : run).write();
                events.end(traceTime(ms(from + 1)), ofThread(PID, PID)).write();
            }
        });
    }

    /**
     * Why messages back to back are no backlog by themselves: two traces differ in nothing but their sendings, and in
     * the one the last message waited for 11 ms, in the other no message waited. Without the sendings they are the same
     * trace.
     */
    @Test
    void messagesBackToBackNeedNotHaveWaited() {
        assertThat(SceneDiagnoses.incidents(backToBack(true, true)))
                .extracting(Incident::verdict)
                .containsExactly(Verdict.QUEUE_BACKLOG);
        assertThat(SceneDiagnoses.incidents(backToBack(false, true))).isEmpty();
        assertThat(backToBack(true, false)).isEqualTo(backToBack(false, false));
        assertThat(SceneDiagnoses.incidents(backToBack(true, false))).isEmpty();
    }

    /** What Android writes of its loopers says when messages ran; how long they waited nobody can know from it. */
    @Test
    void androidsOwnSlicesTellOfNoWait() {
        Scene scene = new Scene();
        SceneThread main = scene.process(PID, "com.example.app").mainThread("com.example.app", 110);
        for (int i = 0; i < 12; i++) {
            main.begin("android.os.Handler: #12").runs(0, ms(i + 1)).end();
        }
        assertThat(SceneDiagnoses.inAnyFormat(scene, SceneDiagnoses.EVERYTHING).incidents())
                .isEmpty();
    }
}
