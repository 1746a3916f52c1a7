package dev.unjank.doctor.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.JankType;
import dev.unjank.trace.model.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is drawn stays readable: a very long wait beside a short one, lines beside words, times of different lengths,
 * nothing at all.
 */
class TimelineDrawingTest {
    private static final Path SCREENSHOTS = Path.of("target", "page");

    @TempDir
    private static Path folder;

    private static HeadlessBrowser browser;

    @BeforeAll
    static void start() throws IOException {
        browser = HeadlessBrowser.start();
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    private static void open(String name, Trace trace, int width) throws IOException {
        Path page = Files.writeString(folder.resolve(name + ".html"), HtmlPages.html(trace));
        browser.open(page, width, 900, "light");
        browser.openTab("incidents");
        browser.screenshot(SCREENSHOTS.resolve(name + "-" + width + ".png"));
        assertThat(browser.complaints()).isEmpty();
    }

    /** Runs a script over what is drawn of the first incident. */
    private static String inScene(String script) {
        return browser.text("""
                return unpacked(document.getElementById('data').textContent).then(json => {
                  const scene = new Scene(new Report(json), 0);
                  %s
                })""".formatted(script));
    }

    private static void openVeryLongWait() throws IOException {
        open("very-long-wait", HtmlPages.read(HtmlPages.veryLongWait()), 1280);
        assertThat(browser.text("return document.querySelector('#incident h2').textContent"))
                .contains("40.000 s");
    }

    @Test
    void aShortWaitWithinAVeryLongOneCanBeChosenInTheStrip() throws IOException {
        openVeryLongWait();
        browser.run("""
                const strip = document.getElementById('overview');
                const { left, width } = strip.getBoundingClientRect();
                strip.dispatchEvent(new MouseEvent('click', { clientX: left + width / 2 }))""");
        assertThat(browser.text("return document.querySelector('#incident h2').textContent"))
                .contains("5.050 ms");
    }

    /** In the middle of the strip, a third of the way up and then beside that. */
    @Test
    void aShortWaitWithinAVeryLongOneIsSeenInTheStrip() throws IOException {
        openVeryLongWait();
        String pixel = """
                const canvas = document.getElementById('overview');
                const { data } = canvas.getContext('2d').getImageData(canvas.width / 2 + arguments[0], canvas.height * 0.6, 1, 1);
                return [...data].join()""";
        String shortWait = browser.text(pixel, 0);
        String longWait = browser.text(pixel, 40);
        assertThat(shortWait).endsWith(",255").isNotEqualTo(longWait);
        assertThat(longWait)
                .as("only shaded")
                .isEqualTo(browser.text(pixel, -40))
                .endsWith(",51");
    }

    @Test
    void theTimesOfAColumnHaveOneUnit() throws IOException {
        openVeryLongWait();
        assertThat(browser.text(
                        "return [...document.querySelectorAll('.option b')].map(b => b.textContent).join('; ')"))
                .isEqualTo("40,000.050 ms; 5.050 ms");
        assertThat(
                        browser.text(
                                "return [...document.querySelectorAll('.option .first .dim')].map(b => b.textContent).join('; ')"))
                .isEqualTo("at 5.000 s; at 25.000 s");
        assertThat(browser.text("return [mark(5e8, 5e8, 4e9), mark(-2e9, 5e8, 4e9), mark(5e8, 1e8, 9e8)].join()"))
                .isEqualTo("0.5 s,−2.0 s,500 ms");
    }

    /** Words are grey, and lines are not. */
    @ParameterizedTest
    @ValueSource(ints = {1280, 390})
    void noLineGoesThroughWords(int width) throws IOException {
        open("example", HtmlPages.example(), width);
        browser.click("[role=option]");
        String crossings = inScene("""
                const canvas = document.querySelector('.timeline');
                const context = canvas.getContext('2d');
                const ruler = new Ruler(scene.drawing.from, scene.drawing.to);
                ruler.width = canvas.clientWidth;
                const ratio = canvas.width / canvas.clientWidth;
                context.font = font(12);
                let crossings = 0;
                let seen = 0;
                for (const { y, role, name, facts } of scene.labels) {
                  const end = Math.min(ruler.width, context.measureText(role + name + facts).width);
                  const lines = scene.deadlines.concat(scene.links.filter(({ y: a, to: b }) => Math.min(a, b) < y + 2 && Math.max(a, b) > y + WORDS - 2));
                  for (const x of lines.map(({ at }) => ruler.x(at)).filter(x => x < end)) {
                    crossings += 1;
                    const { data } = context.getImageData((x - 1) * ratio, (AXIS + y + 2) * ratio, 2 * ratio, (WORDS - 4) * ratio);
                    for (let i = 0; i < data.length; i += 4) {
                      const colour = [data[i], data[i + 1], data[i + 2]];
                      if (Math.max(...colour) - Math.min(...colour) > 60) seen += 1;
                    }
                  }
                }
                return crossings + " crossings, " + seen + " pixels of lines";""");
        assertThat(crossings).matches("[1-9][0-9]* crossings, 0 pixels of lines");
    }

    @Test
    void withoutAnIncidentThereIsNothingToFilter() throws IOException {
        open("nothing", HtmlPages.read(HtmlPages.nothing()), 390);
        String shown = "return getComputedStyle(document.querySelector(arguments[0])).display";
        assertThat(browser.text(shown, ".finder")).isEqualTo("none");
        assertThat(browser.text(shown, "#overview")).isEqualTo("none");
        assertThat(browser.text(shown, "#incident")).isEqualTo("block");
        assertThat(browser.text("return document.getElementById('incident').innerText"))
                .startsWith("No incidents");
        assertThat(browser.text("return document.getElementById('tally').textContent"))
                .endsWith("no incidents");
        assertThat(browser.text("return document.getElementById('panel-summary').textContent"))
                .doesNotContain("Verdicts", "Next steps");
    }

    @Test
    void whatToDoAboutAProgramsOwnWorkIsTold() throws IOException {
        Scene scene = new Scene();
        SceneThread main = scene.process(10, "com.example.app").mainThread("main", 110);
        main.begin("Choreographer#doFrame 1").runs(0, 60_000_000).end();

        open("own-work", HtmlPages.read(scene), 390);

        assertThat(browser.text("return document.getElementById('panel-summary').textContent"))
                .containsSubsequence("Next steps", "Own work", "Look at its longest slices")
                .doesNotContain("Verdicts");
    }

    /** As SurfaceFlinger has it: what was handed over too late, but shown in time all the same, was not late. */
    @Test
    void aFrameThatWasNotJankyWasInTime() throws IOException {
        Scene scene = new Scene();
        SceneProcess app = scene.process(10, "com.example.app");
        SceneThread main = app.mainThread("com.example.app", 110);
        SceneThread worker = app.thread(11, "worker", 120);
        worker.runs(1, Scene.ms(9.5));
        main.runs(0, Scene.ms(2)).blocksOn(ArtContention.heldBy(worker));
        main.sleeps(Scene.ms(9)).wokenBy(worker).runnable(Scene.ms(9.1)).acquires();
        main.runs(0, Scene.ms(30));
        app.frame("layer", 0, Scene.ms(8), Scene.ms(10), JankType.NONE.bit());

        open("in-time", HtmlPages.read(scene), 1280);

        assertThat(browser.text("return document.getElementById('panel-frames').textContent"))
                .contains("on time, took 10.000 ms", "long hold com.example.app by worker")
                .doesNotContain("None");
        assertThat(inScene("return scene.rows[0].items.map(({ label, about }) => label + '; ' + about).join()"))
                .isEqualTo("on time, took 10.000 ms; Frame of 10.000 ms: on time; visible part");
    }

    /** The browser leaves a gap behind a name that it cuts: what follows begins with a word. */
    @Test
    void noCommaFollowsANameThatIsCut() throws IOException {
        Scene scene = new Scene();
        SceneThread main = scene.process(10, "com.example.name." + "long.".repeat(20) + "app")
                .mainThread("main", 110);
        SceneThread other = scene.process(20, "com.example.other").thread(21, "other", 120);
        main.begin("bindApplication").runs(0, Scene.ms(2));
        main.runnable(Scene.ms(9)).runs(0, Scene.ms(12)).end();
        other.sleeps(Scene.ms(2)).runs(0, Scene.ms(9)).sleeps(Scene.ms(12));

        open("cut", HtmlPages.read(scene), 1280);

        assertThat(browser.text("return [...document.querySelectorAll('.second > span')]"
                        + ".map(side => side.scrollWidth > side.clientWidth ? '…' : side.textContent).join('')"))
                .isEqualTo("… while other ran");
    }

    @Test
    void aDoubtfulLengthIsCalledSo() throws IOException {
        try (TraceBuilder builder = new TraceBuilder("stretched")) {
            for (int i = 0; i < 2_000; i++) {
                builder.program().instant(i * 1_000L, 10, 10, builder.intern("work"));
            }
            builder.program().instant(400_000_000_000_000L, 10, 10, builder.intern("work"));
            open("stretched", builder.build(), 1280);
        }
        assertThat(browser.text("return document.getElementById('tally').textContent"))
                .isEqualTo("400,000.000 s long (doubtful), no incidents");
    }
}
