package dev.unjank.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.Handler;
import dev.unjank.looper.Looper;
import dev.unjank.looper.Message;
import dev.unjank.looper.PendingMessage;
import dev.unjank.looper.TestLooper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples of docs/guide/testing.md, which a test here compares with that page. They use only the public API. */
class TestingExampleTest {
    /** Searches when the user has stopped typing. */
    static final class SearchBox {
        private final Handler handler;
        private final Consumer<String> search;
        private final Runnable searchNow = this::searchNow;
        private String text = "";

        SearchBox(Looper looper, Consumer<String> search) {
            this.handler = new Handler(looper);
            this.search = search;
        }

        void type(String newText) {
            text = newText;
            handler.removeCallbacks(searchNow);
            handler.postDelayed(searchNow, 300);
        }

        private void searchNow() {
            search.accept(text);
        }
    }

    @Test
    void searchesWhenTheUserHasStoppedTyping() {
        try (TestLooper test = new TestLooper()) {
            List<String> searches = new ArrayList<>();
            SearchBox box = new SearchBox(test.looper(), searches::add);

            box.type("lo");
            test.advanceBy(Duration.ofMillis(299));
            box.type("loop");
            test.advanceBy(Duration.ofMillis(299));
            assertThat(searches).isEmpty();

            test.advanceBy(Duration.ofMillis(1));
            assertThat(searches).containsExactly("loop");
        }
    }

    /** Loads on one looper and shows on another. */
    static final class Screen {
        private final Handler worker;
        private final Handler ui;
        private final List<String> shown = new ArrayList<>();

        Screen(Looper ui, Looper worker) {
            this.ui = new Handler(ui);
            this.worker = new Handler(worker);
        }

        void open(String name, Function<String, String> load) {
            worker.post(() -> {
                String loaded = load.apply(name);
                ui.post(() -> shown.add(loaded));
            });
        }
    }

    @Test
    void showsWhatTheWorkerHasLoaded() {
        try (TestLooper test = new TestLooper()) {
            Screen screen = new Screen(test.looper(), test.looper());
            screen.open("start", String::toUpperCase);
            assertThat(screen.shown).isEmpty();
            test.runUntilIdle();
            assertThat(screen.shown).containsExactly("START");
        }
    }

    @Test
    void showsWhatAThreadHasLoaded() throws InterruptedException {
        try (TestLooper test = new TestLooper()) {
            Handler ui = new Handler(test.looper());
            List<String> shown = new ArrayList<>();
            Thread loader = new Thread(() -> ui.post(() -> shown.add("loaded")));
            loader.start();
            loader.join();
            test.runUntilIdle();
            assertThat(shown).containsExactly("loaded");
        }
    }

    @Test
    void anExecutorRunsInVirtualTime() {
        try (TestLooper test = new TestLooper()) {
            ScheduledExecutorService executor = test.looper().asScheduledExecutorService();
            List<Instant> beats = new ArrayList<>();
            InstantSource clock = () -> Instant.ofEpochMilli(test.clock().uptimeMillis());
            Future<?> heart = executor.scheduleAtFixedRate(() -> beats.add(clock.instant()), 1, 1, TimeUnit.HOURS);

            test.advanceBy(Duration.ofDays(1));
            assertThat(beats).hasSize(24);
            assertThat(heart).isNotDone();
        }
    }

    @Test
    void aSlowMessageMakesTheNextOneLate() {
        try (TestLooper test = new TestLooper()) {
            Handler handler = new Handler(test.looper());
            List<Long> ticks = new ArrayList<>();
            handler.post(() -> test.elapse(Duration.ofMillis(40)));
            handler.postDelayed(() -> ticks.add(test.clock().uptimeMillis()), 16);

            long start = test.clock().uptimeMillis();
            test.advanceBy(Duration.ofMillis(100));
            assertThat(ticks).containsExactly(start + 40);
        }
    }

    @Test
    void typingAgainReplacesTheSearch() {
        try (TestLooper test = new TestLooper()) {
            test.captureStacks(true);
            SearchBox box = new SearchBox(test.looper(), text -> {});
            box.type("lo");
            test.advanceBy(Duration.ofMillis(100));
            box.type("loop");

            List<PendingMessage> pending = test.pending();
            assertThat(pending).hasSize(1);
            assertThat(pending.get(0).when()).isEqualTo(test.clock().uptimeMillis() + 300);
            assertThat(pending.get(0).postedAt())
                    .extracting(StackTraceElement::getMethodName)
                    .contains("type", "typingAgainReplacesTheSearch");
        }
    }

    @Test
    void aTaskWithoutEndIsNamed() {
        try (TestLooper test = new TestLooper()) {
            test.limit(1_000, 1_000_000);
            Handler handler = new Handler(test.looper()) {
                @Override
                public void handleMessage(Message msg) {
                    sendEmptyMessage(msg.what);
                }
            };
            handler.sendEmptyMessage(7);
            assertThatThrownBy(test::runUntilIdle)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("times what=7 of Handler");
        }
    }

    // One looper for each test, which must be left empty

    private TestLooper looper;

    @BeforeEach
    void makeLooper() {
        looper = new TestLooper();
        looper.requireEmptyOnClose(true);
        looper.captureStacks(true);
    }

    @AfterEach
    void closeLooper() {
        looper.close();
    }

    @Test
    void thePageQuotesThisFile() throws IOException {
        Path root = Path.of(System.getProperty("unjank.root"));
        String page = Files.readString(root.resolve("docs/guide/testing.md"));
        String source = withoutIndentation(
                Files.readString(root.resolve("looper/src/test/java/dev/unjank/example/TestingExampleTest.java")));
        List<String> quotes = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(page)
                .results()
                .map(result -> result.group(1))
                .toList();
        assertThat(quotes)
                .hasSizeGreaterThan(5)
                .allSatisfy(quote -> assertThat(source).contains(withoutIndentation(quote)));
    }

    private static String withoutIndentation(String text) {
        return text.replaceAll("(?m)^ +", "");
    }
}
