package dev.unjank.doctor.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.scene.PageJson;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.trace.model.Trace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What can be said of the page without a browser. */
class HtmlReportTest {
    private static final Pattern SCRIPT = Pattern.compile("<script>(.*?)</script>", Pattern.DOTALL);
    private static final Pattern STYLE = Pattern.compile("<style>(.*?)</style>", Pattern.DOTALL);

    private final String html = HtmlPages.html(HtmlPages.example());

    private static String only(Pattern pattern, String html) {
        Matcher matcher = pattern.matcher(html);
        assertThat(matcher.find()).isTrue();
        String found = matcher.group(1);
        assertThat(matcher.find()).as("a second one").isFalse();
        return found;
    }

    private static String hash(String source) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(source.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    }

    @Test
    void thePolicyNamesItsOwnScriptAndStyleOnly() throws Exception {
        String policy = only(Pattern.compile("Content-Security-Policy\" content=\"(.*?)\""), html);
        assertThat(policy.split("; "))
                .contains(
                        "default-src 'none'",
                        "script-src " + hash(only(SCRIPT, html)),
                        "style-src " + hash(only(STYLE, html)),
                        "require-trusted-types-for 'script'");
    }

    @Test
    void nothingIsLoadedFromElsewhere() {
        assertThat(html).doesNotContain("http:").doesNotContain("https:").doesNotContain("@import");
        assertThat(only(SCRIPT, html))
                .doesNotContain("innerHTML")
                .doesNotContain("insertAdjacentHTML")
                .doesNotContain("document.write")
                .doesNotContain("eval(")
                .doesNotContain("fetch(");
    }

    @Test
    void nothingOfTheTraceBecomesMarkup() {
        String hostile = HtmlPages.html(HtmlPages.read(HtmlPages.hostile()));
        assertThat(hostile)
                .doesNotContain(HtmlPages.HOSTILE)
                .doesNotContain("<img")
                .doesNotContain("\u202e");
        assertThat(hostile.split("<script", -1)).hasSize(3);
        assertThat(hostile.split("</script", -1)).hasSize(3);
        assertThat(hostile.length()).as("a megabyte of name is cut").isLessThan(200_000);
        assertThat(HtmlPages.data(hostile).get("texts").toString())
                .contains("<img src=x")
                .contains("... (");
    }

    /** What is said of a name without end is its own length, however often the page's words have it in them. */
    @Test
    void theLengthOfANameThatWasCutIsItsOwn() {
        String name = "x".repeat(HtmlPages.LONG_NAME);
        Scene scene = new Scene();
        SceneProcess app = scene.process(1000, name);
        SceneThread main = app.mainThread("main", 110);
        SceneThread worker = app.thread(1001, "worker", 120);
        worker.runs(1, Scene.ms(7));
        main.begin(name)
                .runs(0, Scene.ms(1))
                .blocksOn(ArtContention.heldBy(worker).at("void " + name + ".a()(A.java:1)", "void B.b()(B.java:2)"))
                .sleeps(Scene.ms(5))
                .wokenBy(worker)
                .runnable(Scene.ms(5.1))
                .acquires()
                .runs(0, Scene.ms(7))
                .end();
        String page = HtmlPages.html(HtmlPages.read(scene));
        assertThat(Pattern.compile("\\(([0-9]+) characters\\)")
                        .matcher(PageJson.of(page))
                        .results()
                        .map(cut -> Integer.parseInt(cut.group(1))))
                .isNotEmpty()
                .allSatisfy(length -> assertThat(length).isBetween(HtmlPages.LONG_NAME, HtmlPages.LONG_NAME + 200));
    }

    @Test
    void aTitleIsText() throws IOException {
        // a trace is named by its file, and a file may be named anything
        Trace trace = HtmlPages.read(HtmlPages.hostile());
        assertThat(HtmlPages.html(trace)).contains("<title>page").contains(".pftrace · unjank doctor</title>");
    }

