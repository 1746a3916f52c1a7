package dev.unjank.locks;

import dev.unjank.locks.handoff.Handoff;
import dev.unjank.locks.handoff.HandoffStrategy;
import dev.unjank.locks.handoff.WaitSlot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs the code of the locks in every order in which its accesses to shared state can happen, up to a bound on
 * preemptions. The accesses are seams of the test: each is a step, before which any other thread may run; sleeping is
 * done here, too. A state in which all threads sleep, and some have not finished, is a lost wake-up.
 *
 * <p>One thread at a time runs. It chooses the next one itself, so that threads alternate only where the order requires
 * it.
 */
public final class InterleavingExplorer {
    private static final int MOST_STEPS = 5_000;

    /** A wait with a timeout is shorter than this. */
    private static final long LONG_NANOS = 1L << 40;

    /** A scenario: its threads, and the condition at its end. */
    public record Scene(List<Runnable> threads, Runnable end) {}

    private final int preemptions;
    private final Handoff handoff = new Handoff(HandoffStrategy.PARKING);
    private final WaitSlot director = handoff.newWaitSlot();

    // of one run
    private @Nullable Actor current;
    private @Nullable Throwable failure;
    private int step;
    private int progress;
    private final List<String> trail = new ArrayList<>();
    private long nanos;
    private boolean isOver;

    // of all runs
    private final List<Actor> actors = new ArrayList<>();
    private final List<Choice> choices = new ArrayList<>();
    private int runs;

    /** Thrown through a thread that has not finished when its run is over. */
    private static final class Stopped extends Error {
        private static final long serialVersionUID = 1;
    }

    /** A thread of the scene, which serves all runs: the locks keep a record of each thread that has used them. */
    private final class Actor {
        final int number;
        final WaitSlot seat = handoff.newWaitSlot();
        final Thread thread;

        /** Its part in the run; null after the last run. */
        @Nullable
        Runnable work;

        boolean isDone;
        boolean hasPermit;

        /** It has been interrupted, which it will find out when it runs. */
        boolean isInterrupted;

        /** The condition that it sleeps for; null if it does not sleep. */
        @Nullable
        BooleanSupplier awaited;

        Actor(int number) {
            this.number = number;
            thread = Thread.startVirtualThread(this::performAll);
        }

        private void performAll() {
            seat.await();
            for (Runnable next = work; next != null; next = work) {
                perform(this, next);
                seat.await();
            }
        }

        void prepare(Runnable part) {
            work = part;
            isDone = false;
            hasPermit = false;
            isInterrupted = false;
            awaited = null;
        }

        void end() {
            work = null;
            seat.release();
        }

        boolean isEnabled() {
            return !isDone && (awaited == null || awaited.getAsBoolean());
        }
    }

    /** The thread chosen at a step, and the candidates. The first candidate goes on without a preemption. */
    private record Choice(List<Integer> enabled, boolean wouldPreempt, int preemptionsBefore, int chosen) {
        int preemptions() {
            return preemptionsBefore + (wouldPreempt && chosen > 0 ? 1 : 0);
        }

        Choice next() {
            return new Choice(enabled, wouldPreempt, preemptionsBefore, chosen + 1);
        }
    }

    private InterleavingExplorer(int preemptions) {
        this.preemptions = preemptions;
    }

    /**
     * Runs a scene in all orders.
     *
     * @param preemptions the maximum number of preemptions of a runnable thread
     * @param scene makes the scenario, anew for each run, with locks that use the steps of this
     * @return the number of runs
     * @throws AssertionError at the first failing order, with that order
     */
    public static int explore(int preemptions, Function<InterleavingExplorer, Scene> scene) {
        InterleavingExplorer all = new InterleavingExplorer(preemptions);
        try {
            do {
                all.run(scene.apply(all));
            } while (all.nextOrder());
        } finally {
            all.actors.forEach(Actor::end);
        }
        return all.runs;
    }

    private void run(Scene scene) {
        runs++;
        current = null;
        failure = null;
        step = 0;
        progress = 0;
        trail.clear();
        nanos = 0;
        isOver = false;
        while (actors.size() < scene.threads().size()) {
            actors.add(new Actor(actors.size()));
        }
        actors.forEach(actor -> actor.prepare(scene.threads().get(actor.number)));
        Actor first = choose();
        if (first != null) {
            handoff.swap(first.seat, director);
        }
        isOver = true;
        for (Actor actor : actors) {
            if (!actor.isDone) {
                handoff.swap(actor.seat, director);
            }
        }
        if (failure != null) {
            throw new AssertionError(failure + "; order: " + trail, failure);
        }
        scene.end().run();
    }

