package dev.unjank.doctor.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.BlockedTime;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.report.Advice;
import dev.unjank.doctor.report.CauseMessages;
import dev.unjank.doctor.report.Messages;
import dev.unjank.doctor.scene.ShopScene;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.fixture.RealTraces;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page in a real browser. Screenshots of it are left in {@code target/page} for people to look at. */
class PageInBrowserTest {
    private static final String DOWN = "\ue015";
    private static final String LEFT = "\ue012";
    private static final String RIGHT = "\ue014";
    private static final String END = "\ue010";
    private static final String ENTER = "\ue007";
    private static final String ESCAPE = "\ue00c";
    private static final String LIGHT = "light";
    private static final Path SCREENSHOTS = Path.of("target", "page");

    @TempDir
    private static Path folder;

    private static HeadlessBrowser browser;
    private static Path example;

    @BeforeAll
    static void start() throws IOException {
        browser = HeadlessBrowser.start();
        example = page("example", HtmlPages.example());
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    private static Path page(String name, Trace trace) throws IOException {
        return Files.writeString(folder.resolve(name + ".html"), HtmlPages.html(trace));
    }

    /** Opens a page at the list of incidents. */
    private static void open(Path page) {
        browser.open(page, 1280, 900, LIGHT);
        browser.openTab("incidents");
    }

    private static long options() {
        return browser.number("return document.querySelectorAll('[role=option]').length");
    }

    private static String chosen() {
        return browser.text("return document.querySelector('#incident h2').textContent");
    }

    private static String told() {
        return browser.text("return document.querySelector('.pointed').textContent")
                .replaceAll("[\u2068\u2069]", "");
    }

    /** What part of the time the timeline shows. */
    private static String shown() {
        return browser.text("return document.querySelector('.timeline').dataset.shown");
    }

    private static void assertClean(Path page) {
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.requests()).containsExactly(page.toUri().toString());
    }

    /** How many colours a canvas shows: one if nothing was drawn on it. */
    private static long colours(String selector) {
        return browser.number("""
                const canvas = document.querySelector(arguments[0]);
                const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                return new Set(new Uint32Array(data.buffer)).size""", selector);
    }

    @Test
    void opensDrawsAndAsksForNothing() {
        open(example);

        assertThat(browser.text("return document.title")).startsWith("page").endsWith("unjank doctor");
        assertThat(options()).isEqualTo(2);
        assertThat(chosen()).contains("priority inversion").contains("9.148 ms").contains("incident 1");
        assertThat(colours(".timeline")).isGreaterThan(10);
        assertThat(colours("#overview")).isGreaterThan(3);
        assertThat(browser.text("return document.getElementById('incident').textContent"))
                .contains("binder:3363_2")
                .contains("Ran meanwhile on CPU 1 (waiter: priority 110)")
                .contains("android.anim")
                .contains("Next steps")
                .contains("tid = 3384");
        assertClean(example);
    }

    @Test
    void thePolicyForbidsEverythingElse() {
        open(example);

        assertThat(browser.text("return document.querySelector('meta[http-equiv=Content-Security-Policy]').content"))
                .startsWith("default-src 'none'; script-src 'sha256-")
                .doesNotContain("unsafe");
        browser.run("""
                const script = document.createElement('script');
                script.append("document.title = 'run'");
                document.body.append(script);
                document.body.append(Object.assign(new Image(), { src: 'https://example.com/x.png' }))""");
        assertThat(browser.text("return document.title")).doesNotContain("run");
        assertThat(browser.text(
                        "try { document.body.innerHTML = '<b>x</b>'; return 'made' } catch { return 'refused' }"))
                .isEqualTo("refused");
        assertThat(browser.complaints())
                .anySatisfy(line -> assertThat(line).contains("TrustedScript").contains("blocked"))
                .anySatisfy(line -> assertThat(line).contains("img-src").contains("blocked"))
                .anySatisfy(line -> assertThat(line).contains("TrustedHTML").contains("blocked"));
    }

