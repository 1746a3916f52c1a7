package dev.unjank.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PoolTest {

    private static Outcome fine(TraceFile file) {
        return new Outcome(file.name(), file.bytes(), List.of(), null);
    }

    private static TraceFile file(String name) {
        return new TraceFile(name, Path.of(name), 1, false);
    }

    @Test
    void aTraceWithoutEndIsGivenUpAndTheOthersGoOn() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger released = new AtomicInteger();
        List<String> failed = new ArrayList<>();
        List<String> done = new ArrayList<>();
        try (Pool pool = new Pool(
                () -> file -> {
                    if (file.name().startsWith("endless")) {
                        awaitUninterruptibly(end);
                    }
                    return fine(file);
                },
                Duration.ofMillis(50),
                1)) {
            for (String name : new String[] {"endless", "b", "endless too", "c"}) {
                Thread.ofVirtual().start(() -> {
                    try {
                        pool.submit(file(name), released::incrementAndGet);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
            }
            while (done.size() + failed.size() < 4) {
                Outcome outcome = pool.poll(20);
                if (outcome != null) {
                    (outcome.failure() == null ? done : failed).add(outcome.trace());
                    assertThat(outcome.failure()).isIn(null, "took longer than 50 ms");
                }
            }
            assertThat(failed).containsExactlyInAnyOrder("endless", "endless too");
            assertThat(done).containsExactlyInAnyOrder("b", "c");
            assertThat(released).hasValue(4);
            assertThat(pool.stuck()).isEqualTo(2);
            end.countDown();
            while (pool.stuck() > 0) {
                Thread.onSpinWait();
            }
            assertThat(pool.poll(50)).as("what came too late").isNull();
            assertThat(pool.isBusy()).isFalse();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                // a reader of traces does not listen either
            }
        }
    }

    @Test
    void aLargeTraceIsAloneAndTheOthersWait() throws Exception {
        ByteBudget budget = new ByteBudget(1 << 20);
        Runnable small = budget.take(1 << 19);
        Thread large = Thread.ofPlatform().start(() -> {
            try {
                budget.take(1L << 40).run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        while (large.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        small.run();
        large.join();
    }
}
