package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.unjank.looper.fixture.LogCapture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Logs, dumps and reports name a submitted task by its own class, not by that of the future around it. */
@ParameterizedClass
@EnumSource
class TaskNamesTest {
    private static final String TASK = Task.class.getName();

    /** A task that can be submitted in every way. */
    private final class Task implements Runnable, Callable<String> {
        @Override
        public void run() {
            runs++;
            test.elapse(Duration.ofMillis(20));
            whileRunning.run();
        }

        @Override
        public String call() {
            run();
            return "result";
        }
    }

    @Parameter
    QueueKind kind;

    private TestLooper test;
    private Handler handler;
    private ScheduledExecutorService service;
    private final Task task = new Task();
    private Runnable whileRunning = () -> {};
    private int runs;

    @BeforeEach
    void prepare() {
        test = new TestLooper(kind);
        handler = new Handler(test.looper());
        service = test.looper().asScheduledExecutorService();
    }

    @AfterEach
    void close() {
        test.close();
    }

    /** Submits a task in every way for which the looper wraps it in an object. */
    private List<Runnable> ways() {
        List<Runnable> ways = new ArrayList<>();
        ways.add(() -> keep(handler.submit((Runnable) task)));
        ways.add(() -> keep(handler.submit((Callable<String>) task)));
        ways.add(() -> keep(handler.submitDelayed((Runnable) task, 10)));
        ways.add(() -> keep(handler.submitDelayed((Callable<String>) task, 10)));
        ways.add(() -> service.execute(task));
        ways.add(() -> keep(service.submit((Runnable) task)));
        ways.add(() -> keep(service.submit((Callable<String>) task)));
        ways.add(() -> keep(service.submit(task, "result")));
        ways.add(() -> keep(service.schedule((Runnable) task, 10, TimeUnit.MILLISECONDS)));
        ways.add(() -> keep(service.schedule((Callable<String>) task, 10, TimeUnit.MILLISECONDS)));
        ways.add(() -> keep(service.scheduleAtFixedRate(task, 0, 10, TimeUnit.DAYS)));
        ways.add(() -> keep(service.scheduleWithFixedDelay(task, 0, 10, TimeUnit.DAYS)));
        return ways;
    }

    private static void keep(Future<?> future) {
        assertThat(future).isNotDone();
    }

    private void inEveryWay(Consumer<Message> check) {
        for (Runnable way : ways()) {
            way.run();
            check.accept(test.looper().getQueue().snapshot().get(0));
            handler.removeCallbacksAndMessages(null);
            test.looper().getQueue().remove(m -> true);
        }
    }

    @Test
    void whatWaitsIsListedByIt() {
        inEveryWay(m -> assertThat(test.pending())
                .singleElement()
                .satisfies(p -> assertThat(p.callback()).isEqualTo(Task.class))
                .asString()
                .startsWith(TASK + " of Handler ("));
    }

    @Test
    void aMessageAndItsHandlerNameIt() {
        inEveryWay(m -> {
            assertThat(m).asString().contains(" callback=" + TASK);
            assertThat(m.getTarget().getMessageName(m)).isEqualTo(TASK);
            assertThat(m.getTarget().getTraceName(m)).isEqualTo("dev.unjank.looper.Handler: " + TASK);
        });
    }

    @Test
    void theMessageLogNamesIt() {
        List<String> lines = new ArrayList<>();
        test.looper().setMessageLogging(lines::add);
        for (Runnable way : ways()) {
            way.run();
            test.advanceBy(Duration.ofMillis(50));
        }
        assertThat(lines)
                .hasSize(2 * ways().size())
                .allSatisfy(line -> assertThat(line).contains(TASK));
    }

    @Test
    void theSlowLogNamesItAlsoWhenTheFutureHasLetGoOfIt() {
        test.looper().setSlowLogThresholdMs(20, 0);
        try (LogCapture capture = new LogCapture()) {
            for (Runnable way : ways()) {
                way.run();
                test.advanceBy(Duration.ofMillis(50));
            }
            assertThat(runs).isEqualTo(ways().size());
            assertThat(capture.lines)
                    .hasSize(runs)
                    .allSatisfy(line -> assertThat(line).endsWith("callback " + TASK));
        }
    }

    @Test
    void theWatchdogNamesWhatRunsAndWhatFloods() {
        List<LooperStall> stalls = new ArrayList<>();
        try (LooperWatchdog watchdog = new LooperWatchdog(Duration.ofMillis(15), stalls::add)) {
            watchdog.watch(test.looper());
            whileRunning = watchdog::check;
            keep(handler.submit((Runnable) task));
            test.runUntilIdle();
            assertThat(stalls)
                    .singleElement()
                    .satisfies(s -> assertThat(s.cause()).contains("callback " + TASK + ", sent by "));

            watchdog.check();
            stalls.clear();
            for (int i = 0; i < 3; i++) {
                keep(service.submit((Runnable) task));
            }
            test.elapse(Duration.ofMillis(20));
            watchdog.check();
            assertThat(stalls)
                    .singleElement()
                    .satisfies(s -> assertThat(s.cause())
                            .startsWith("3 due, 3 of 3 examined are Handler (")
                            .contains("callback " + TASK + ", sent by "));
        }
    }

    @Test
    void aTaskWithoutEndIsNamed() {
        test.limit(100, 1_000);
        whileRunning = () -> keep(handler.submit((Runnable) task));
        whileRunning.run();
        assertThatIllegalStateException()
                .isThrownBy(() -> test.advanceBy(Duration.ofDays(1)))
                .withMessageContaining(" times " + TASK + " of Handler (");
    }

    @Test
    void whatRunsWithScissorsIsNamed() throws InterruptedException {
        Thread waiting = new Thread(() -> handler.runWithScissors(task, 0));
        waiting.start();
        while (test.pending().isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(test.pending())
                .singleElement()
                .satisfies(p -> assertThat(p.callback()).isEqualTo(Task.class));
        test.runUntilIdle();
        waiting.join();
        assertThat(runs).isEqualTo(1);
    }
}
