package dev.unjank.record.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Nothing stays open that was read too late. */
class TimedReadTest {
    private final CountDownLatch hasBegun = new CountDownLatch(1);
    private final CountDownLatch isBlocked = new CountDownLatch(1);
    private final CountDownLatch isClosed = new CountDownLatch(1);

    @Test
    void aReadIsGivenUpAtTheLimit() {
        assertThatThrownBy(() -> TimedRead.within(Duration.ofMillis(1), () -> false, "a file", this::opened))
                .isInstanceOf(IOException.class)
                .hasMessage("a file cannot be read in time: the process blocks it");
    }

    @Test
    void aReadIsGivenUpWhenTheRecordingIsToEnd() {
        assertThatThrownBy(() ->
                        TimedRead.within(Duration.ofDays(1), () -> hasBegun.getCount() == 0, "a file", this::opened))
                .isInstanceOf(IOException.class)
                .hasMessage("the recording was interrupted while it was starting");
    }

    @Test
    void whatIsOpenedAfterItIsGivenUpIsClosed() throws Exception {
        CompletableFuture<String> end = new CompletableFuture<>();
        Thread reader = Thread.ofPlatform().start(() -> {
            try (AutoCloseable _ = TimedRead.within(Duration.ofDays(1), () -> false, "a file", this::opened)) {
                end.complete("opened");
            } catch (Exception e) {
                end.complete(String.valueOf(e.getMessage()));
            }
        });
        hasBegun.await();
        reader.interrupt();
        assertThat(end.get()).isEqualTo("interrupted");
        assertThat(isClosed.getCount()).isOne();

        isBlocked.countDown();
        assertThat(isClosed.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whatComesInTimeIsOpen() throws IOException {
        isBlocked.countDown();
        try (AutoCloseable _ = TimedRead.within(Duration.ofDays(1), () -> false, "a file", this::opened)) {
            assertThat(isClosed.getCount()).isOne();
        } catch (Exception e) {
            throw new IOException(e);
        }
        assertThat(isClosed.getCount()).isZero();
    }

    @Test
    void failuresAreThrownAsTheyAre() {
        IOException failure = new IOException("gone");
        assertThatThrownBy(() -> TimedRead.<AutoCloseable>within(Duration.ofDays(1), () -> false, "a file", () -> {
                    throw failure;
                }))
                .isSameAs(failure);
    }

    private AutoCloseable opened() throws InterruptedException {
        hasBegun.countDown();
        isBlocked.await();
        return isClosed::countDown;
    }
}
