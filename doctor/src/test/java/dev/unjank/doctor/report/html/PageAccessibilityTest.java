package dev.unjank.doctor.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.scene.ShopScene;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page for those who read it on a phone, with the keyboard alone, or by ear. */
class PageAccessibilityTest {
    private static final String TAB = "\ue004";
    private static final Set<String> NAMED_ROLES = Set.of(
            "button",
            "searchbox",
            "spinbutton",
            "combobox",
            "listbox",
            "option",
            "tree",
            "treeitem",
            "tab",
            "tabpanel",
            "tablist",
            "application",
            "toolbar",
            "search",
            "table",
            "group");

    @TempDir
    private static Path folder;

    private static HeadlessBrowser browser;
    private static Path example;
    private static Path shop;

    @BeforeAll
    static void start() throws IOException {
        browser = HeadlessBrowser.start();
        example = Files.writeString(folder.resolve("example.html"), HtmlPages.html(HtmlPages.example()));
        try (SyntheticJvmTrace stage = ShopScene.play()) {
            shop = Files.writeString(folder.resolve("shop.html"), HtmlPages.html(stage.trace()));
        }
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    private static void open(int width) {
        browser.open(example, width, 844, "light");
        browser.openTab("incidents");
    }

    /** Opens the first root cause. */
    private static void openCause(int width) {
        browser.open(Path.of(shop + "#cause-1"), width, 844, "light");
    }

    private static String shown() {
        return browser.text("return document.querySelector('.timeline').dataset.shown");
    }

    private static String told() {
        return browser.text("return document.querySelector('.pointed').textContent");
    }

    /** The elements that a selector finds and that lie beyond an edge of the screen, or of what they stand in. */
    private static List<?> clipped(String selector) {
        return (List<?>) browser.run("""
                return [...document.querySelectorAll(arguments[0])].filter(one => {
                  const box = one.getBoundingClientRect();
                  const around = one.parentElement.getBoundingClientRect();
                  return box.width > 0 && (box.left < 0 || box.right > innerWidth + 0.5 || box.right > around.right + 0.5
                    || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline');
                }).map(one => one.outerHTML.slice(0, 120))""", selector);
    }

    @ParameterizedTest
    @ValueSource(ints = {320, 390, 1280})
    void tabsAndTimesAreWhole(int width) {
        open(width);
        assertThat(clipped("[role=tab]")).isEmpty();
        browser.run(
                "document.querySelectorAll('.first .badge').forEach(one => one.textContent = 'GC blocked by critical')");
        assertThat(clipped(".first b, .first .dim")).isEmpty();
        for (String tab : List.of("frames", "summary")) {
            browser.click("#tab-" + tab);
            assertThat(clipped("#panel-" + tab + " td, #panel-" + tab + " dd, #panel-" + tab + " h3"))
                    .isEmpty();
            assertThat(browser.number("return document.documentElement.scrollWidth"))
                    .isLessThanOrEqualTo(width);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {320, 390, 1280})
    void rootCausesAreWhole(int width) {
        openCause(width);
        assertThat(
                        clipped(
                                "[role=tab], .ranking th, .ranking td, .block dd, .block h3, .block li, .group > *, .graph > *"))
                .isEmpty();
        assertThat(browser.number("return document.documentElement.scrollWidth"))
                .isLessThanOrEqualTo(width);
    }

    /** On a phone a long list scrolls with the page: there is no room for a window in a window. */
    @Test
    void aLongListScrollsWithThePageOnAPhone() throws IOException {
        Path many = Files.writeString(folder.resolve("many.html"), HtmlPages.html(HtmlPages.tenThousand()));
        browser.open(many, 390, 844, "light");
        browser.openTab("incidents");
        assertThat(browser.number(
                        "const list = document.querySelector('#list'); return list.scrollHeight - list.clientHeight"))
                .isLessThanOrEqualTo(2);
        assertThat(browser.number("return document.querySelectorAll('[role=option]').length"))
                .isBetween(1L, 60L);
        browser.run("scrollTo(0, 300000); dispatchEvent(new Event('scroll'))");
        long seen = browser.number("""
                return Number([...document.querySelectorAll('[role=option]')].filter(one => {
                  const box = one.getBoundingClientRect();
                  return box.top >= 0 && box.bottom <= innerHeight;
                })[3].dataset.place)""");
        assertThat(seen).isGreaterThan(5_000);
        browser.click("[data-place='" + seen + "']");
        assertThat(browser.number("return scrollY")).isZero();
        browser.click(".back");
        assertThat(browser.number("""
                const box = document.querySelector("[aria-selected='true'][role=option]").getBoundingClientRect();
                return box.top >= 0 && box.bottom <= innerHeight + 1 ? 1 : 0""")).isOne();
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void aPinchZooms() {
        open(390);
        browser.click("[role=option]");
        String whole = shown();
        browser.pinch(".timeline", 30, 120);
        String nearer = shown();
        assertThat(nearer).isNotEqualTo(whole);
        browser.pinch(".timeline", 150, 20);
        assertThat(shown()).isEqualTo(whole);
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void thePointerTellsWhatItIsAtWithoutAClick() {
        open(1280);
        String hint = told();
        browser.hover(".timeline", 0, 0);
        String there = told();
        assertThat(there).isNotEqualTo(hint).contains(" ms, from ");
        browser.hover("h1", 0, 0);
        assertThat(told()).isEqualTo(hint);
    }

    /** From the beginning of the page the tab key comes by everything that a mouse can reach, and out again. */
    @Test
    void theTabKeyComesByEverything() {
        open(1280);
        comesByEverything();
        openCause(1280);
        comesByEverything();
    }

    private static void comesByEverything() {
        browser.run("document.activeElement.blur()");
        long all = browser.number("""
                const all = [...document.querySelectorAll('button, input, select, summary, [tabindex]')].filter(one =>
                  one.tabIndex >= 0 && !one.disabled && one.getClientRects().length > 0);
                all.forEach((one, index) => one.dataset.reach = index);
                return all.length""");
        Set<String> reached = new HashSet<>();
        for (int i = 0; i <= all + 1; i++) { // the tab that was clicked comes last
            browser.press(TAB);
            reached.add(browser.text("return document.activeElement.dataset.reach ?? ''"));
        }
        reached.remove("");
        assertThat(reached).hasSize(Math.toIntExact(all));
        assertThat(all).isGreaterThan(15);
    }

    /** What a screen reader is given: each control has its role and a name. */
    @ParameterizedTest
    @CsvSource({"390", "1280"})
    void everyControlHasARoleAndAName(int width) {
        open(width);
        browser.click("[role=option]");
        List<String> roles = namedRoles();
        assertThat(roles)
                .contains(
                        "tablist", "tab", "tabpanel", "application", "toolbar", "button", "heading", "status", "table");
        if (width > 800) { // on a phone the incident has taken the list's place
            assertThat(roles).contains("search", "searchbox", "spinbutton", "combobox", "listbox", "option");
        }
    }

    @ParameterizedTest
    @CsvSource({"390", "1280"})
    void rootCausesHaveRolesAndNames(int width) {
        openCause(width);
        assertThat(namedRoles())
                .contains(
                        "table", "columnheader", "tree", "treeitem", "application", "searchbox", "combobox", "status");
        assertThat(browser.text("return document.querySelector('.call:last-child').ariaLabel"))
                .matches(".+, [0-9.]+ m?s, \\d+ %");
    }

    /** The roles on the page; each that needs a name has one. */
    private static List<String> namedRoles() {
        List<String> roles = new ArrayList<>();
        List<String> nameless = new ArrayList<>();
        for (Map<?, ?> node : accessible()) {
            String role = value(node.get("role"));
            String name = value(node.get("name"));
            roles.add(role);
            if (NAMED_ROLES.contains(role) && name.isBlank()) {
                nameless.add(role + " " + node.get("backendDOMNodeId"));
            }
        }
        assertThat(nameless).isEmpty();
        return roles;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void controlsAreLargeEnoughForAFinger(boolean ofCauses) {
        for (int width : List.of(390, 1280)) {
            if (ofCauses) {
                openCause(width);
            } else {
                open(width);
            }
            int least = width < 800 ? 30 : 24;
            assertThat((List<?>) browser.run("""
                    return [...document.querySelectorAll('button, input, select')]
                      .filter(one => one.getClientRects().length > 0 && one.getBoundingClientRect().height < arguments[0])
                      .map(one => one.outerHTML.slice(0, 120))""", least)).isEmpty();
        }
    }

    /** The nodes of the accessibility tree that are not left out of it. */
    private static List<Map<?, ?>> accessible() {
        Map<?, ?> tree = (Map<?, ?>) browser.devTools("Accessibility.getFullAXTree", Map.of());
        List<Map<?, ?>> nodes = new ArrayList<>();
        for (Object node : (List<?>) tree.get("nodes")) {
            if (!Boolean.TRUE.equals(((Map<?, ?>) node).get("ignored"))) {
                nodes.add((Map<?, ?>) node);
            }
        }
        return nodes;
    }

    private static String value(Object property) {
        return property instanceof Map<?, ?> map && map.get("value") != null
                ? map.get("value").toString()
                : "";
    }
}