    @Test
    void sortsAndFilters() {
        open(example);
        String first = "return document.querySelector('[role=option]').textContent";
        assertThat(browser.text(first)).contains("9.148 ms");

        browser.run("""
                const sort = document.getElementById('sort');
                sort.value = 'verdict';
                sort.dispatchEvent(new Event('change'))""");
        assertThat(browser.text(first)).contains("9.148 ms");
        browser.run("""
                const sort = document.getElementById('sort');
                sort.value = 'owner';
                sort.dispatchEvent(new Event('change'))""");
        assertThat(browser.text(first)).contains("binder:3363_2");

        browser.run("document.getElementById('filter-text').focus()");
        browser.press("i", "c", "o", "n");
        assertThat(options()).isEqualTo(1);
        assertThat(browser.text(first)).contains("launcher-loader");
        assertThat(browser.text("return document.getElementById('shown').textContent"))
                .isEqualTo("1 of 2 incidents");

        open(example);
        browser.click(".chip.verdict-SLEEPING_OWNER");
        assertThat(browser.text(first)).contains("3.500 ms");
        assertThat(options()).isEqualTo(1);
        browser.click(".chip.verdict-SLEEPING_OWNER");
        assertThat(options()).isEqualTo(2);

        browser.run("""
                const least = document.getElementById('filter-ms');
                least.value = '5';
                least.dispatchEvent(new Event('input'))""");
        assertThat(options()).isEqualTo(1);
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void theKeyboardReachesEverything() {
        open(example);
        browser.run("document.getElementById('list').focus()");
        browser.press(DOWN);
        assertThat(chosen()).contains("3.500 ms");
        assertThat(browser.text("return document.getElementById('list').getAttribute('aria-activedescendant')"))
                .isEqualTo("option-1");

        browser.run("document.querySelector('.timeline').focus()");
        browser.press(RIGHT);
        assertThat(told()).contains("com.android.launcher3 waits for launcher-loader");
        browser.press(DOWN);
        assertThat(told()).contains("com.android.launcher3 sleeping");
        browser.press(RIGHT);
        assertThat(told()).contains("com.android.launcher3 runnable");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void zoomsAndPans() {
        open(example);
        String whole = shown();

        browser.run("document.querySelector('.timeline').focus()");
        browser.press("+");
        String nearer = shown();
        assertThat(nearer).isNotEqualTo(whole);
        browser.press("0");
        assertThat(shown()).isEqualTo(whole);
        browser.press(RIGHT, ENTER);
        assertThat(shown()).isNotEqualTo(whole).isNotEqualTo(nearer);
        browser.press("0", ESCAPE);
        assertThat(shown()).isEqualTo(whole);

        browser.wheel(".timeline", -300);
        String turned = shown();
        assertThat(turned).isNotEqualTo(whole);
        browser.drag(".timeline", 120);
        assertThat(shown()).isNotEqualTo(turned).isNotEqualTo(whole);

        browser.click("[title='Show all']");
        browser.run("document.querySelector('.timeline').blur()");
        browser.click("[title='Zoom in']");
        assertThat(shown()).isNotEqualTo(whole);
        browser.click("[title='Zoom out']");
        assertThat(shown()).isEqualTo(whole);
    }

    @Test
    void framesLeadToTheIncidentsThatCostThem() {
        open(example);
        browser.click("[role=option]:nth-child(2)");
        assertThat(chosen()).contains("3.500 ms");
        browser.click("#tab-frames");
        assertThat(browser.text("return document.getElementById('panel-frames').textContent"))
                .contains("missed by 1.767 ms")
                .contains("App Deadline Missed")
                .contains("9.148 ms");
        browser.click("#panel-frames .cause");
        assertThat(chosen()).contains("9.148 ms");
        assertThat(browser.text("return document.getElementById('incident').textContent"))
                .contains("Cost 9.148 ms of a frame (18.433 ms) that missed its deadline by 1.767 ms.");
        assertThat(browser.text("return String(document.getElementById('panel-frames').hidden)"))
                .isEqualTo("true");
    }

    /**
     * The incident that the answer is about need not be the longest; it is shown first, and the answer's number leads
     * to it.
     */
    @Test
    void theAnswersIncidentIsShownFirst() throws IOException {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.message(SyntheticJvmTrace.MAIN, 5, 60, "app.Ui: #1")
                    .waits(SyntheticJvmTrace.MAIN, 10, 30, "worker", SyntheticJvmTrace.WORKER)
                    .waits(SyntheticJvmTrace.MAIN, 80, 150, "worker", SyntheticJvmTrace.WORKER)
                    .slice(SyntheticJvmTrace.WORKER, 0, 160, "sleep", "sleeping");
            open(page("answer", stage.trace()));
            assertThat(chosen()).contains("20.000 ms", "incident 2");
            browser.click("[role=option]:nth-child(1)");
            assertThat(chosen()).contains("70.000 ms", "incident 1");
            browser.click("#answer a");
            assertThat(chosen()).contains("20.000 ms", "incident 2");
        }
    }

    /** However long a name is, who was in its way can be read. */
    @Test
    void aLongNameLeavesRoomForWhoWasInItsWay() throws IOException {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.name(SyntheticJvmTrace.OTHER, "a-thread-of-a-pool-with-a-name-".repeat(3))
                    .waits(SyntheticJvmTrace.OTHER, 10, 30, "worker", SyntheticJvmTrace.WORKER);
            open(page("long", stage.trace()));
            assertThat(browser.text("return [...document.querySelectorAll('.second > span')]"
                            + ".map(side => side.scrollWidth > side.clientWidth ? 'cut' : side.textContent).join()"))
                    .isEqualTo("cut, by worker");
        }
    }

