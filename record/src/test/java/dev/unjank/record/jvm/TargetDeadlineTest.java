package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.record.helper.UserFixableException;
import dev.unjank.record.linux.StoppedProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * For how long a target is waited for that does not answer. Where it says that it is stopped, seconds are not spent on
 * it.
 */
class TargetDeadlineTest {
    private static final int PID = 4711;
    private static final Duration END = Duration.ofSeconds(10);
    private static final Duration READING = Duration.ofSeconds(5);
    private static final StoppedProcess PAUSED = new StoppedProcess("is paused", "let it go on");
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    /** The time, of which each look at it takes some. */
    private final AtomicLong now = new AtomicLong();

    private final AtomicReference<@Nullable StoppedProcess> stopped = new AtomicReference<>();

    private final TargetDeadline patience =
            new TargetDeadline(PID, END, READING, stopped::get, () -> now.addAndGet(STEP_NANOS));
    private final CountDownLatch answer = new CountDownLatch(1);
    private final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();

    /** What is answered when the latch is open. */
    private String question() {
        try {
            answer.await();
            return "answer";
        } catch (InterruptedException e) {
            interrupted.complete(true);
            return "none";
        }
    }

    @Test
    void anAnswerIsGivenAndAFailureThrownAsItIs() throws IOException {
        answer.countDown();
        IOException refused = new IOException("refused");
        IllegalStateException mistake = new IllegalStateException("a mistake");

        assertThat(patience.ask(this::question)).isEqualTo("answer");
        assertThatThrownBy(() -> patience.ask(() -> {
                    throw refused;
                }))
                .isSameAs(refused);
        assertThatThrownBy(() -> patience.ask(() -> {
                    throw mistake;
                }))
                .isSameAs(mistake);
    }

    @Test
    void oneThatStandsStillIsNotWaitedForWhileARecordingStarts() throws Exception {
        stopped.set(PAUSED);
        long begun = now.get();

        assertThatThrownBy(() -> patience.ask(this::question))
                .isInstanceOfSatisfying(
                        UserFixableException.class,
                        refusal -> assertThat(refusal.remedy()).isEqualTo("let it go on"))
                .hasMessage("process " + PID + " is paused, and does not answer");
        assertThat(now.get() - begun).as("of 15 s").isLessThan(TimeUnit.SECONDS.toNanos(3));
        assertThat(interrupted.get()).as("the requesting thread is interrupted").isTrue();
        assertThatThrownBy(patience::requireRunning).isInstanceOf(UserFixableException.class);
    }

    @Test
    void oneThatStandsStillIsWaitedForWhileTheRecordingGoesOn() throws Exception {
        stopped.set(PAUSED);
        patience.goOn();
        CompletableFuture<String> asked = CompletableFuture.supplyAsync(() -> {
            try {
                return patience.ask(this::question);
            } catch (IOException e) {
                return String.valueOf(e.getMessage());
            }
        });

        assertThatThrownBy(() -> asked.get(2, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        answer.countDown();
        assertThat(asked.get()).isEqualTo("answer");
    }

    @Test
    void whenTheRecordingEndsWhatIsBeingAskedIsGivenUp() throws Exception {
        stopped.set(PAUSED);
        patience.goOn();
        CompletableFuture<String> asked = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                asked.complete(patience.ask(this::question));
            } catch (IOException e) {
                asked.completeExceptionally(e);
            }
        });
        patience.hurry();

        assertThatThrownBy(asked::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(UserFixableException.class);
    }

    @Test
    void oneThatStandsStillForAnotherReasonIsGivenUpLaterAndThenSoon() {
        patience.hurry();

        long begun = now.get();
        assertThatThrownBy(() -> patience.ask(this::question))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(UserFixableException.class)
                .hasMessageMatching("process 4711 did not answer within [0-9.]+ s");
        long first = now.get() - begun;
        assertThatThrownBy(() -> patience.ask(this::question)).isInstanceOf(IOException.class);
        long second = now.get() - begun - first;

        assertThat(first).isBetween(TimeUnit.SECONDS.toNanos(9), TimeUnit.SECONDS.toNanos(12));
        assertThat(second)
                .as("all questions together have %s, after it each has a moment", END)
                .isLessThan(TimeUnit.SECONDS.toNanos(2));
        assertThat(patience.rest(Duration.ofSeconds(5))).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void whatTheRecorderDoesMeanwhileIsNoWaitForTheTarget() throws IOException {
        patience.hurry();
        now.addAndGet(END.toNanos() - STEP_NANOS);
        answer.countDown();

        assertThat(patience.ask(this::question)).isEqualTo("answer");
        now.addAndGet(END.toNanos());
        assertThat(patience.ask(this::question)).isEqualTo("answer");
        assertThat(patience.rest(END))
                .as("two short questions")
                .isBetween(END.minusNanos(10 * STEP_NANOS), END.minusNanos(2 * STEP_NANOS));
    }

    @Test
    void nothingBeginsOnceTheUserWantsTheEnd() throws IOException {
        patience.requireNotHurrying();
        patience.hurry();

        assertThatThrownBy(patience::requireNotHurrying)
                .hasMessage("the recording was interrupted while it was starting");
    }

    @Test
    void waitsAtTheSameTimeCountOnce() {
        patience.hurry();
        try (TargetDeadline.Wait _ = patience.begin();
                TargetDeadline.Wait _ = patience.begin()) {
            now.addAndGet(Duration.ofSeconds(3).toNanos());
        }

        assertThat(patience.rest(END)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(7));
    }

    @Test
    void readingHasItsOwnTimeAndIsGivenUpBeforeItIsLeftBehind() {
        patience.hurry();
        long begun = now.get();
        AtomicLong givenUp = new AtomicLong();

        assertThatThrownBy(() -> patience.read(this::question, () -> givenUp.set(now.get())))
                .isInstanceOfSatisfying(
                        TargetDeadline.TooLongException.class,
                        e -> assertThat(e.seconds()).isBetween(15.0, 17.0))
                .hasMessageMatching("the recorder did not finish reading within 1[56]\\.[0-9] s");

        assertThat(givenUp.get() - begun)
                .isBetween(
                        END.plus(READING).toNanos(),
                        END.plus(READING).plusSeconds(2).toNanos());
        assertThat(patience.rest(END)).as("no wait for the target").isEqualTo(END);
        answer.countDown();
        assertThat(interrupted.isDone()).as("it may be writing").isFalse();
    }

    @Test
    void readingIsNotHurriedWhileTheRecordingGoesOn() throws IOException {
        now.addAndGet(Duration.ofHours(1).toNanos());
        assertThat(patience.read(
                        () -> {
                            now.addAndGet(Duration.ofHours(1).toNanos());
                            return "read";
                        },
                        () -> {}))
                .isEqualTo("read");
    }
}
