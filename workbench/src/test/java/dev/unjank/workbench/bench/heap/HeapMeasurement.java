package dev.unjank.workbench.bench.heap;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** One measurement. */
record HeapMeasurement(Operation operation, Order order, int size) {

    /** All, the orders in turn. */
    static final List<HeapMeasurement> ALL = Arrays.stream(Operation.values())
            .flatMap(operation -> Arrays.stream(Order.values())
                    .flatMap(order -> IntStream.of(100, 1000, 10_000, 100_000)
                            .mapToObj(size -> new HeapMeasurement(operation, order, size))))
            .toList();

    /** What is measured, in nanoseconds for each message. */
    enum Operation {
        ADD,
        /** Put all in without order, then order them: what compact() does. */
        HEAPIFY,
        REMOVE,
        /** Remove the first and add another, which is due later, at a constant size. */
        HOLD
    }

    /** In which order keys come. */
    enum Order {
        RANDOM,
        /** Random, but of 64 values, so that most have their equals. */
        TIES,
        SORTED,
        /** One major for all. */
        FIFO
    }
}
