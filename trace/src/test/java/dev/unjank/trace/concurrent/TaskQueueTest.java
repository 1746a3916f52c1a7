package dev.unjank.trace.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TaskQueueTest {
    private static final int MANY = 10_000;

    @ParameterizedTest
    @EnumSource
    void tasksOfASerialQueueRunInOrder(TestExecutor executor) {
        List<Integer> ran = new ArrayList<>(); // not thread-safe: one task runs at a time
        TaskQueue queue = new TaskQueue(executor, 1, 4);
        IntStream.range(0, MANY).forEach(i -> queue.add(() -> ran.add(i)));
        queue.await();
        assertThat(ran).isEqualTo(IntStream.range(0, MANY).boxed().toList());
    }

    @ParameterizedTest
    @EnumSource
    void eachNumberIsPassedOnce(TestExecutor executor) {
        AtomicIntegerArray calls = new AtomicIntegerArray(MANY);
        TaskQueue.forEach(executor, MANY, calls::incrementAndGet);
        assertThat(IntStream.range(0, MANY).map(calls::get)).containsOnly(1);
    }

    @ParameterizedTest
    @EnumSource
    void aFailureDropsTheWaitingTasksAndIsRethrown(TestExecutor executor) {
        AtomicInteger ran = new AtomicInteger();
        TaskQueue queue = new TaskQueue(executor, 1, 4);
        queue.add(() -> {
            throw new IllegalArgumentException("first");
        });
        assertThatThrownBy(queue::await).hasMessage("first");
        queue.add(ran::incrementAndGet);
        assertThatThrownBy(queue::await).hasMessage("first");
        assertThat(ran).hasValue(0);
    }

    @Test
    void stoppingDropsWaitingTasksAndWaitsForTheRunningOne() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stops = new CountDownLatch(1);
        List<String> ran = new ArrayList<>();
        TaskQueue queue = new TaskQueue(TestExecutor.NEW_THREAD, 1, 4);
        queue.add(() -> {
            begun.countDown();
            awaitUninterruptibly(stops);
            ran.add("running");
        });
        begun.await();
        queue.add(() -> ran.add("waiting"));
        new Thread(stops::countDown).start();
        queue.stop();
        assertThat(ran).startsWith("running");
        queue.await();
        assertThat(ran).hasSizeBetween(1, 2); // the thread may end the first task before the second is dropped
    }

    @Test
    void onlyADirectExecutorIsOne() {
        assertThat(TestExecutor.DIRECT).matches(TaskQueue::isDirect);
        assertThat(TestExecutor.NEW_THREAD).matches(executor -> !TaskQueue.isDirect(executor));
        assertThat(TestExecutor.BUSY).matches(executor -> !TaskQueue.isDirect(executor));
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