    private void perform(Actor me, Runnable work) {
        try {
            begin(me);
            work.run();
        } catch (Stopped e) {
            // not of interest
        } catch (Throwable t) {
            failure = t;
        }
        boolean ignored = Thread.interrupted(); // in this run
        me.isDone = true;
        progress++;
        Actor next = isOver || failure != null ? null : choose();
        (next == null ? director : next.seat).release();
    }

    /** The thread that makes the next step; null if the run has ended. */
    private @Nullable Actor choose() {
        List<Actor> enabled = new ArrayList<>();
        Actor last = current;
        boolean wouldPreempt = last != null && !last.isDone && last.awaited == null;
        if (wouldPreempt) {
            enabled.add(last);
        }
        for (Actor actor : actors) {
            if (actor.isEnabled() && !(wouldPreempt && actor.equals(last))) {
                enabled.add(actor);
            }
        }
        if (enabled.isEmpty() || step == MOST_STEPS) {
            if (!enabled.isEmpty()) {
                failure = new AssertionError("it does not come to an end");
            } else if (actors.stream().anyMatch(actor -> !actor.isDone)) {
                failure = new AssertionError("a wake-up is lost: no thread can go on");
            }
            return null;
        }
        if (step == choices.size()) {
            int before = step == 0 ? 0 : choices.get(step - 1).preemptions();
            choices.add(new Choice(enabled.stream().map(actor -> actor.number).toList(), wouldPreempt, before, 0));
        }
        Choice choice = choices.get(step++);
        Actor next = actors.get(choice.enabled.get(choice.chosen));
        current = next;
        return next;
    }

    /** Changes the last choice that can be changed. */
    private boolean nextOrder() {
        while (!choices.isEmpty()) {
            Choice next = choices.removeLast().next();
            if (next.chosen < next.enabled.size() && next.preemptions() <= preemptions) {
                choices.add(next);
                return true;
            }
        }
        return false;
    }

    // ---- for the seams, on the running thread

    /**
     * Waits for its turn. The test's own accesses, before a run and after it, are no steps.
     *
     * @param what the access, for messages
     */
    public void step(String what) {
        Actor me = current;
        if (me != null && me.thread.equals(Thread.currentThread())) {
            turn(me);
            progress++;
            trail.add(me.number + " " + what);
        }
    }

    /** Sleeps until a condition holds. */
    public void await(BooleanSupplier awaited) {
        Actor me = me();
        me.awaited = awaited;
        turn(me);
        me.awaited = null;
        trail.add(me.number + " goes on");
    }

    /** Yields: it goes on when another thread that does not yield has made a step. */
    public void pause() {
        int now = progress;
        await(() -> progress > now);
    }

    /** Sleeps as by LockSupport; with a timeout it may have slept long enough at any moment. */
    public void park(boolean hasLimit) {
        Actor me = me();
        boolean wasInterrupted = me.thread.isInterrupted();
        await(() -> me.hasPermit || wasInterrupted || me.isInterrupted || hasLimit);
        if (!me.hasPermit && !me.thread.isInterrupted()) {
            nanos += LONG_NANOS;
        }
        me.hasPermit = false;
    }

    /** Wakes a thread that is parked, or will be. */
    public void unpark(Thread thread) {
        step("unpark");
        for (Actor actor : actors) {
            if (actor.thread.equals(thread)) {
                actor.hasPermit = true;
            }
        }
    }

    /** Interrupts a thread of the scene, in a step. */
    public void interrupt(int number) {
        step("interrupt");
        actors.get(number).isInterrupted = true;
    }

    /** Whether a thread of the scenario sleeps, and has not been woken. */
    public boolean sleeps(int number) {
        return actors.get(number).awaited != null && !actors.get(number).isEnabled();
    }

    /** Whether a thread of the scenario has finished. */
    public boolean isDone(int number) {
        return actors.get(number).isDone;
    }

    /** A clock that goes on when a limit of time is over. */
    public long nanoTime() {
        return nanos;
    }

    private Actor me() {
        Actor me = current;
        if (me == null) {
            throw new AssertionError("only a thread of the scene comes here");
        }
        return me;
    }

    private void begin(Actor me) {
        if (isOver) {
            throw new Stopped();
        }
        if (me.isInterrupted) {
            me.isInterrupted = false;
            me.thread.interrupt();
        }
    }

    private void turn(Actor me) {
        if (isOver) {
            throw new Stopped();
        }
        Actor next = choose();
        if (!me.equals(next)) {
            handoff.swap(next == null ? director : next.seat, me.seat);
        }
        begin(me);
    }
}
