package dev.unjank.fleet.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.fleet.input.TraceFile;
import dev.unjank.fleet.task.ResultTable;
import dev.unjank.fleet.task.TraceLimits;
import dev.unjank.fleet.task.TraceResult;
import dev.unjank.fleet.task.TraceWorker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {

    /** More than a trace may take. */
    private static final long TOO_LONG = Duration.ofSeconds(5).toNanos();

    /** Stands still but for traces without end. */
    private final AtomicLong now = new AtomicLong();

    private static TraceResult fine(TraceFile file) {
        return new TraceResult(file.name(), file.bytes(), List.of(), null, false);
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
        AdmissionGate company = new AdmissionGate();
        try (WorkerPool pool = new WorkerPool(
                () -> file -> {
                    if (file.name().startsWith("endless")) {
                        now.addAndGet(TOO_LONG);
                        awaitUninterruptibly(end);
                    }
                    return fine(file);
                },
                TraceLimits.DEFAULT.withTime(Duration.ofMillis(50)),
                company,
                1,
                now::get)) {
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
                TraceResult outcome = pool.poll(20);
                if (outcome != null) {
                    (outcome.failure() == null ? done : failed).add(outcome.trace());
                    assertThat(outcome.failure()).isIn(null, "took longer than 50 ms");
                }
            }
            assertThat(failed).containsExactlyInAnyOrder("endless", "endless too");
            assertThat(done).containsExactlyInAnyOrder("b", "c");
            assertThat(released).hasValue(4);
            assertThat(company.stuck()).isEqualTo(2);
            end.countDown();
            while (company.stuck() > 0) {
                Thread.onSpinWait();
            }
            assertThat(pool.poll(50)).as("what came too late").isNull();
            assertThat(pool.isBusy()).isFalse();
        }
    }

    @Test
    void manyProcessorsBearMoreTracesWithoutEnd() {
        for (int[] processorsAndMost : new int[][] {{1, 16}, {8, 16}, {9, 18}, {64, 128}}) {
            AdmissionGate company = new AdmissionGate(processorsAndMost[0]);
            while (!company.isStuck()) {
                company.giveUp();
            }
            assertThat(company.stuck()).isEqualTo(processorsAndMost[1]);
        }
    }

    @Test
    void whatAWorkerThrowsIsItsTracesFailure() throws Exception {
        AdmissionGate company = new AdmissionGate();
        try (WorkerPool pool = new WorkerPool(
                () -> file -> {
                    if (file.name().equals("broken")) {
                        throw new IllegalStateException("no");
                    }
                    return fine(file);
                },
                TraceLimits.DEFAULT,
                company,
                1)) {
            pool.submit(file("broken"), () -> {});
            assertThat(next(pool).failure()).isEqualTo("internal error: java.lang.IllegalStateException: no");
            pool.submit(file("fine"), () -> {});
            assertThat(next(pool).failure()).isNull();
            assertThat(pool.isBusy()).isFalse();
            assertThat(company.stuck()).isZero();
        }
    }

    /** Otherwise the run would wait forever for the result of its trace. */
    @Test
    void anErrorWhileAnOutcomeIsHandedOnEndsTheRun() throws Exception {
        OutOfMemoryError error = new OutOfMemoryError("no room for it");
        try (WorkerPool pool =
                new WorkerPool(() -> file -> unfit(file, error), TraceLimits.DEFAULT, new AdmissionGate(), 1)) {
            pool.submit(file("a"), () -> {});
            assertThatThrownBy(() -> next(pool)).isSameAs(error);
        }
        try (WorkerPool pool =
                new WorkerPool(() -> WorkerPoolTest::fine, TraceLimits.DEFAULT, new AdmissionGate(), 1)) {
            assertThatThrownBy(() -> pool.submit(unfit(file("a"), error))).isSameAs(error);
            assertThat(pool.isBusy()).isFalse();
        }
    }

    /** There is no counting its rows. */
    private static TraceResult unfit(TraceFile file, Error error) {
        List<Object[]> rows = new AbstractList<>() {
            @Override
            public Object[] get(int index) {
                throw error;
            }

            @Override
            public int size() {
                throw error;
            }
        };
        ResultTable table = new ResultTable("result", List.of(), rows);
        return new TraceResult(file.name(), file.bytes(), List.of(table), null, false);
    }

    private static TraceResult next(WorkerPool pool) throws InterruptedException {
        TraceResult outcome = null;
        while (outcome == null) {
            outcome = pool.poll(20);
        }
        return outcome;
    }

    /**
     * Processes two traces in parallel, each of which lacks memory at first, and returns the attempts and whether
     * others ran meanwhile.
     */
    private static List<String> askedSideBySide(String large) throws Exception {
        AdmissionGate company = new AdmissionGate();
        CyclicBarrier both = new CyclicBarrier(2);
        Queue<String> asked = new ConcurrentLinkedQueue<>();
        List<String> failed = new ArrayList<>();
        try (WorkerPool pool = new WorkerPool(
                () -> file -> {
                    boolean isFirst = asked.stream().noneMatch(each -> each.startsWith(file.name()));
                    if (isFirst) {
                        meet(both);
                    }
                    asked.add(file.name() + (isFirst ? "" : isAlone(company) ? " again, alone" : " again"));
                    return isFirst || file.name().equals("too large") ? outOfMemory(file) : fine(file);
                },
                TraceLimits.DEFAULT,
                company,
                2)) {
            pool.submit(file(large), () -> {});
            pool.submit(file("other"), () -> {});
            while (pool.isBusy()) {
                TraceResult outcome = pool.poll(20);
                if (outcome != null && outcome.failure() != null) {
                    failed.add(outcome.trace());
                }
            }
        }
        assertThat(failed).isEqualTo(large.equals("too large") ? List.of("too large") : List.of());
        return asked.stream().sorted().toList();
    }

    private static void meet(CyclicBarrier both) {
        try {
            both.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether another trace has to wait. */
    private static boolean isAlone(AdmissionGate company) {
        Thread visitor = Thread.ofPlatform().daemon().start(() -> {
            try {
                company.join().leave();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        while (visitor.getState() != Thread.State.WAITING && visitor.isAlive()) {
            Thread.onSpinWait();
        }
        return visitor.isAlive();
    }

    private static TraceResult outOfMemory(TraceFile file) {
        return TraceResult.failed(file.name(), file.bytes(), "out of memory", true);
    }

    @Test
    void whatLackedMemoryBesideOthersIsTriedOnceMoreAlone() throws Exception {
        assertThat(askedSideBySide("large"))
                .containsExactly("large", "large again, alone", "other", "other again, alone");
        assertThat(askedSideBySide("too large"))
                .containsExactly("other", "other again, alone", "too large", "too large again, alone");
    }

    @Test
    void whatLackedMemoryAloneIsNotTriedAgain() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (WorkerPool pool = new WorkerPool(
                () -> file -> {
                    asked.incrementAndGet();
                    return outOfMemory(file);
                },
                TraceLimits.DEFAULT,
                new AdmissionGate(),
                4)) {
            for (int i = 0; i < 3; i++) {
                pool.submit(file("large"), () -> {});
                while (pool.isBusy()) {
                    pool.poll(20);
                }
            }
        }
        assertThat(asked).hasValue(3);
    }

    @Test
    void nobodyWaitsForATraceWithoutEndToBeAlone() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        List<String> done = new ArrayList<>();
        AdmissionGate company = new AdmissionGate() {
            @Override
            Seat alone() throws InterruptedException {
                now.addAndGet(TOO_LONG);
                return super.alone();
            }
        };
        try (WorkerPool pool = new WorkerPool(
                () -> new TraceWorker() {
                    private boolean isSecond;

                    @Override
                    public TraceResult ask(TraceFile file) {
                        if (file.name().equals("endless")) {
                            begun.countDown();
                            awaitUninterruptibly(end);
                        } else if (!isSecond) {
                            awaitUninterruptibly(begun);
                            isSecond = true;
                            return outOfMemory(file);
                        }
                        return fine(file);
                    }
                },
                TraceLimits.DEFAULT.withTime(Duration.ofMillis(50)),
                company,
                2,
                now::get)) {
            pool.submit(file("endless"), () -> {});
            pool.submit(file("large"), () -> {});
            while (pool.isBusy()) {
                TraceResult outcome = pool.poll(20);
                if (outcome != null) {
                    done.add(outcome.trace() + " " + outcome.failure());
                }
            }
        }
        end.countDown();
        assertThat(done).containsExactly("endless took longer than 50 ms", "large null");
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
