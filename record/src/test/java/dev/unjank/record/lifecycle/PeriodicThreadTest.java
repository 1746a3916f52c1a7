package dev.unjank.record.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
    void aRoundThatDoesNotEndKeepsNobodyWaitingForEver() throws InterruptedException {
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
