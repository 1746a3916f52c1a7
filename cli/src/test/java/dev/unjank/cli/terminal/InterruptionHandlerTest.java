package dev.unjank.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** For how long an interrupted command is waited for that does not come to its end. */
class InterruptionHandlerTest {
    private static final Duration SHORT = Duration.ofMillis(1);

    @Test
    void aCommandThatGetsOnIsWaitedFor() {
        AtomicLong asked = new AtomicLong();
        InterruptionHandler interruption = new InterruptionHandler(SHORT);
        interruption.watch(() -> Math.min(asked.incrementAndGet(), 10));

        interruption.run();

        assertThat(interruption.isWanted()).isTrue();
        assertThat(asked).hasValueGreaterThan(10);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongReportIsAwaited() throws InterruptedException {
        InterruptionHandler interruption = new InterruptionHandler(SHORT);
        interruption.awaitEnd();
        Thread hook = Thread.ofPlatform().daemon().start(interruption::run);

        assertThat(hook.join(SHORT.multipliedBy(50))).as("given up").isFalse();
        assertThat(interruption.isWanted()).isTrue();
        hook.interrupt();
    }

    @Test
    void oneThatDoesNotIsGivenUp() {
        InterruptionHandler interruption = new InterruptionHandler(SHORT);
        interruption.run();
        assertThat(interruption.isWanted()).isTrue();
    }

    /** A command that never ends by itself; the signals come before or after the moment from which they end it. */
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "2, 0"})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void theNextSignalEndsTheCommand(int before, int after) throws InterruptedException {
        InterruptionHandler interruption = new InterruptionHandler(SHORT);
        interruption.awaitEnd();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Thread hook = Thread.ofPlatform().daemon().unstarted(interruption::run);
        List<Runnable> signals = List.of(
                () -> {
                    hook.start();
                    interruption.await(Long.MAX_VALUE);
                },
                interruption::signal);
        signals.subList(0, before).forEach(Runnable::run);
        AtomicBoolean isCleaned = new AtomicBoolean();
        interruption.endAtNext(
                Terminal.of(new ByteArrayOutputStream(), err, false, Map.of()), () -> isCleaned.set(true));
        assertThat(before == 2 || !isCleaned.get()).as("not before").isTrue();
        signals.subList(before, before + after).forEach(Runnable::run);

        hook.join();
        assertThat(isCleaned).isTrue();
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("unjank: interrupted before the end\n");
    }
}
