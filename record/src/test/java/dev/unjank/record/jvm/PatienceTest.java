package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.record.linux.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** For how long a target is waited for that does not answer. Where it says that it is stopped, seconds are not spent on it. */
@Timeout(60)
class PatienceTest {
    private static final int PID = 4711;
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    @TempDir
    private Path folder;

    /** The time, of which each look at it takes some. */
    private final AtomicLong now = new AtomicLong();

    private Patience patience;
    private final CountDownLatch answer = new CountDownLatch(1);
    private final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();

    @BeforeEach
    void target() throws IOException {
        Files.createDirectory(folder.resolve(Integer.toString(PID)));
        patience = new Patience(new Proc(folder), PID, () -> now.addAndGet(STEP_NANOS));
        state('S');
    }

    private void state(char letter) throws IOException {
        Files.writeString(folder.resolve(Integer.toString(PID)).resolve("stat"), PID + " (a) b) " + letter + " 1 1\n");
    }

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
    void oneThatIsStoppedIsNotWaitedForWhileARecordingStarts() throws Exception {
        state('T');
        long begun = now.get();

        assertThatThrownBy(() -> patience.ask(this::question))
                .isInstanceOfSatisfying(
                        RefusalException.class,
                        refusal -> assertThat(refusal.remedy()).isEqualTo("let it go on: kill -CONT " + PID))
                .hasMessage("process " + PID + " is stopped, by a signal or a debugger, and does not answer");
        assertThat(now.get() - begun).as("of 15 s").isLessThan(TimeUnit.SECONDS.toNanos(3));
        assertThat(interrupted.get()).as("who asks is told to give up").isTrue();
        assertThatThrownBy(patience::requireGoing).isInstanceOf(RefusalException.class);
    }

    @Test
    void oneThatIsStoppedIsWaitedForWhileTheRecordingGoesOn() throws Exception {
        state('t');
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
        state('T');
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
                .hasCauseInstanceOf(RefusalException.class);
    }

    @Test
    void oneThatStandsStillForAnotherReasonIsGivenUpLaterAndThenSoon() {
        patience.hurry();

        long begun = now.get();
        assertThatThrownBy(() -> patience.ask(this::question))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(RefusalException.class)
                .hasMessageMatching("process 4711 has not answered for [0-9]+ s");
        long first = now.get() - begun;
        assertThatThrownBy(() -> patience.ask(this::question)).isInstanceOf(IOException.class);
        long second = now.get() - begun - first;

        assertThat(first).isGreaterThan(TimeUnit.SECONDS.toNanos(9));
        assertThat(second).as("after %d ns", first).isLessThan(first / 2);
    }
}
