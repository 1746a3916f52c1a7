package dev.unjank.doctor.report.html;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.scene.PageJson;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.scene.TraceRepeater;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Traces, and the pages that are made of them. */
final class HtmlPages {
    /** What a trace may hold to do harm to a page. */
    static final String HOSTILE =
            "</script><script>document.title = 'run'</script><img src=x onerror=\"document.title='run'\"><!--";

    static final int LONG_NAME = 1 << 20;

    private HtmlPages() {}

    static Trace read(byte[] bytes) {
        try {
            Path file = Files.createTempFile("page", ".pftrace");
            try {
                Files.write(file, bytes);
                return TraceReader.read(file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Trace read(Scene scene) {
        return read(scene.toBytes(WireFormat.PLAIN));
    }

    static Trace example() {
        return read(LauncherExample.trace());
    }

    static Diagnosis diagnosis(Trace trace) {
        return Doctor.diagnose(trace, DoctorOptions.defaults());
    }

    /** What a file is called is as little to be trusted as what is in it. */
    private static final String COMMAND = "unjank query '</script><img src=x onerror=alert(1)>\u202e.pftrace'";

    static String html(Trace trace) {
        StringWriter out = new StringWriter();
        try {
            HtmlReport.write(diagnosis(trace), trace, new StubQueries(COMMAND), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    /** The object in a page's data. */
    static Map<?, ?> data(String html) {
        return (Map<?, ?>) HeadlessBrowser.read(PageJson.of(html));
    }

    /** A trace with more than ten thousand incidents: a shorter one, repeated. */
    static Trace tenThousand() {
        byte[] source = manyWaits(1_000).toBytes(WireFormat.PLAIN);
        ByteArrayOutputStream many = new ByteArrayOutputStream();
        try {
            TraceRepeater.repeat(source, source.length * 11L, many);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return read(many.toByteArray());
    }

    /** A thread that waits for a lock many times: every third time its owner runs, sleeps, or is kept from running. */
    private static Scene manyWaits(int waits) {
        Scene scene = new Scene();
        SceneProcess app = scene.process(1000, "com.example.many");
        SceneThread main = app.mainThread("m.example.many", 110);
        SceneThread worker = app.thread(1001, "worker", 120);
        SceneThread other = scene.process(2000, "com.example.other").mainThread("m.example.other", 115);
        for (int i = 0; i < waits; i++) {
            double at = i * 3.0;
            double length = 1.1 + i % 97 / 100.0;
            double end = at + 0.5 + length;
            worker.sleeps(Scene.ms(at + 0.1)).runs(1, Scene.ms(at + 0.5));
            switch (i % 3) {
                case 0 -> worker.runs(1, Scene.ms(end + 0.1));
                case 1 -> worker.sleeps(Scene.ms(end - 0.1)).runs(1, Scene.ms(end + 0.1));
                default -> {
                    worker.runnable(Scene.ms(end - 0.1)).runs(1, Scene.ms(end + 0.1));
                    other.sleeps(Scene.ms(at + 0.5)).runs(1, Scene.ms(end - 0.1));
                }
            }
            main.sleeps(Scene.ms(at + 0.2)).runs(0, Scene.ms(at + 0.5)).blocksOn(ArtContention.heldBy(worker));
            main.sleeps(Scene.ms(end))
                    .wokenBy(worker)
                    .runnable(Scene.ms(end + 0.01))
                    .acquires()
                    .runs(0, Scene.ms(end + 0.2));
        }
        return scene;
    }

    /**
     * A wait of forty seconds, and in the middle of these, and of the trace, one of five milliseconds; frames are late
     * by both.
     */
    static Scene veryLongWait() {
        Scene scene = new Scene();
        waits(scene.process(1000, "com.example.patient"), 0, 5_000, 45_000);
        waits(scene.process(2000, "com.example.hasty"), 2, 25_000, 25_005);
        scene.process(3000, "com.example.idle")
                .mainThread("m.example.idle", 120)
                .runs(4, Scene.ms(50_000));
        return scene;
    }

    /** In a frame a main thread waits for a worker that is at work; on two CPUs. */
    private static void waits(SceneProcess app, int cpu, double from, double to) {
        SceneThread main = app.mainThread("main", 110);
        SceneThread worker = app.thread(app.pid() + 1, "worker", 120);
        worker.sleeps(Scene.ms(from - 1)).runs(cpu + 1, Scene.ms(to + 0.1));
        main.sleeps(Scene.ms(from - 0.5))
                .begin("Choreographer#doFrame 1")
                .runs(cpu, Scene.ms(from))
                .blocksOn(ArtContention.heldBy(worker));
        main.sleeps(Scene.ms(to))
                .wokenBy(worker)
                .runnable(Scene.ms(to + 0.05))
                .acquires()
                .runs(cpu, Scene.ms(to + 2))
                .end();
    }

    /** A program that waits for nobody. */
    static Scene nothing() {
        Scene scene = new Scene();
        scene.process(1000, "com.example.app")
                .mainThread("m.example.app", 110)
                .runs(0, Scene.ms(20))
                .sleeps(Scene.ms(100))
                .runs(0, Scene.ms(120));
        return scene;
    }

    /** A wait in which every text is hostile: markup, a megabyte, marks that turn the direction, control characters. */
    static Scene hostile() {
        Scene scene = new Scene();
        SceneProcess app = scene.process(1000, HOSTILE + "x".repeat(LONG_NAME));
        SceneThread main = app.mainThread("\u202e" + HOSTILE, 110);
        SceneThread worker = app.thread(1001, "\u202eabc\u2066\u0001\u001b[31m", 120);
        worker.runs(1, Scene.ms(1)).begin(HOSTILE).runs(1, Scene.ms(6)).end().runs(1, Scene.ms(7));
        ArtContention contention = ArtContention.heldBy(worker)
                .ownerName("\u202e\u0007" + HOSTILE)
                .at("void " + HOSTILE + ".x()(\u202e.java:1)", "void \u0000" + HOSTILE + ".y()(<b>:2)");
        main.begin("javascript:document.title='run'" + HOSTILE)
                .runs(0, Scene.ms(1))
                .blocksOn(contention);
        main.sleeps(Scene.ms(5))
                .wokenBy(worker)
                .runnable(Scene.ms(5.1))
                .acquires()
                .runs(0, Scene.ms(7))
                .end();
        return scene;
    }
}
