package dev.unjank.workbench.soak;

import dev.unjank.looper.QueueKind;
import java.util.SplittableRandom;

/**
 * A single-threaded round: one thread sends, removes, queries, advances the clock, runs messages and sleeps. Operations
 * during a sleep or inside a message simulate other threads. After each step queue and model must agree.
 */
final class SequentialRound {
    private static final int STEPS = 1_000;
    /** The average number of steps per bulk operation. */
    private static final int STEPS_PER_CROWD = 4_000;
    /** The maximum number of messages for which all are compared after every step. */
    private static final int FEW = 100;

    private static final int STEPS_PER_LOOK_AT_ALL = 32;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final QueueKind kind;
    private final LooperOperations door;
    private final SplittableRandom random;
    private SequentialLooper life;
    /** The operations of previous loopers. */
    private long operations;

    SequentialRound(long seed, QueueKind kind, LooperOperations door) {
        this.kind = kind;
        this.door = door;
        this.random = new SplittableRandom(seed);
        this.life = new SequentialLooper(kind, door, random);
    }

    /** Runs the round; returns the number of operations. */
    long play() {
        for (int step = 0; step < STEPS; step++) {
            try {
                step();
                if (step % STEPS_PER_LOOK_AT_ALL == 0) {
                    life.compareAll();
                } else if (life.model.entries().size() <= FEW) {
                    life.compare();
                }
            } catch (RuntimeException e) {
                throw new SoakFailure.Failure("step " + step + ": " + e.getMessage() + "; the model has " + life.model);
            }
        }
        return operations + life.operations;
    }

    private void step() {
        if (random.nextInt(STEPS_PER_CROWD) == 0) {
            life.crowd.gather();
            return;
        }
        switch (random.nextInt(10)) {
            case 0, 1 -> life.poll();
            case 2 -> life.next();
            case 3 -> life.nanos += random.nextLong(3 * NANOS_PER_MILLI);
            default -> life.acts.act();
        }
        if (life.isOver()) {
            operations += life.operations;
            life = new SequentialLooper(kind, door, random);
        }
    }
}
