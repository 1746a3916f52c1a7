package dev.unjank.proof.steps;

import dev.unjank.looper.QueueKind;
import dev.unjank.proof.steps.PreemptionScenario.Operation;
import dev.unjank.proof.steps.PreemptionScenario.Others;
import dev.unjank.proof.steps.PreemptionScenario.Situation;

/**
 * The cost of one {@code post(Runnable)} in shared memory, counted in its bytecode.
 *
 * <p>A compare-and-set on the message itself, before it has been published, is not counted: other threads cannot access
 * the object, so its cache line stays in the poster's cache.
 *
 * @param readModifyWrites compare-and-sets, getAndSets and the like on shared objects. Without contention each succeeds
 *     at the first attempt, so each counts once.
 * @param fences writes of volatile fields and full fences
 * @param monitors monitors entered; each adds at least one read-modify-write
 */
public record PostCost(int readModifyWrites, int fences, int monitors) {
    /** Counts a post to a running loop, the steady state. */
    public static PostCost steady(QueueKind kind) {
        return of(kind, Situation.BUSY);
    }

    /** Counts a post to a sleeping loop that must be woken, without the waker's own operations. */
    public static PostCost asleep(QueueKind kind) {
        return of(kind, Situation.ASLEEP);
    }

    private static PostCost of(QueueKind kind, Situation situation) {
        ScenarioRunner stage = InstrumentedLooperLoader.newStage();
        PreemptionScenario scene =
                new PreemptionScenario(kind.name(), situation, Operation.POST, Others.SEND_AND_REMOVE);
        stage.play(scene, new UnstoppedPoster()); // initializes classes and links call sites
        UnstoppedPoster poster = new UnstoppedPoster();
        stage.play(scene, poster);
        ThreadSteps trail = poster.trail;
        return new PostCost(trail.readModifyWrites.size(), trail.fences.size(), trail.monitors.size());
    }

    /** A poster that runs its operation without stopping. */
    static final class UnstoppedPoster implements ScenarioRunner.Poster {
        final ThreadSteps trail = ThreadSteps.unstopped();

        @Override
        public void begin(Runnable operation) {
            InstructionHook.follow(trail, operation);
        }

        @Override
        public void finish() {}
    }
}
