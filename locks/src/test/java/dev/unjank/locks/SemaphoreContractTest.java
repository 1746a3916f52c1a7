package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.Serializable;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of a semaphore of java.util.concurrent. */
@ParameterizedClass
@EnumSource
class SemaphoreContractTest {
    /** A semaphore under these tests. */
    interface Subject {
        void acquire(int permits) throws InterruptedException;

        void acquireUninterruptibly(int permits);

        boolean tryAcquire(int permits);

        boolean tryAcquire(int permits, long time, TimeUnit unit) throws InterruptedException;

        void release(int permits);

        int available();

        int drain();

        void reduce(int permits);

        Collection<Thread> queued();
    }

    /** The semaphores under the contract. */
    enum Kind {
        VIP {
            @Override
            Subject make(int permits) {
                return new Vip(new VipSemaphore(permits));
            }
        },
        JDK {
            @Override
            Subject make(int permits) {
                return new Jdk(new Queue(permits, false));
            }
        },
        FAIR_JDK {
            @Override
            Subject make(int permits) {
                return new Jdk(new Queue(permits, true));
            }
        };

        abstract Subject make(int permits);
    }

    private record Vip(VipSemaphore semaphore) implements Subject {
        @Override
        public void acquire(int permits) throws InterruptedException {
            if (permits == 1) {
                semaphore.acquire();
            } else {
                semaphore.acquire(permits);
            }
        }

        @Override
        public void acquireUninterruptibly(int permits) {
            if (permits == 1) {
                semaphore.acquireUninterruptibly();
            } else {
                semaphore.acquireUninterruptibly(permits);
            }
        }

        @Override
        public boolean tryAcquire(int permits) {
            return permits == 1 ? semaphore.tryAcquire() : semaphore.tryAcquire(permits);
        }

        @Override
        public boolean tryAcquire(int permits, long time, TimeUnit unit) throws InterruptedException {
            return permits == 1 ? semaphore.tryAcquire(time, unit) : semaphore.tryAcquire(permits, time, unit);
        }

        @Override
        public void release(int permits) {
            if (permits == 1) {
                semaphore.release();
            } else {
                semaphore.release(permits);
            }
        }

        @Override
        public int available() {
            return semaphore.availablePermits();
        }

        @Override
        public int drain() {
            return semaphore.drainPermits();
        }

        @Override
        public void reduce(int permits) {
            semaphore.reducePermits(permits);
        }

        @Override
        public Collection<Thread> queued() {
            return semaphore.getQueuedThreads();
        }

        @Override
        public String toString() {
            return semaphore.toString();
        }
    }

    private static final class Queue extends Semaphore {
        private static final long serialVersionUID = 1;

        Queue(int permits, boolean isFair) {
            super(permits, isFair);
        }

        void reduce(int permits) {
            reducePermits(permits);
        }

        Collection<Thread> queued() {
            return getQueuedThreads();
        }
    }

    private record Jdk(Queue semaphore) implements Subject {
        @Override
        public void acquire(int permits) throws InterruptedException {
            semaphore.acquire(permits);
        }

        @Override
        public void acquireUninterruptibly(int permits) {
            semaphore.acquireUninterruptibly(permits);
        }

        @Override
        public boolean tryAcquire(int permits) {
            return semaphore.tryAcquire(permits);
        }

        @Override
        public boolean tryAcquire(int permits, long time, TimeUnit unit) throws InterruptedException {
            return semaphore.tryAcquire(permits, time, unit);
        }

        @Override
        public void release(int permits) {
            semaphore.release(permits);
        }

        @Override
        public int available() {
            return semaphore.availablePermits();
        }

        @Override
        public int drain() {
            return semaphore.drainPermits();
        }

        @Override
        public void reduce(int permits) {
            semaphore.reduce(permits);
        }

        @Override
        public Collection<Thread> queued() {
            return semaphore.queued();
        }

        @Override
        public String toString() {
            return semaphore.toString();
        }
    }

    @Parameter
    Kind kind;

    private static Thread waiting(TestThreads threads, Subject subject, TestThreads.Action action) {
        Thread thread = threads.start(action).thread();
        TestThreads.until(() -> subject.queued().contains(thread) && TestThreads.sleeps(thread));
        return thread;
    }