    @Test
    void theStylesKnowEveryVerdict() {
        String style = only(STYLE, html);
        for (Verdict verdict : Verdict.values()) {
            assertThat(style.split("--verdict-" + verdict + ":", -1))
                    .as("a colour in light and one in dark for " + verdict)
                    .hasSize(3);
            assertThat(style).contains(".verdict-" + verdict + " {");
        }
    }

    @Test
    void everyNameOfTheStyleSheetIsDefined() {
        String style = only(STYLE, html);
        Matcher used = Pattern.compile("var\\((--[\\w-]+)\\)").matcher(style);
        while (used.find()) {
            assertThat(style).contains(used.group(1) + ":");
        }
    }

    /** A dozen locks, each waited for twice: ten are in the table. */
    @Test
    void locksThatAreLeftOutAreCounted() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            for (int lock = 0; lock < 12; lock++) {
                stage.parks(SyntheticJvmTrace.MAIN, 10 * lock, 10 * lock + 5, "Lock" + lock, SyntheticJvmTrace.OTHER)
                        .parks(
                                SyntheticJvmTrace.WORKER,
                                10 * lock,
                                10 * lock + 5,
                                "Lock" + lock,
                                SyntheticJvmTrace.OTHER);
            }
            Map<?, ?> data = HtmlPages.data(HtmlPages.html(stage.trace()));
            assertThat((List<?>) data.get("locks")).hasSize(10 * 5);
            assertThat(data.get("locksLeft")).isEqualTo(2L);
        }
    }

    /** As in the text: the answer's verdict first, though others took more time together. */
    @Test
    void whatToDoBeginsWithTheVerdictOfTheAnswer() {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.waits(SyntheticJvmTrace.MAIN, 5, 40, "other", SyntheticJvmTrace.OTHER);
            for (int at = 50; at < 200; at += 30) {
                stage.stop(at, at + 8, "gc", "GC pause: G1New (G1 Evacuation Pause)");
            }
            Map<?, ?> data = HtmlPages.data(HtmlPages.html(stage.trace()));
            assertThat(data.get("answer").toString()).contains("#1");
            assertThat(data.get("advised")).isEqualTo(List.of("UNKNOWN", "GC_BLOCKED"));
        }
    }

    @Test
    void columnsAreOfOneLength() {
        Map<?, ?> data = HtmlPages.data(html);
        Map<?, ?> columns = (Map<?, ?>) data.get("incidents");
        assertThat(columns.values())
                .allSatisfy(column -> assertThat((List<?>) column).hasSize(2));
        assertThat((List<?>) data.get("timelines")).hasSize(2);
    }

    @Test
    void theDrawnStatesTileTheTimeline() {
        for (Object one : (List<?>) HtmlPages.data(html).get("timelines")) {
            Map<?, ?> timeline = (Map<?, ?>) one;
            long length = number(timeline.get("to")) - number(timeline.get("from"));
            for (Object lane : (List<?>) timeline.get("lanes")) {
                List<?> states = (List<?>) ((Map<?, ?>) lane).get("states");
                long sum = 0;
                for (int i = 1; i < states.size(); i += 2) {
                    assertThat(number(states.get(i))).isPositive();
                    sum += number(states.get(i));
                }
                assertThat(sum).isLessThanOrEqualTo(length).isPositive();
            }
        }
    }

    private static long number(Object value) {
        return (Long) value;
    }

    @Test
    void tenThousandIncidentsStaySmall() {
        String many = HtmlPages.html(HtmlPages.tenThousand());
        assertThat((List<?>) ((Map<?, ?>) HtmlPages.data(many).get("incidents")).get("at"))
                .hasSizeGreaterThan(10_000);
        assertThat(many.length()).isLessThan(20_000_000);
    }

    @Test
    void theScriptsAreThoseBesideTheClasses() throws IOException {
        String script = only(SCRIPT, html);
        List<String> names = new ArrayList<>(List.of("text.js", "data.js", "ruler.js", "scene.js", "timeline.js"));
        names.addAll(List.of("details.js", "list.js", "sections.js", "overview.js"));
        names.addAll(List.of("lanes.js", "icicle.js", "causes.js", "main.js"));
        for (String name : names) {
            try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
                assertThat(script).contains(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
    }
}
