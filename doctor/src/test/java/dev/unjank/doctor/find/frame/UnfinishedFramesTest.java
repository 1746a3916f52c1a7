package dev.unjank.doctor.find.frame;

import static dev.unjank.scene.Scene.ms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.VerdictScene;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.PresentType;
import dev.unjank.trace.write.FrameTimelineWriter;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A frame that the trace does not finish is not known to be late, and no wait costs it anything. */
class UnfinishedFramesTest extends VerdictScene {

    /** Main waits for a lock in the frame; afterwards it runs for seconds, and the frame may end. */
    private void waitsInAFrame(boolean ends) {
        SceneThread worker = app.thread(1001, "worker", 120);
        worker.runs(1, ms(20));
        main.begin("Choreographer#doFrame 7").runs(0, ms(5)).blocksOn(ArtContention.heldBy(worker));
        main.sleeps(ms(15)).wokenBy(worker).runnable(ms(15.1)).acquires().runs(0, ms(30));
        if (ends) {
            main.end();
        }
        main.runs(0, ms(3_732));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSliceWithoutAnEnd(boolean ends) {
        waitsInAFrame(ends);
        Diagnosis diagnosis = SceneDiagnoses.diagnose(scene, DoctorOptions.defaults());
        assertThat(diagnosis.incidents()).hasSize(1);
        assertThat(diagnosis.costs()).hasSize(ends ? 1 : 0);
        assertThat(diagnosis.summary().frames()).isEqualTo(ends ? 1 : 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFrameOfTheTimelineWithoutAnEnd(boolean ends) throws IOException {
        waitsInAFrame(false);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            scene.writeTo(writer);
            FrameTimelineWriter timeline = writer.frames(TraceClock.BOOTTIME);
            var frame = new FrameTimelineWriter.SurfaceFrame(1, 2, app.pid(), "layer");
            timeline.expectedSurfaceFrame(frame, Scene.traceTime(ms(1)), Scene.traceTime(ms(17)));
            timeline.actualSurfaceFrame(
                    frame,
                    Scene.traceTime(ms(1)),
                    ends ? Scene.traceTime(ms(40)) : FrameTimelineWriter.OPEN,
                    new FrameTimelineWriter.Outcome(
                            JankType.APP_DEADLINE_MISSED.bit(), PresentType.LATE, false, false));
        }
        Diagnosis diagnosis = Doctor.diagnose(SceneDiagnoses.read(bytes.toByteArray()), DoctorOptions.defaults());
        assertThat(diagnosis.costs()).hasSize(ends ? 1 : 0);
    }
}
