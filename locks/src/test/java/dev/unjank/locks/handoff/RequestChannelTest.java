package dev.unjank.locks.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.linux.LinuxThreads;
import dev.unjank.locks.TestThreads;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RequestChannelTest {

    @ParameterizedTest
    @EnumSource
    void eachRequestHasItsReply(HandoffStrategy strategy) {
        assumeTrue(strategy.obstacle() == null, strategy::obstacle);
        try (RequestChannel<Integer, String> channel = RequestChannel.start(strategy, i -> "reply " + i);
                RequestChannel<Integer, String>.Client client = channel.connect()) {
            for (int i = 0; i < 5_000; i++) {
                assertThat(client.call(i)).isEqualTo("reply " + i);
            }
        }
    }

    @Test
    void anExceptionOfTheFunctionReachesTheClientAndTheServerGoesOn() {
        try (RequestChannel<Integer, Integer> channel = RequestChannel.start(HandoffStrategy.best(), i -> 10 / i);
                RequestChannel<Integer, Integer>.Client client = channel.connect()) {
            assertThatThrownBy(() -> client.call(0))
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(ArithmeticException.class);
            assertThat(client.call(5)).isEqualTo(2);
        }
    }

    @Test
    @SuppressWarnings("NullAway") // the mistake
    void aNullRequestDoesNotReachTheServer() {
        try (RequestChannel<Integer, Integer> channel = RequestChannel.start(HandoffStrategy.best(), i -> i + 1);
                RequestChannel<Integer, Integer>.Client client = channel.connect()) {
            assertThatThrownBy(() -> client.call(null)).isInstanceOf(NullPointerException.class);
            assertThat(client.call(1)).isEqualTo(2);
        }
    }

    @Test
    void oneClientAfterTheOther() throws Exception {
        try (RequestChannel<Integer, Integer> channel = RequestChannel.start(HandoffStrategy.best(), i -> i + 1);
                TestThreads threads = new TestThreads()) {
            try (RequestChannel<Integer, Integer>.Client client = channel.connect()) {
                threads.call(() -> {
                            assertThatThrownBy(channel::connect).isInstanceOf(IllegalStateException.class);
                            assertThatThrownBy(channel::close).isInstanceOf(IllegalStateException.class);
                            assertThatThrownBy(() -> client.call(1)).isInstanceOf(IllegalStateException.class);
                            return null;
                        })
                        .get();
                assertThat(client.call(1)).isEqualTo(2);
            }
            assertThat(threads.call(() -> {
                                try (RequestChannel<Integer, Integer>.Client client = channel.connect()) {
                                    return client.call(2);
                                }
                            })
                            .get())
                    .isEqualTo(3);
        }
    }

    @Test
    void aClientThatEndsWithoutLeavingDoesNotBlockOthers() {
        try (RequestChannel<Integer, Integer> channel = RequestChannel.start(HandoffStrategy.best(), i -> i + 1);
                TestThreads threads = new TestThreads()) {
            TestThreads.Task<Integer> gone =
                    threads.call(() -> channel.connect().call(1));
            assertThat(gone.get()).isEqualTo(2);
            TestThreads.until(() -> !gone.thread().isAlive());

            try (RequestChannel<Integer, Integer>.Client client = channel.connect()) {
                assertThat(client.call(2)).isEqualTo(3);
            }
        }
    }

    @Test
    void noClientConnectsAfterTheClose() {
        RequestChannel<Integer, Integer> channel = RequestChannel.start(HandoffStrategy.best(), i -> i);
        RequestChannel<Integer, Integer>.Client client = channel.connect();
        client.close();
        client.close();
        assertThatThrownBy(() -> client.call(1)).isInstanceOf(IllegalStateException.class);

        channel.close();
        channel.close();

        assertThatThrownBy(channel::connect)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void bothAreOnOneProcessorAsLongAsTheClientIsThere() {
        assumeTrue(HandoffStrategy.SAME_PROCESSOR.obstacle() == null, HandoffStrategy.SAME_PROCESSOR::obstacle);
        BitSet before = LinuxThreads.affinity(LinuxThreads.SELF);
        try (RequestChannel<Integer, BitSet> channel =
                RequestChannel.start(HandoffStrategy.SAME_PROCESSOR, _ -> LinuxThreads.affinity(LinuxThreads.SELF))) {
            try (RequestChannel<Integer, BitSet>.Client client = channel.connect()) {
                BitSet here = LinuxThreads.affinity(LinuxThreads.SELF);
                assertThat(here.cardinality()).isEqualTo(1);
                assertThat(client.call(0)).isEqualTo(here);
            }
            assertThat(LinuxThreads.affinity(LinuxThreads.SELF)).isEqualTo(before);
        }
    }

    @Test
    void virtualThreadsOfOneCarrier() {
        assumeTrue(SingleCarrier.obstacle() == null, SingleCarrier::obstacle);
        try (SingleCarrier carrier = new SingleCarrier();
                RequestChannel<Integer, String> channel = RequestChannel.start(
                        HandoffStrategy.PARKING,
                        carrier,
                        i -> i + Thread.currentThread().toString());
                TestThreads threads = new TestThreads()) {
            Thread[] client = {null};
            TestThreads.Task<String> result = threads.call(() -> {
                CompletableFuture<String> reply = new CompletableFuture<>();
                client[0] = carrier.newThread(() -> {
                    try (RequestChannel<Integer, String>.Client mine = channel.connect()) {
                        for (int i = 0; i < 1_000; i++) {
                            assertThat(mine.call(i)).startsWith(i + "VirtualThread");
                        }
                        reply.complete("all");
                    } catch (Throwable t) {
                        reply.completeExceptionally(t);
                    }
                });
                client[0].start();
                return reply.get();
            });
            assertThat(result.get()).isEqualTo("all");
        }
    }

    @Test
    void aVirtualServerCannotJoinPlatformThreads() {
        assumeTrue(HandoffStrategy.TWO_CALLS.obstacle() == null, HandoffStrategy.TWO_CALLS::obstacle);
        // it waits on its first slot like a platform thread, and then reports why not
        RequestChannel<Integer, Integer> channel = RequestChannel.start(
                HandoffStrategy.TWO_CALLS, Thread.ofVirtual().factory(), i -> i);

        assertThatThrownBy(channel::connect).isInstanceOf(UnsupportedOperationException.class);

        channel.close();
    }
}
