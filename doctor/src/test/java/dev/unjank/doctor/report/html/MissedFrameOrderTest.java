package dev.unjank.doctor.report.html;

import static dev.unjank.scene.Scene.ms;
import static dev.unjank.scene.Scene.traceTime;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.report.JudgementMessages;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.write.FrameTimelineWriter;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Text and page have late frames in one order, and what comes first there is what the answer calls the costliest. */
class MissedFrameOrderTest {
    private static final int APP = 1000;
    private static final int DISPLAY = 2000;

    private static Trace trace() throws IOException {
        Scene scene = new Scene();
        SceneProcess app = scene.process(APP, "com.example.app");
        SceneThread main = app.mainThread("com.example.app", 110);
        SceneThread worker = app.thread(1001, "worker", 120);
        waits(main.runs(0, ms(2)), worker, 10);
        waits(main.runs(0, ms(32)), worker, 36);
        main.runs(0, ms(140));
        worker.runs(1, ms(140));
        scene.process(DISPLAY, "surfaceflinger")
                .mainThread("surfaceflinger", 97)
                .runs(2, ms(140));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            scene.writeTo(writer);
            FrameTimelineWriter frames = writer.frames(TraceClock.BOOTTIME);
            frames.actualDisplayFrame(40, DISPLAY, traceTime(ms(1)), traceTime(ms(120)), 4);
            frame(frames, 1, 1, 21, JankType.BUFFER_STUFFING);
            frame(frames, 2, 31, 49, JankType.APP_DEADLINE_MISSED);
            frame(frames, 3, 51, 73, JankType.APP_DEADLINE_MISSED);
            frame(frames, 4, 81, 104, JankType.APP_DEADLINE_MISSED);
        }
        return HtmlPages.read(bytes.toByteArray());
    }

    private static void waits(SceneThread main, SceneThread worker, double until) {
        main.blocksOn(ArtContention.heldBy(worker))
                .sleeps(ms(until))
                .wokenBy(worker)
                .runnable(ms(until + 0.05))
                .acquires();
    }

    private static void frame(FrameTimelineWriter frames, int token, double from, double to, JankType jank)
            throws IOException {
        var surface = new FrameTimelineWriter.SurfaceFrame(token, 20 + token, APP, "layer");
        frames.actualSurfaceFrame(surface, traceTime(ms(from)), traceTime(ms(to)), jank.bit());
    }

    /** The longer wait lies in a frame that its program handed over in time. */
    @Test
    void textAndPageHaveOneOrder() throws IOException {
        Trace trace = trace();
        Diagnosis diagnosis = HtmlPages.diagnosis(trace);
        List<String> order = List.of("18.000", "23.000", "22.000", "20.000", "119.000");

        String text = TextReport.of(diagnosis, TextReport.Style.plain());
        List<String> inText = new ArrayList<>();
        Pattern.compile(" ([0-9.]+) ms  at +[0-9.]+ ms  ")
                .matcher(text)
                .results()
                .forEach(line -> inText.add(line.group(1)));
        assertThat(inText).isEqualTo(order);

        assertThat((List<?>) HtmlPages.data(HtmlPages.html(trace)).get("frames"))
                .extracting(frame -> "%d.000".formatted((Long) ((Map<?, ?>) frame).get("dur") / 1_000_000))
                .isEqualTo(order);
        assertThat(JudgementMessages.of(diagnosis))
                .contains("blocked for 4.050 ms")
                .contains("Cost: 4.050 ms of wait time in missed frames.");
    }
}
