package dev.unjank.doctor.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.model.cause.RootCauses;
import dev.unjank.doctor.report.CauseMessages;
import dev.unjank.doctor.scene.ShopScene;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page's tab of root causes in a real browser: table, lanes, and blocked time by stack. */
class RootCausesInBrowserTest {
    private static final String DOWN = "\ue015";
    private static final String UP = "\ue013";
    private static final String LEFT = "\ue012";
    private static final String RIGHT = "\ue014";
    private static final String HOME = "\ue011";
    private static final String ENTER = "\ue007";
    private static final String ESCAPE = "\ue00c";
    private static final Path SCREENSHOTS = Path.of("target", "page");

    @TempDir
    private static Path folder;

    private static HeadlessBrowser browser;
    private static Path shop;
    private static RootCauses causes;

    @BeforeAll
    static void start() throws IOException {
        browser = HeadlessBrowser.start();
        try (SyntheticJvmTrace stage = shopWithOthers()) {
            shop = page("shop", stage.trace());
            causes = RootCauseFinder.of(HtmlPages.diagnosis(stage.trace()));
        }
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    /** The shop, and threads that wait for monitors. */
    private static SyntheticJvmTrace shopWithOthers() {
        return ShopScene.play()
                .waits(SyntheticJvmTrace.OTHER, 10, 95, "worker", SyntheticJvmTrace.WORKER)
                .parks(SyntheticJvmTrace.MAIN, 100, 130, "ReentrantLock", SyntheticJvmTrace.OTHER);
    }

    private static Path page(String name, Trace trace) throws IOException {
        return Files.writeString(folder.resolve(name + ".html"), HtmlPages.html(trace));
    }

    private static void open(Path page) {
        browser.open(page, 1280, 900, "light");
    }

    private static void openAt(String hash) {
        browser.open(Path.of(shop + hash), 1280, 900, "light");
    }

    private static String text(String selector) {
        return browser.text("return document.querySelector(arguments[0]).textContent", selector)
                .replaceAll("[\u2068\u2069]", "");
    }

    private static List<String> texts(String selector) {
        return ((List<?>) browser.run(
                        "return [...document.querySelectorAll(arguments[0])].map(one => one.textContent)", selector))
                .stream().map(Object::toString).toList();
    }

    private static long number(String selector) {
        return browser.number("return document.querySelectorAll(arguments[0]).length", selector);
    }

    private static String openTab() {
        return browser.text("return document.querySelector('[role=tab][aria-selected=true]').id");
    }

    private static String hash() {
        return browser.text("return location.hash");
    }

    private static List<String> ranks() {
        return texts(".ranking > tbody > tr > td:first-child.number");
    }

    @Test
    void theTabIsTheFirstAndHasTheTable() {
        open(shop);
        assertThat(openTab()).isEqualTo("tab-causes");
        assertThat(texts("[role=tab]").getFirst()).isEqualTo("Root causes");
        assertThat(text("#panel-causes h2"))
                .isEqualTo("Root causes of waits by blocked time of pool threads; share of the reported wait time");
        assertThat(ranks()).hasSize(causes.causes().size()).startsWith("1", "2");
        RootCause first = causes.causes().getFirst();
        assertThat(text(".ranking tbody tr"))
                .contains(CauseMessages.what(first))
                .contains(CauseMessages.where(first))
                .contains("http-worker-# in Shop.writeJournal → http-worker-# in Shop.writeJournal")
                .contains(CauseMessages.share(first.totalNs(), causes.totalNs()));
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void eachColumnSorts() {
        open(shop);
        List<String> byRank = ranks();
        browser.click("[data-column=max] button");
        assertThat(browser.text("return document.querySelector('[data-column=max]').ariaSort"))
                .isEqualTo("descending");
        List<String> expected = causes.causes().stream()
                .sorted((a, b) -> Long.compare(b.maxNs(), a.maxNs()))
                .map(cause -> Integer.toString(cause.rank()))
                .toList();
        assertThat(ranks()).isEqualTo(expected).isNotEqualTo(byRank);
        browser.click("[data-column=max] button");
        assertThat(ranks()).isEqualTo(expected.reversed());
        for (Object column : (List<?>)
                browser.run("return [...document.querySelectorAll('.ranking th')].map(one => one.dataset.column)")) {
            browser.click("[data-column=" + column + "] button");
            assertThat(number(".ranking [aria-sort]")).isOne();
            assertThat(ranks()).containsExactlyInAnyOrderElementsOf(byRank);
        }
        browser.click("[data-column=rank] button");
        assertThat(ranks()).isEqualTo(byRank);
    }

    /** The time of missed frames explains the order; the blocked time of some of the threads is part of the total. */
    @Test
    void theCostOfFramesHasAColumn() throws IOException {
        open(shop);
        assertThat(texts(".ranking th"))
                .containsExactly(
                        "#",
                        "verdict of cause",
                        "what, where",
                        "waits",
                        "threads",
                        "total",
                        "share",
                        "p50",
                        "p95",
                        "max");
        open(page("frames", HtmlPages.example()));
        assertThat(texts(".ranking th")).contains("cost");
        assertThat(text("#panel-causes h2"))
                .endsWith("by cost (wait time in missed frames); share of the reported wait time");
        assertThat(text(".ranking tbody tr")).contains("9.148 ms9.148 ms");
    }

    /** The states are those of the waiters where no thread blocked them. */
    @Test
    void theStatesOfASleepAreTheWaiters() {
        open(shop);
        browser.click(".ranking tr.verdict-SLEPT");
        assertThat(text(".block")).contains("Waiter states").doesNotContain("Owner states");
    }

    @Test
    void aPauseIsOfAllThreads() throws IOException {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.stop(100, 110, "gc", "GC pause: G1New (G1 Evacuation Pause)");
            open(page("pause", stage.trace()));
            assertThat(texts(".ranking tbody tr td:nth-child(5)")).containsExactly("all");
        }
    }

    @Test
    void aClickOpensFactsStacksAndOccurrences() {
        open(shop);
        assertThat(number(".block")).isZero();
        browser.click(".ranking tbody tr");
        assertThat(hash()).isEqualTo("#cause-1");
        RootCause first = causes.causes().getFirst();
        assertThat(text(".block"))
                .contains("Waiter", "http-worker-# (8 threads), in shop.Shop.writeJournal (line 18)")
                .contains("Owner code", "shop.Disk.sync (line 5), sleeping")
                .contains("Next steps", "Release the lock before blocking")
                .contains("Owner states", "sleeping");
        assertThat(texts(".block details:first-of-type .pair > div:nth-child(1) li"))
                .isEqualTo(first.stacks().getFirst().waiter().frames().stream()
                        .map(CauseMessages::frame)
                        .toList())
                .contains("java.util.concurrent.locks.ReentrantLock.lock (line 322)");
        assertThat(texts(".block details:first-of-type .pair > div:nth-child(2) li"))
                .isEqualTo(first.stacks().getFirst().owner().frames().stream()
                        .map(CauseMessages::frame)
                        .toList());
        browser.click(".ranking .cause");
        assertThat(number(".block")).isZero();
    }

    /** The owners of connections and the producer of results, of recorded programs. */
    @ParameterizedTest
    @CsvSource({
        "ExhaustedPool, Holder, 'handler-# (12 threads), which took it in ExhaustedPool.borrow (line 50)', "
                + "'ExhaustedPool$Connection.query (line 17), sleeping'",
        "BusyPool, Producer, 'pricing-0, in BusyPool.computePrice', BusyPool.computePrice"
    })
    void theOwnersOfPoolsAreShown(String program, String label, String owner, String activity)
            throws IOException, UnusableTraceException {
        Path file = Path.of(System.getProperty("unjank.root", ".."), "examples", "causes", program + ".jfr.gz");
        open(page(program, TraceReader.read(file)));
        browser.click(".ranking tbody tr");
        assertThat(text(".block")).contains(label + owner, activity);
    }

    /** From an occurrence to its incident, and back. */
    @Test
    void anOccurrenceLeadsToItsIncident() {
        openAt("#cause-1");
        browser.run("document.querySelector('.block canvas').focus()");
        browser.press(RIGHT, RIGHT);
        String pointed = text(".block .pointed");
        assertThat(pointed).containsPattern("http-worker-\\d blocked for [0-9.]+ ms at [0-9.]+ ms: ");
        browser.press(ENTER);
        assertThat(openTab()).isEqualTo("tab-incidents");
        String length = pointed.replaceAll(".*blocked for ([0-9.]+ ms) at.*", "$1");
        assertThat(text("#incident h2")).contains(length).contains("root cause 1");
        assertThat(hash()).matches("#\\d+");
        browser.click("#incident h2 a");
        assertThat(openTab()).isEqualTo("tab-causes");
        assertThat(number(".block")).isOne();

        openAt("#cause-1");
        clickAt(".block canvas", 0.5);
        assertThat(openTab()).isEqualTo("tab-incidents");
    }

    private static void clickAt(String selector, double part) {
        browser.run("""
                const canvas = document.querySelector(arguments[0]);
                const box = canvas.getBoundingClientRect();
                canvas.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: box.left + box.width * arguments[1], clientY: box.top + 9 }))""", selector, part);
    }

    @Test
    void anAddressLeadsToACause() {
        openAt("#cause-2");
        assertThat(openTab()).isEqualTo("tab-causes");
        assertThat(text(".ranking .open td")).isEqualTo("2");
        browser.run("location.hash = '#2'; return new Promise(done => setTimeout(done))");
        assertThat(openTab()).isEqualTo("tab-incidents");
        assertThat(text("#incident h2")).contains("incident 2");
        browser.run("location.hash = '#cause-1'; return new Promise(done => setTimeout(done))");
        assertThat(text(".ranking .open td")).isEqualTo("1");
    }

    /** The link to an incident works even if the address names it already. */
    @Test
    void theAnswersLinkLeadsToTheIncident() {
        openAt("#1");
        browser.openTab("causes");
        browser.run("document.querySelector('#answer a').href = '#1'");
        browser.click("#answer a");
        assertThat(openTab()).isEqualTo("tab-incidents");
    }

    @ParameterizedTest
    @CsvSource({"'#cause-0'", "'#cause-999'", "'#cause-'", "'#0'", "'#99999999999999999999'", "'#<img src=x>'"})
    void anAddressThatNamesNothingIsIgnored(String hash) {
        openAt(hash);
        assertThat(openTab()).isEqualTo("tab-causes");
        assertThat(number(".block")).isZero();
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void theKeyboardOpensRows() {
        open(shop);
        browser.run("document.querySelector('.ranking .cause').focus()");
        browser.press(DOWN, ENTER);
        assertThat(text(".ranking .open td")).isEqualTo("2");
        assertThat(browser.text("return document.activeElement.ariaExpanded")).isEqualTo("true");
        browser.press(ENTER);
        assertThat(number(".block")).isZero();
        browser.press(UP, ENTER);
        assertThat(text(".ranking .open td")).isEqualTo("1");
    }

    private static List<String> calls() {
        return texts(".call");
    }

    private static double width(String name) {
        return ((Number) browser.run("""
                const box = [...document.querySelectorAll('.call')].find(one => one.textContent.startsWith(arguments[0]));
                return box.getBoundingClientRect().width / document.querySelector('.icicle').clientWidth""", name)).doubleValue();
    }

    @Test
    void theIcicleShowsAllStacksFromTheOutermostCall() {
        open(shop);
        assertThat(calls()).startsWith("all stacks", "Thread.run (line 1)", "Shop.handle (line 15)");
        assertThat(calls()).contains("Shop.writeJournal (line 18)", "Unsafe.park");
        assertThat(width("all stacks")).isBetween(0.99, 1.01);
        RootCause first = causes.causes().getFirst();
        long all = causes.causes().stream()
                .flatMap(cause -> cause.stacks().stream())
                .filter(stack -> !stack.waiter().isEmpty())
                .mapToLong(RootCause.StackTotal::durNs)
                .sum();
        double share = (double) first.totalNs() / all;
        assertThat(width("Shop.writeJournal (line 18)")).isBetween(share - 0.01, share + 0.01);
        assertThat(browser.text("return document.querySelector('.call').ariaLabel"))
                .endsWith(", 100 %");

        select(".graph select", "owner");
        assertThat(calls()).contains("Disk.sync (line 5)").doesNotContain("Unsafe.park");
    }

    private static void select(String selector, String value) {
        browser.run("""
                const select = document.querySelector(arguments[0]);
                select.value = arguments[1];
                select.dispatchEvent(new Event('change'))""", selector, value);
    }

    @Test
    void theIcicleZooms() {
        open(shop);
        browser.run(
                "[...document.querySelectorAll('.call')].find(one => one.textContent.startsWith('Shop.writeJournal (line 18)')).click()");
        assertThat(width("Shop.writeJournal (line 18)")).isBetween(0.99, 1.01);
        assertThat(calls()).startsWith("all stacks", "Thread.run (line 1)", "Shop.handle (line 15)");
        assertThat(number(".call.outer")).isEqualTo(3);
        browser.click(".graph button");
        assertThat(number(".call.outer")).isZero();
        assertThat(browser.text("return String(document.querySelector('.graph button').disabled)"))
                .isEqualTo("true");
    }

    @Test
    void theIcicleHasKeys() {
        open(shop);
        browser.run("document.querySelector('.call').focus()");
        browser.press(DOWN, DOWN);
        assertThat(browser.text("return document.activeElement.textContent")).isEqualTo("Shop.handle (line 15)");
        assertThat(text("#panel-causes > .pointed:last-child")).startsWith("shop.Shop.handle (line 15): ");
        browser.press(DOWN, RIGHT);
        String right = browser.text("return document.activeElement.textContent");
        browser.press(LEFT);
        assertThat(browser.text("return document.activeElement.textContent"))
                .isNotEqualTo(right)
                .startsWith("Shop.writeJournal");
        browser.press(ENTER);
        assertThat(number(".call.outer")).isEqualTo(3);
        browser.press(ESCAPE);
        assertThat(number(".call.outer")).isZero();
        browser.press(DOWN, UP, HOME);
        assertThat(browser.text("return document.activeElement.textContent")).isEqualTo("all stacks");
        assertThat(number(".call[tabindex='0']")).isOne();
    }

    @Test
    void theIcicleSearches() {
        open(shop);
        browser.run("document.querySelector('.graph [type=search]').focus()");
        browser.press("u", "n", "s", "a", "f", "e");
        assertThat(texts(".call.found")).containsExactly("Unsafe.park");
        assertThat(text(".graph span")).matches("[0-9.]+ m?s in matching methods \\(\\d+ %\\)");
        browser.press("x");
        assertThat(number(".call.found")).isZero();
        assertThat(text(".graph span")).isEqualTo("0.000 ms in matching methods (0 %)");
    }

    @Test
    void theIcicleShowsTheOpenCause() {
        openAt("#cause-1");
        select(".graph select:nth-of-type(2)", "cause");
        assertThat(calls()).contains("Unsafe.park").doesNotContain("Disk.sync (line 5)");
        browser.click(".ranking .cause");
        assertThat(calls()).as("none is open").contains("Disk.sync (line 5)");
    }

    /** Two handlers, one with samples; samples of an idle thread and outside of the handlers do not count. */
    private static SyntheticJvmTrace sampledHandlers(SyntheticJvmTrace stage) {
        stage.name(SyntheticJvmTrace.EVENTS, "AWT-EventQueue-0")
                .slice(SyntheticJvmTrace.EVENTS, 20, 100, "method", "app.Window.load")
                .slice(SyntheticJvmTrace.EVENTS, 110, 190, "method", "app.Window.save");
        for (int i = 0; i < 20; i++) {
            stage.sampledStack(
                    SyntheticJvmTrace.EVENTS,
                    22 + 4 * i,
                    i % 4 == 0 ? "app.Hash.update" : "app.Zip.inflate",
                    "app.Window.load");
        }
        return stage.sampledStack(SyntheticJvmTrace.EVENTS, 195, "app.Idle.poll")
                .sampledStack(SyntheticJvmTrace.WORKER, 50, "app.Job.run");
    }

    @Test
    void samplesOfDelaysAreAGraphOfTheirOwn() throws IOException {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            Path page = page("samples", sampledHandlers(stage).trace());
            open(page);
            assertThat(text(".graph select option:checked")).isEqualTo("CPU samples");
            assertThat(texts("#panel-causes > h2")).contains("CPU samples by stack");
            assertThat(calls()).containsExactlyInAnyOrder("all stacks", "Window.load", "Zip.inflate", "Hash.update");
            assertThat(width("Zip.inflate")).isBetween(0.74, 0.76);
            assertThat(browser.text("return document.querySelector('.call').ariaLabel"))
                    .isEqualTo("all stacks, 20 samples, 100 %");

            select(".graph select", "waiter");
            assertThat(texts("#panel-causes > h2")).contains("Blocked time by stack");

            browser.open(Path.of(page + "#cause-2"), 1280, 900, "light");
            select(".graph select", "onCpu");
            select(".graph select:nth-of-type(2)", "cause");
            assertThat(text("#panel-causes > .pointed:last-child"))
                    .startsWith("No stacks of running threads are recorded for this selection.");
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void aFrameDelayedByItsOwnWorkHasItsSamplesWithoutARootCause() throws IOException {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            stage.message(SyntheticJvmTrace.MAIN, 20, 100, "app.Ui: #1");
            for (int i = 0; i < 12; i++) {
                stage.sampledStack(SyntheticJvmTrace.MAIN, 22 + 4 * i, "app.Ui.draw");
            }
            open(page("own-work", stage.trace()));
            browser.click("#tab-stacks");
            assertThat(calls()).containsExactly("all stacks", "Ui.draw");
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void withoutStacksOneLineNamesWhatToRecord() throws IOException {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            open(page(
                    "no-stacks",
                    stage.waits(SyntheticJvmTrace.MAIN, 10, 40, "worker", SyntheticJvmTrace.WORKER)
                            .trace()));
            assertThat(number(".icicle, .graph")).isZero();
            assertThat(text("#panel-causes > .note:last-child"))
                    .isEqualTo("No stacks are recorded. Record with unjank record, or with Flight Recorder and "
                            + "settings=profile or default.");
        }
    }

    @Test
    void aLanePerGroupLeadsToItsCause() {
        open(shop);
        assertThat(texts(".group").getFirst()).contains("http-worker-#", "8 threads");
        assertThat(number(".group")).isEqualTo(3);
        assertThat(browser.number("""
                const canvas = document.querySelector('.group canvas');
                const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                return new Set(new Uint32Array(data.buffer)).size""")).isGreaterThan(1);
        browser.run("document.querySelectorAll('.group canvas')[0].focus()");
        browser.press(RIGHT, RIGHT, ENTER);
        assertThat(text(".ranking .open .cause")).contains("ReentrantLock");
        assertThat(hash()).startsWith("#cause-");
        clickAt(".group:nth-child(2) canvas", 0.2);
        assertThat(number(".block")).isOne();
        assertThat(browser.complaints()).isEmpty();
    }

    /** Each lane's height at a moment is the share of the group's threads that are blocked. */
    @Test
    void aLaneAddsUpBlockedThreads() {
        open(shop);
        assertThat(browser.text("""
                const report = { dur: 100, incidents: { at: [0, 10, 95], dur: [40, 20, 5], verdict: [0, 0, 1] },
                  verdicts: { A: { rank: 0 }, B: { rank: 1 } }, text: index => "AB"[index] };
                const { counts } = new BlockedThreads(report, [0, 1, 2], 10);
                return [...counts.values()].map(({ count }) => [...count.slice(0, 10)].join(" ")).join("; ")""")).isEqualTo("1 2 2 1 0 0 0 0 0 0; 0 0 0 0 0 0 0 0 0 0.5");
    }

    @Test
    void hostileNamesAreText() throws IOException {
        Path page = page("hostile", HtmlPages.read(HtmlPages.hostile()));
        open(page);
        browser.click(".ranking tbody tr");
        assertThat(text(".block")).contains("<img src=x").contains("characters)");
        assertThat(browser.text("return document.title")).doesNotContain("run");
        assertThat(browser.number("return document.images.length")).isZero();
        assertThat(browser.number("return document.scripts.length")).isEqualTo(2);
        assertThat(browser.complaints()).isEmpty();

        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            String hostile = HtmlPages.HOSTILE.replace("(", "[") + "\u202e";
            stage.withStack(
                    SyntheticJvmTrace.MAIN,
                    10,
                    40,
                    "monitor",
                    "monitor contention with owner worker (102) at void A.a()(A:1) waiters=0 blocking from void B.b()(B:1)",
                    "void " + hostile + ".x()(A:1)\nvoid a.b.C.y()(" + hostile + ":2)");
            open(page("hostile-stack", stage.trace()));
            assertThat(texts(".call").toString())
                    .contains("</script><script>", "\\u202e")
                    .doesNotContain("\u202e");
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void withoutIncidentsThereIsNoTab() throws IOException {
        open(page("nothing", HtmlPages.read(HtmlPages.nothing())));
        assertThat(texts("[role=tab]")).containsExactly("Incidents", "Summary");
        assertThat(browser.complaints()).isEmpty();
    }

    /** The ten most expensive of more root causes are shown at first; an address leads to any. */
    @Test
    void manyCausesAreShownOnDemand() throws IOException {
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            for (int lock = 0; lock < 14; lock++) {
                String name = "monitor contention with owner worker (102) waiters=0 lock=app.Store"
                        + (char) ('A' + lock) + " blocking from void app.Ui.draw()(Ui:7)";
                stage.slice(SyntheticJvmTrace.MAIN, 10 * lock, 10 * lock + 5, "", name);
            }
            Path page = page("many-causes", stage.trace());
            open(page);
            assertThat(ranks()).hasSize(10);
            browser.click("#panel-causes > button");
            assertThat(ranks()).hasSize(14);
            browser.open(Path.of(page + "#cause-13"), 1280, 900, "light");
            assertThat(text(".ranking .open td")).isEqualTo("13");
        }
    }

    @ParameterizedTest
    @CsvSource({"light, 1200", "dark, 1200", "light, 390"})
    void looks(String scheme, int width) throws IOException {
        browser.open(Path.of(shop + "#cause-1"), width, 1600, scheme);
        browser.screenshot(SCREENSHOTS.resolve("causes-" + scheme + "-" + width + ".png"));
        assertThat(browser.number("return document.documentElement.scrollWidth"))
                .isLessThanOrEqualTo(width);
    }

    /** The size is asserted; how long it takes to open is printed, and bounded so that a busy machine passes. */
    @Test
    void sevenThousandIncidentsOpenQuickly() throws IOException {
        Path page;
        int incidents;
        try (SyntheticJvmTrace stage = ShopScene.playLong(3_537)) {
            page = page("long", stage.trace());
            incidents = HtmlPages.diagnosis(stage.trace()).incidents().size();
        }
        assertThat(incidents).isGreaterThanOrEqualTo(7_072);
        assertThat(Files.size(page)).isLessThan(4_000_000);
        open(page);
        long opened = browser.number("return performance.getEntriesByName('ready')[0].startTime");
        long drawn = browser.number("return performance.getEntriesByName('first-contentful-paint')[0].startTime");
        long moved = browser.number("""
                const canvas = document.querySelector('.group canvas');
                const from = performance.now();
                for (let x = 0; x < 500; x += 5) canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: 300 + x, clientY: 0 }));
                return (performance.now() - from) / 100""");
        String figures = "%,d incidents: %,d kB, opened in %d ms, first drawn after %d ms, a move over a lane %d ms"
                .formatted(incidents, Files.size(page) / 1000, opened, drawn, moved);
        System.out.println(figures);
        Files.createDirectories(SCREENSHOTS);
        Files.writeString(SCREENSHOTS.resolve("long.txt"), figures + "\n", StandardCharsets.UTF_8);
        assertThat(opened).isLessThan(20_000);
        assertThat(browser.complaints()).isEmpty();
    }
}
