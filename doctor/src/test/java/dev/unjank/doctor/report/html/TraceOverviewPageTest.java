package dev.unjank.doctor.report.html;

import static dev.unjank.scene.Scene.ms;
import static dev.unjank.scene.Scene.traceTime;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.write.FrameTimelineWriter;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the page says of a trace as a whole: frames of programs and of the display itself, and a start that shows no
 * frame.
 */
class TraceOverviewPageTest {
    private static final int APP = 1000;
    private static final int DISPLAY = 2000;

    @TempDir
    private static Path folder;

    private static HeadlessBrowser browser;

    @BeforeAll
    static void open() throws IOException {
        browser = HeadlessBrowser.start();
        Path page = Files.writeString(folder.resolve("whole.html"), HtmlPages.html(HtmlPages.read(trace())));
        browser.open(page, 1280, 800, "light");
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    private static byte[] trace() throws IOException {
        Scene scene = new Scene();
        SceneProcess app = scene.process(APP, "com.example.app");
        SceneThread main = app.mainThread("com.example.app", 110);
        SceneThread worker = app.thread(1001, "worker", 120);
        main.runs(0, ms(2)).blocksOn(ArtContention.heldBy(worker));
        main.sleeps(ms(9)).wokenBy(worker).runnable(ms(9.1)).acquires().runs(0, ms(90));
        worker.runs(1, ms(10));
        scene.process(DISPLAY, "surfaceflinger")
                .mainThread("surfaceflinger", 97)
                .runs(2, ms(90));
        SceneThread system = scene.process(1286, "system_server").mainThread("system_server", 118);
        system.runs(3, ms(2)).prints("S|1286|launching: com.example.other|0");
        system.runs(3, ms(60)).prints("F|1286|launching: com.example.other|0").runs(3, ms(61));
        scene.process(3000, "com.example.other")
                .mainThread("m.example.other", 110)
                .runs(4, ms(10))
                .runnable(ms(12))
                .runs(4, ms(90));

        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, WireFormat.PLAIN)) {
            scene.writeTo(writer);
            FrameTimelineWriter frames = writer.frames(TraceClock.BOOTTIME);
            for (int i = 0; i < 4; i++) {
                long start = traceTime(ms(20 * i + 1));
                var surface = new FrameTimelineWriter.SurfaceFrame(10 + i, 20 + i, APP, "layer");
                JankType jank = i < 3 ? JankType.APP_DEADLINE_MISSED : JankType.NONE;
                frames.actualSurfaceFrame(surface, start, start + ms(10 + i), jank.bit());
                JankType ofDisplay = i == 0 ? JankType.DISPLAY_HAL : JankType.NONE;
                frames.actualDisplayFrame(20 + i, DISPLAY, start + ms(5), start + ms(18), ofDisplay.bit());
            }
        }
        return bytes.toByteArray();
    }

    private static String text(String panel) {
        return browser.text("return document.getElementById('panel-" + panel + "').textContent");
    }

    @Test
    void framesOfTheDisplayStandApart() {
        assertThat(text("summary")).contains("frames3 of 4 missed", "display frames1 of 4 missed");
        assertThat(text("frames"))
                .contains("cause of missed framesapp framesdisplay frames")
                .contains("without a wait of at least 1 ms21")
                .contains("long hold10")
                .contains("App Deadline Missed, Late Present", "Display HAL, Late Present");
    }

    @Test
    void aStartThatShowsNoFrame() {
        assertThat(text("startups")).contains("58.000 ms; first frame not recorded", "97 %");
    }

    /** Text and page have one set of words for it. */
    @Test
    void theMainThreadsStatesHaveTheWordsOfTheTextReport() {
        assertThat(text("startups")).contains("runnable 2.000 ms", "2.000 ms", "3 %");
    }
}
