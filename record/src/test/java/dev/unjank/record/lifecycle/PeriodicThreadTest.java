package dev.unjank.record.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class PeriodicThreadTest {
    @Test
    void whoeverStartedItIsGivenWhatARoundHasThrown() throws Exception {
        CompletableFuture<Throwable> given = new CompletableFuture<>();
        Error thrown = new StackOverflowError();
        PeriodicThread rounds = PeriodicThread.start(
                "failing",
                () -> {
                    throw thrown;
                },
                given::complete);

        assertThat(given.get(60, TimeUnit.SECONDS)).isSameAs(thrown);
        rounds.stop();
        assertThat(rounds.failure()).isSameAs(thrown);
    }

    @Test
    void itEndsAfterARoundThatHasWaitedForSomethingMeanwhile() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        PeriodicThread rounds = PeriodicThread.start(
                "waiting",
                () -> {
                    begun.countDown();
                    LockSupport.park(); // until stop() lets it go on, as a wait for an answer would use that up
                    return TimeUnit.HOURS.toNanos(1);
                },
                _ -> {});
        begun.await();

        assertThat(rounds.stop(Duration.ofMinutes(1))).isTrue();
    }

    @Test
    void stopWithATimeoutReturnsDespiteAnEndlessRound() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        PeriodicThread rounds = PeriodicThread.start(
                "standing still",
                () -> {
                    begun.countDown();
                    goOn.await();
                    return 0;
                },
                _ -> {});
        begun.await();

        assertThat(rounds.stop(Duration.ofMillis(10))).isFalse();
        goOn.countDown();
        assertThat(rounds.stop(Duration.ofMinutes(1))).isTrue();
        assertThat(rounds.failure()).isNull();
    }
}
