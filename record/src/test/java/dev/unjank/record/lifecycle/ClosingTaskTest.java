package dev.unjank.record.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ClosingTaskTest {
    private final List<String> closed = new ArrayList<>();

    @Test
    void aResultInTimeStaysOpen() throws Exception {
        ClosingTask<String> task = new ClosingTask<>(() -> "opened", closed::add);
        task.run();
        assertThat(task.cancel(true)).isFalse();
        assertThat(task.get()).isEqualTo("opened");
        assertThat(closed).isEmpty();
    }

    /** It is cancelled while it runs, and does not notice the interrupt. */
    @Test
    void aResultAfterTheCancellationIsClosed() {
        AtomicReference<ClosingTask<String>> running = new AtomicReference<>();
        ClosingTask<String> task = new ClosingTask<>(
                () -> {
                    assertThat(running.get().cancel(false)).isTrue();
                    return "opened";
                },
                closed::add);
        running.set(task);
        task.run();
        assertThat(closed).containsExactly("opened");
    }
}