    @Test
    void theSummaryEndsWithWhatToDo() {
        open(example);
        browser.run("document.getElementById('tab-causes').focus()");
        browser.press(LEFT);
        assertThat(browser.text("return document.activeElement.id")).isEqualTo("tab-summary");
        assertThat(browser.text("return document.getElementById('panel-summary').innerText"))
                .contains("priority inversion", "sleeping owner", "Next steps")
                .contains(Advice.of(Verdict.PRIORITY_INVERSION, HtmlPages.diagnosis(HtmlPages.example())))
                .contains("SELECT 2 incidents");
    }

    /** The table has the diagnosis's numbers; idle time has no share. */
    @Test
    void theSummaryAddsUpBlockedTime() throws IOException {
        List<BlockedTime.KindTotal> parts;
        try (SyntheticJvmTrace stage = ShopScene.play()) {
            Path page = page("blocked", stage.trace());
            parts = HtmlPages.diagnosis(stage.trace()).blockedTime().kinds();
            open(page);
        }
        browser.click("#tab-summary");
        assertThat(browser.text("""
                const heading = [...document.querySelectorAll('#panel-summary h2')].find(one => one.textContent === 'Blocked time');
                return [...heading.nextElementSibling.querySelectorAll('tbody tr')]
                  .map(row => [...row.cells].map(cell => cell.textContent).join(' ')).join('; ')"""))
                .isEqualTo(parts.stream()
                        .map(part -> "%s %d %.3f ms %s"
                                .formatted(
                                        Messages.of("blocked." + part.kind()),
                                        part.threads(),
                                        part.durNs() / 1e6,
                                        CauseMessages.share(
                                                part.durNs(),
                                                parts.stream()
                                                        .mapToLong(BlockedTime.KindTotal::durNs)
                                                        .sum())))
                        .collect(Collectors.joining("; ")))
                .contains("locks 8 ", "sleep 8 ");
    }