    @Test
    void aNewOneHasItsPermits() {
        for (int permits : new int[] {-2, 0, 1, 42, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            Subject subject = kind.make(permits);
            assertThat(subject.available()).isEqualTo(permits);
            assertThat(subject.toString()).contains("Permits = " + permits);
            assertThat(subject.queued()).isEmpty();
        }
    }

    @Test
    void whatIsThereCanBeHadAndNoMore() throws Exception {
        Subject subject = kind.make(5);
        subject.acquire(1);
        subject.acquireUninterruptibly(1);
        assertThat(subject.tryAcquire(2)).isTrue();
        assertThat(subject.tryAcquire(2)).isFalse();
        assertThat(subject.tryAcquire(1, 1, TimeUnit.DAYS)).isTrue();
        assertThat(subject.available()).isZero();
        assertThat(subject.tryAcquire(1)).isFalse();
        assertThat(subject.tryAcquire(0)).isTrue();
        subject.release(5);
        assertThat(subject.available()).isEqualTo(5);
        subject.release(1);
        assertThat(subject.available()).isEqualTo(6); // a release needs no acquire before
    }

    @Test
    void lessThanNothingIsRefused() {
        Subject subject = kind.make(1);
        assertThatIllegalArgumentException().isThrownBy(() -> subject.acquire(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> subject.acquireUninterruptibly(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> subject.tryAcquire(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> subject.tryAcquire(-1, 1, TimeUnit.SECONDS));
        assertThatIllegalArgumentException().isThrownBy(() -> subject.release(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> subject.reduce(-1));
        assertThat(subject.available()).isEqualTo(1);
    }

    @Test
    void thereCannotBeMoreThanAnIntegerHolds() {
        Subject most = kind.make(Integer.MAX_VALUE);
        assertThatExceptionOfType(Error.class).isThrownBy(() -> most.release(1));
        Subject least = kind.make(Integer.MIN_VALUE);
        assertThatExceptionOfType(Error.class).isThrownBy(() -> least.reduce(1));
        assertThat(most.available()).isEqualTo(Integer.MAX_VALUE);
        assertThat(least.available()).isEqualTo(Integer.MIN_VALUE);
    }

    @Test
    void aWaiterGetsTheReleasedPermits() {
        Subject subject = kind.make(0);
        List<TestThreads.Action> ways = List.of(
                () -> subject.acquire(1),
                () -> subject.acquireUninterruptibly(1),
                () -> assertThat(subject.tryAcquire(1, Long.MAX_VALUE, TimeUnit.DAYS))
                        .isTrue(),
                () -> subject.acquire(3),
                () -> subject.acquireUninterruptibly(3),
                () -> assertThat(subject.tryAcquire(3, 1, TimeUnit.DAYS)).isTrue());
        for (int i = 0; i < ways.size(); i++) {
            try (TestThreads threads = new TestThreads()) {
                waiting(threads, subject, ways.get(i));
                subject.release(i < 3 ? 1 : 2);
                if (i >= 3) {
                    assertThat(subject.queued()).hasSize(1);
                    subject.release(1);
                }
            }
            assertThat(subject.available()).isZero();
        }
    }

    @Test
    void waitersCanBeSeen() {
        VipSemaphore semaphore = new VipSemaphore(0);
        Subject subject = new Vip(semaphore);
        assertThat(semaphore.hasQueuedThreads()).isFalse();
        assertThat(semaphore.getQueueLength()).isZero();
        try (TestThreads threads = new TestThreads()) {
            waiting(threads, subject, () -> subject.acquire(1));
            waiting(threads, subject, () -> subject.acquire(1));
            assertThat(semaphore.hasQueuedThreads()).isTrue(); // they sleep: nothing changes between the looks
            assertThat(semaphore.getQueueLength()).isEqualTo(2);
            semaphore.release(2);
        }
        assertThat(semaphore.hasQueuedThreads()).isFalse();
        assertThat(semaphore.getQueueLength()).isZero();
    }

    @Test
    void oneReleaseMayBeForMany() {
        Subject subject = kind.make(0);
        try (TestThreads threads = new TestThreads()) {
            for (int i = 0; i < 5; i++) {
                waiting(threads, subject, () -> subject.acquire(2));
            }
            assertThat(subject.queued()).hasSize(5);
            subject.release(11);
        }
        assertThat(subject.available()).isEqualTo(1);
        assertThat(subject.queued()).isEmpty();
    }

    @Test
    void timeEndsAWaitAndNotBefore() {
        Subject subject = kind.make(1);
        try (TestThreads threads = new TestThreads()) {
            threads.start(() -> {
                long start = System.nanoTime();
                assertThat(subject.tryAcquire(2, LockContractTest.SHORT_MILLIS, TimeUnit.MILLISECONDS))
                        .isFalse();
                assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(LockContractTest.SHORT_MILLIS * 1_000_000);
                assertThat(subject.tryAcquire(2, 0, TimeUnit.SECONDS)).isFalse();
                assertThat(subject.tryAcquire(2, Long.MIN_VALUE, TimeUnit.DAYS)).isFalse();
            });
        }
        assertThat(subject.available()).isEqualTo(1);
        assertThat(subject.queued()).isEmpty();
    }

    @Test
    void anInterruptEndsAWaitThatAllowsIt() {
        Subject subject = kind.make(0);
        List<TestThreads.Action> ways = List.of(
                () -> subject.acquire(1), () -> subject.acquire(3), () -> subject.tryAcquire(1, 1, TimeUnit.DAYS));
        for (TestThreads.Action way : ways) {
            try (TestThreads threads = new TestThreads()) { // the next one would take what this one releases
                waiting(threads, subject, () -> {
                            assertThatThrownBy(way::run).isInstanceOf(InterruptedException.class);
                            assertThat(Thread.currentThread().isInterrupted()).isFalse();
                            subject.release(4);
                            assertThat(subject.drain()).isEqualTo(4);
                            Thread.currentThread().interrupt();
                            assertThatThrownBy(way::run).isInstanceOf(InterruptedException.class);
                        })
                        .interrupt();
            }
        }
        assertThat(subject.queued()).isEmpty();
    }

    @Test
    void anInterruptDoesNotEndAnotherAndIsKept() {
        Subject subject = kind.make(0);
        try (TestThreads threads = new TestThreads()) {
            Thread thread = waiting(threads, subject, () -> {
                subject.acquireUninterruptibly(1);
                assertThat(Thread.interrupted()).isTrue();
            });
            thread.interrupt();
            TestThreads.until(() -> subject.queued().contains(thread) && TestThreads.sleeps(thread));
            subject.release(1);
        }
    }

    @Test
    void aThreadThatGivesUpLetsOthersGo() throws Exception {
        Subject subject = kind.make(1);
        try (TestThreads threads = new TestThreads()) {
            Thread wantsMany = waiting(
                    threads,
                    subject,
                    () -> assertThatThrownBy(() -> subject.acquire(5)).isInstanceOf(InterruptedException.class));
            wantsMany.interrupt();
            wantsMany.join();
            threads.start(() -> subject.acquire(1)).get();
        }
        assertThat(subject.available()).isZero();
    }

    @Test
    void allThatIsThereCanBeDrained() {
        Subject subject = kind.make(7);
        assertThat(subject.drain()).isEqualTo(7);
        assertThat(subject.drain()).isZero();
        subject.reduce(3);
        assertThat(subject.available()).isEqualTo(-3);
        assertThat(subject.tryAcquire(1)).isFalse();
        assertThat(subject.tryAcquire(0)).isFalse();
        assertThat(subject.drain()).isEqualTo(-3);
        assertThat(subject.available()).isZero();
    }

    @Test
    void whatIsLessThanNothingHasToBeReleasedFirst() {
        Subject subject = kind.make(-2);
        try (TestThreads threads = new TestThreads()) {
            waiting(threads, subject, () -> subject.acquire(1));
            subject.release(2);
            assertThat(subject.queued()).hasSize(1);
            subject.release(1);
        }
        assertThat(subject.available()).isZero();
    }

    @Test
    void aStormOfShortWaitsGetsWhatIsReleased() {
        assumeTrue(kind == Kind.VIP, "some versions of the JDK's own do not: JDK-8386085");
        Subject subject = kind.make(0);
        try (TestThreads threads = new TestThreads()) {
            for (int i = 0; i < 4; i++) {
                threads.start(() -> {
                    while (!subject.tryAcquire(1, 1, TimeUnit.MICROSECONDS)) {
                        // and again
                    }
                });
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50)); // which brings nothing about: the storm goes on
            assertThat(subject.available()).isZero();
            subject.release(4);
        }
        assertThat(subject.available()).isZero();
        assertThat(subject.queued()).isEmpty();
    }

    @Test
    void itIsNotSerializableHere() {
        assertThat(Serializable.class.isAssignableFrom(VipSemaphore.class)).isFalse();
    }

    @Test
    void itCountsAndMakesVisible() {
        Subject subject = kind.make(1);
        int[] count = {0};
        try (TestThreads threads = new TestThreads()) {
            for (int i = 0; i < 4; i++) {
                threads.start(() -> {
                    for (int round = 0; round < 10_000; round++) {
                        subject.acquire(1);
                        count[0]++;
                        subject.release(1);
                    }
                });
            }
        }
        assertThat(count[0]).isEqualTo(40_000);
        assertThat(subject.available()).isEqualTo(1);
    }
}
