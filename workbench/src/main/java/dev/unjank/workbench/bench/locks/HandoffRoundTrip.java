package dev.unjank.workbench.bench.locks;

import dev.unjank.workbench.bench.comparison.BenchmarkQuestion;
import dev.unjank.workbench.bench.comparison.BenchmarkTarget;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;

/**
 * Measures the round trip of a handoff between two threads that do not do any other work. The target applies to the
 * handoff to a sleeping thread. Threads that spin for each other, as in an Exchanger on two idle CPUs, are faster than
 * sleeping ones; they are listed for comparison, without a target.
 */
final class HandoffRoundTrip extends BenchmarkQuestion<HandoffMechanism> {
    private static final int TIMES = 5_000;
    private static final double TENTH = 0.1;

    HandoffRoundTrip() {
        super(
                "handoff",
                "round trip between two threads, microseconds",
                List.of(HandoffMechanism.values()),
                List.of(new Row("there and back", BenchmarkTarget.atMost(TENTH, HandoffMechanism.TWO_PROCESSORS))));
    }

    @Override
    public Subject open(HandoffMechanism courier) {
        ThreadFactory threads = courier.threads();
        return _ -> {
            HandoffMechanism.Pair pair = courier.open();
            CompletableFuture<Double> result = new CompletableFuture<>();
            threads.newThread(() -> attempt(result, () -> pair.second(TIMES))).start();
            threads.newThread(() -> attempt(result, () -> {
                        long began = System.nanoTime();
                        pair.first(TIMES);
                        result.complete((System.nanoTime() - began) / 1e3 / TIMES);
                    }))
                    .start();
            return new double[] {result.get()};
        };
    }

    @FunctionalInterface
    private interface Work {
        void run() throws InterruptedException;
    }

    private static void attempt(CompletableFuture<Double> result, Work work) {
        try {
            work.run();
        } catch (InterruptedException | RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }
}