    /** Nobody knows a virtual thread by the number that stands for it here. */
    @Test
    void aVirtualThreadWithoutANameHasItsNumberInJava() throws IOException {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.parks((1 << 30) + 22, 10, 40, "ReentrantLock", SyntheticJvmTrace.OTHER);
            open(page("virtual", stage.trace()));
            assertThat(browser.text("return document.querySelector('.who').innerText"))
                    .contains("virtual thread #22 in app.Main")
                    .doesNotContain("10737");
            assertThat(browser.text("return document.querySelector('.second').textContent"))
                    .startsWith("virtual thread #22 by other");
        }
    }

    /** Of who was in the way that is said which is known: a name without a thread, or nothing. */
    @Test
    void anOwnerThatTheTraceDoesNotShow() throws IOException {
        for (String owner : new String[] {"ghost", ""}) {
            try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
                open(page(
                        "ghost",
                        (owner.isEmpty()
                                        ? stage.parks(SyntheticJvmTrace.MAIN, 10, 40, "ReentrantLock", 0)
                                        : stage.waits(SyntheticJvmTrace.MAIN, 10, 40, owner, 999))
                                .trace()));
                browser.run("document.querySelector('.timeline').focus()");
                browser.press(RIGHT);
                assertThat(told())
                        .startsWith(
                                owner.isEmpty()
                                        ? "main waits for an unknown owner (java.util.concurrent lock)"
                                        : "main waits for ghost (monitor)");
            }
        }
    }

    @Test
    void theSummaryNamesTheLockThatSeveralWaitsWereFor() throws IOException {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.parks(SyntheticJvmTrace.MAIN, 10, 40, "ReentrantLock", SyntheticJvmTrace.OTHER)
                    .parks(SyntheticJvmTrace.WORKER, 10, 45, "ReentrantLock", SyntheticJvmTrace.OTHER);
            open(page("lock", stage.trace()));
            browser.click("#tab-summary");
            assertThat(browser.text("return document.querySelector('.lock').closest('tr').innerText"))
                    .containsSubsequence(
                            "ReentrantLock",
                            "mostly owned by other (65.000 ms in total)",
                            "2",
                            "65.000 ms",
                            "35.000 ms");
        }
        open(example);
        assertThat(browser.number("return document.querySelectorAll('.lock').length"))
                .as("of monitors that have no name")
                .isZero();
    }

    /** A virtual machine's program draws nothing here: its loopers' messages stand where frames do elsewhere. */
    @Test
    void aVirtualMachineHasMessagesAndNoFrames() throws IOException {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.message(SyntheticJvmTrace.MAIN, 5, 60, "app.Ui: #1")
                    .waits(SyntheticJvmTrace.MAIN, 10, 40, "worker", SyntheticJvmTrace.WORKER)
                    .slice(SyntheticJvmTrace.WORKER, 0, 45, "sleep", "sleeping")
                    .waits(SyntheticJvmTrace.OTHER, 80, 150, "worker", SyntheticJvmTrace.WORKER);
            Path page = page("jvm", stage.trace());
            open(page);
            assertThat(chosen()).contains("sleeping owner").contains("30.000 ms");
            assertThat(browser.text("return document.getElementById('sort').value"))
                    .isEqualTo("worst");
            assertThat(browser.text("return document.querySelector('.legend').textContent"))
                    .contains("missed message")
                    .doesNotContain("frame", "Priorities");
            assertThat(browser.text("return document.getElementById('panel-summary').textContent"))
                    .contains("messages1 of 1 missed");
            assertThat(browser.text("return document.body.innerText")).doesNotContainIgnoringCase("frame", "screen");
            assertClean(page);
        }
    }

    @Test
    void whatPrioritiesMeanIsSaid() {
        open(example);
        assertThat(browser.text("return document.querySelector('.legend').textContent"))
                .contains("a lower number is a higher priority", "nice 0", "real-time");
        assertThat(browser.text("return document.querySelector('.who').textContent"))
                .contains("priority 110 (nice −10)", "priority 120 (nice 0)");
    }

    @Test
    void thePointerTellsDetails() {
        open(example);
        String before = told();
        browser.drag(".timeline", 0);
        assertThat(told()).isNotEqualTo(before).contains(" ms, from ");
    }

    /**
     * How long things take stands in {@code many.txt} beside the screenshots; asserted is only that the page does not
     * hang.
     */
    @Test
    void tenThousandIncidents() throws IOException {
        Trace trace = HtmlPages.tenThousand();
        List<Incident> incidents = HtmlPages.diagnosis(trace).incidents();
        int all = incidents.size();
        long longHolds = incidents.stream()
                .filter(incident -> incident.verdict() == Verdict.LONG_HOLD)
                .count();
        assertThat(all).isGreaterThan(10_000);
        Path page = page("many", trace);
        open(page);

        String shown = "return document.getElementById('shown').textContent";
        assertThat(browser.text(shown)).isEqualTo(String.format(Locale.ROOT, "%,d incidents", all));
        String elements = "return document.querySelectorAll('*').length";
        assertThat(browser.number(elements)).isLessThan(600);

        browser.run("document.getElementById('list').focus()");
        browser.press(END);
        assertThat(chosen()).contains("incident " + all);
        assertThat(browser.number(
                        "return Number(document.querySelector('[role=option][aria-selected=true]').ariaPosInSet)"))
                .isEqualTo(all);

        browser.run("document.getElementById('filter-text').focus()");
        browser.press("l", "o", "n", "g", "_");
        assertThat(browser.text(shown)).isEqualTo(String.format(Locale.ROOT, "%,d of %,d incidents", longHolds, all));
        assertThat(browser.number(elements)).isLessThan(600);
        assertThat(colours(".timeline")).isGreaterThan(10);
        browser.screenshot(SCREENSHOTS.resolve("many.png"));

        Map<String, Long> millis = new LinkedHashMap<>();
        millis.put(
                "first drawn",
                browser.number("return performance.getEntriesByName('first-contentful-paint')[0].startTime"));
        millis.put("loaded", browser.number("return performance.getEntriesByType('navigation')[0].loadEventEnd"));
        millis.put(
                "a letter in the filter",
                millis("const text = document.getElementById('filter-text'); text.value = 'runnable';"
                        + " text.dispatchEvent(new Event('input', { bubbles: true }))"));
        millis.put(
                "the filter emptied",
                millis("const text = document.getElementById('filter-text'); text.value = '';"
                        + " text.dispatchEvent(new Event('input', { bubbles: true }))"));
        millis.put("the list scrolled", millis("document.getElementById('list').scrollTop = 250000"));
        Files.writeString(SCREENSHOTS.resolve("many.txt"), "milliseconds: " + millis + "\n");
        assertClean(page);
    }

    /** How long something takes until the page has been drawn again. */
    private long millis(String script) {
        return browser.number("const from = performance.now(); " + script
                + "; return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() =>"
                + " done(Math.round(performance.now() - from)))))");
    }

    @Test
    void aHostileTraceRunsNothing() throws IOException {
        Path page = page("hostile", HtmlPages.read(HtmlPages.hostile()));
        open(page);

        assertThat(browser.text("return document.title")).doesNotContain("run");
        assertThat(browser.number("return document.scripts.length")).isEqualTo(2);
        assertThat(browser.number("return document.images.length")).isZero();
        assertThat(chosen()).contains("4.1");
        assertThat(colours(".timeline")).isGreaterThan(10);
        assertThat(browser.number("return document.body.textContent.length")).isLessThan(2_000_000);
        assertThat(browser.text("return document.getElementById('incident').textContent"))
                .contains("<img src=x")
                .contains("[U+202e]")
                .contains("characters)");
        browser.screenshot(SCREENSHOTS.resolve("hostile.png"));
        assertClean(page);
    }

    @ParameterizedTest
    @CsvSource({
        "example-light, 1280, 1150, light",
        "example-dark, 1280, 1150, dark",
        "example-phone, 390, 844, light",
        "example-phone-dark, 390, 844, dark",
    })
    void looks(String name, int width, int height, String scheme) throws IOException {
        browser.open(example, width, height, scheme);
        browser.openTab("incidents");
        assertThat(Files.size(browser.screenshot(SCREENSHOTS.resolve(name + ".png"))))
                .isPositive();
        assertThat(browser.number("return document.documentElement.scrollWidth"))
                .as("nothing is wider than the screen")
                .isLessThanOrEqualTo(width);

        browser.click("[role=option]");
        assertThat(browser.text("return getComputedStyle(document.getElementById('incident')).display"))
                .isEqualTo("block");
        assertThat(browser.number("return document.documentElement.scrollWidth"))
                .isLessThanOrEqualTo(width);
        browser.screenshot(SCREENSHOTS.resolve(name + "-incident.png"));
        String ground = browser.text("return getComputedStyle(document.body).backgroundColor");
        assertThat(ground).isEqualTo(scheme.equals(LIGHT) ? "rgb(246, 248, 250)" : "rgb(13, 17, 23)");
        assertThat(browser.complaints()).isEmpty();
    }

    /** A phone draws no scroll bar: what does not fit would be cut off without a sign. */
    @Test
    void aPhoneShowsTheWholeAnswer() {
        browser.open(example, 390, 844, LIGHT);
        browser.openTab("incidents");
        browser.text("return document.getElementById('answer').textContent = 'What made frames late. '.repeat(60)");
        assertThat(browser.number(
                        "const at = document.getElementById('answer'); return at.scrollHeight - at.clientHeight"))
                .isZero();
    }

    @Test
    void whatAnUnknownOwnerDidHasNoTable() throws IOException {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.slice(
                    SyntheticJvmTrace.MAIN,
                    10,
                    110,
                    "park",
                    "parking on app.Lock (owner tid: 0) blocking from void app.Ui.draw()(Ui:7)");
            open(page("unknown", stage.trace()));
            assertThat(browser.text("return document.querySelector('.story').textContent"))
                    .isEqualTo("The owner is not recorded.");
            assertThat(browser.number("return document.querySelectorAll('table.states').length"))
                    .isZero();
        }
    }

    @Test
    void aRealTrace() throws IOException {
        Path page = page("real", TraceReader.read(RealTraces.file("a15_mokeygo32_startup_cold.perfetto-trace")));
        open(page);
        assertThat(options()).isGreaterThan(5);
        for (String scheme : List.of(LIGHT, "dark")) {
            browser.open(page, 1280, 1150, scheme);
            browser.screenshot(SCREENSHOTS.resolve("real-" + scheme + ".png"));
        }
        assertClean(page);
    }
}
