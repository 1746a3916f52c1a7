package dev.unjank.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LinuxThreadsTest {
    /** Larger than any thread id of Linux. */
    private static final int NO_THREAD = Integer.MAX_VALUE;

    @BeforeEach
    void possible() {
        assumeTrue(LinuxThreads.obstacle() == null, LinuxThreads::obstacle);
    }

    /** On a thread of its own, so that nothing is left behind. */
    private static <T> T elsewhere(Supplier<T> work) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                result.complete(work.get());
            } catch (Throwable t) {
                result.completeExceptionally(t);
            }
        });
        return result.get(30, TimeUnit.SECONDS);
    }

    @Test
    void aThreadsNumberIsTheKernels() {
        assertThat(Files.isDirectory(Path.of("/proc/self/task", String.valueOf(LinuxThreads.current()))))
                .isTrue();
    }

    @Test
    void aWorseNiceValueCanAlwaysBeHad() throws Exception {
        Scheduling wanted = new Scheduling(Scheduling.OTHER, 15, 0, false);

        Scheduling had = elsewhere(() -> {
            LinuxThreads.schedule(LinuxThreads.SELF, wanted);
            return LinuxThreads.scheduling(LinuxThreads.current());
        });

        assertThat(had).isEqualTo(wanted);
    }

    @Test
    void whatIsNotPermittedIsAnErrorWithAName() throws Exception {
        boolean mayAll = elsewhere(() -> {
            try {
                return LinuxThreads.schedule(LinuxThreads.SELF, Scheduling.realTime(1));
            } catch (SystemCallException e) {
                assertThat(e).hasMessage("sched_setattr: EPERM");
                return false;
            }
        });

        assertThatThrownBy(() ->
                        elsewhere(() -> LinuxThreads.schedule(LinuxThreads.SELF, new Scheduling(99, 0, 0, false))))
                .cause()
                .hasMessage("sched_setattr: EINVAL");
        assertThat(mayAll).isIn(true, false);
    }

    @Test
    void aMissingThreadHasNoScheduling() {
        assertThat(LinuxThreads.scheduling(NO_THREAD)).isNull();
        assertThat(LinuxThreads.schedule(NO_THREAD, Scheduling.bestNice())).isFalse();
    }

    @Test
    void aThreadRunsOnItsAffinity() throws Exception {
        BitSet all = LinuxThreads.affinity(LinuxThreads.SELF);
        assertThat(all.cardinality()).isPositive();
        int last = all.length() - 1;
        BitSet one = new BitSet();
        one.set(last);

        BitSet before = elsewhere(() -> {
            LinuxThreads.pinTo(LinuxThreads.SELF, one);
            assertThat(LinuxThreads.affinity(LinuxThreads.SELF)).isEqualTo(one);
            assertThat(LinuxThreads.currentProcessor()).isEqualTo(last);
            LinuxThreads.pinTo(LinuxThreads.SELF, all);
            return LinuxThreads.affinity(LinuxThreads.SELF);
        });

        assertThat(before).isEqualTo(all);
    }

    @Test
    void aThreadIsConfinedToTheFirstOfItsProcessors() throws Exception {
        BitSet all = LinuxThreads.affinity(LinuxThreads.SELF);
        BitSet first = new BitSet();
        first.set(all.nextSetBit(0));

        assertThat(elsewhere(() -> {
                    LinuxThreads.setAffinity(1);
                    return LinuxThreads.affinity(LinuxThreads.SELF);
                }))
                .isEqualTo(first);
        assertThat(elsewhere(() -> {
                    LinuxThreads.setAffinity(Integer.MAX_VALUE);
                    return LinuxThreads.affinity(LinuxThreads.SELF);
                }))
                .isEqualTo(all);
        assertThatThrownBy(() -> LinuxThreads.setAffinity(0)).hasMessage("sched_setaffinity: EINVAL");
    }

    @Test
    void anEmptyAffinityIsRefused() {
        assertThatThrownBy(() -> LinuxThreads.pinTo(LinuxThreads.SELF, new BitSet()))
                .hasMessage("sched_setaffinity: EINVAL");
    }
}
