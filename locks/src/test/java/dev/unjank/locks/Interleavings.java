package dev.unjank.locks.futex;

import dev.unjank.locks.handoff.Handoff;
import dev.unjank.locks.handoff.Seat;
import dev.unjank.locks.handoff.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs the code of the locks in every order in which its accesses to the words can happen, as far as that takes no more than a number
 * of preemptions. The words are of the test ({@link SteppedWord}): each access is a step, before which any other thread may come, and
 * what the kernel does about sleepers is done here. A state in which all sleep, and some have not come to their end, is a wake-up lost.
 */
final class Interleavings {
    private static final int MOST_STEPS = 2_000;

    /** What is run: threads, and what has to be so at the end. */
    record Scene(List<Runnable> threads, Runnable end) {}

    private final int preemptions;
    private final Handoff handoff = new Handoff(Strategy.PARKING);
    private final Seat director = handoff.newSeat();

    // of one run
    private final List<Actor> actors = new ArrayList<>();
    private @Nullable Actor current;
    private @Nullable Throwable failure;
    private boolean isOver;

    // of all runs
    private final List<Choice> choices = new ArrayList<>();
    private int runs;

    /** Thrown through a thread whose run is over, though it is not at its end. */
    private static final class Stopped extends Error {
        private static final long serialVersionUID = 1;
    }

    /** A thread of the scene. */
    final class Actor {
        final int number;
        final Seat seat = handoff.newSeat();
        private final Thread thread;
        private boolean isDone;
        private boolean isInterrupted;

        @Nullable
        SteppedWord sleepsOn;

        int bits;
        private boolean hasDeadline;

        Actor(int number, Runnable work) {
            this.number = number;
            thread = Thread.ofVirtual().unstarted(() -> {
                try {
                    seat.await();
                    work.run();
                } catch (Stopped e) {
                    // nobody wants to know
                } catch (Throwable t) {
                    failure = t;
                } finally {
                    isDone = true;
                    director.give();
                }
            });
        }

        private boolean isEnabled() {
            return !isDone && (sleepsOn == null || (hasDeadline && isInterrupted));
        }
    }

    /** Who was chosen at a step, of whom. The first is who goes on without a preemption. */
    private static final class Choice {
        final List<Integer> enabled;
        final boolean wouldPreempt;
        final int preemptionsBefore;
        int chosen;

        Choice(List<Integer> enabled, boolean wouldPreempt, int preemptionsBefore) {
            this.enabled = enabled;
            this.wouldPreempt = wouldPreempt;
            this.preemptionsBefore = preemptionsBefore;
        }

        int preemptions() {
            return preemptionsBefore + (wouldPreempt && chosen > 0 ? 1 : 0);
        }
    }

    private Interleavings(int preemptions) {
        this.preemptions = preemptions;
    }

    /**
     * Runs a scene in all orders.
     *
     * @param preemptions how often at most a thread is interrupted that could go on
     * @param scene makes the scene, anew for each run, with words of this
     * @return how many runs there were
     * @throws AssertionError at the first order in which something is wrong, with that order
     */
    static int explore(int preemptions, Function<Interleavings, Scene> scene) {
        Interleavings all = new Interleavings(preemptions);
        do {
            all.run(scene.apply(all));
        } while (all.nextOrder());
        return all.runs;
    }

    /** A word of the current run, at 0. */
    SteppedWord word(SteppedWord.Fault fault) {
        return new SteppedWord(this, fault);
    }

    /** Interrupts a thread of the scene, in a step. */
    void interrupt(int number) {
        step();
        Actor actor = actors.get(number);
        actor.isInterrupted = true;
        actor.thread.interrupt();
    }

    private void run(Scene scene) {
        runs++;
        actors.clear();
        current = null;
        failure = null;
        isOver = false;
        scene.threads().forEach(work -> actors.add(new Actor(actors.size(), work)));
        actors.forEach(actor -> actor.thread.start());
        String wrong = null;
        for (int step = 0; failure == null; step++) {
            List<Actor> enabled = enabled();
            if (enabled.isEmpty()) {
                if (actors.stream().anyMatch(actor -> !actor.isDone)) {
                    wrong = "a wake-up is lost: nobody can go on";
                }
                break;
            }
            if (step == MOST_STEPS) {
                wrong = "it does not come to an end";
                break;
            }
            current = choose(step, enabled);
            handoff.swap(current.seat, director);
        }
        isOver = true;
        for (Actor actor : actors) {
            while (!actor.isDone) {
                current = actor;
                handoff.swap(actor.seat, director);
            }
        }
        if (failure != null || wrong != null) {
            throw new AssertionError((wrong == null ? failure.toString() : wrong) + "; order: " + order(), failure);
        }
        scene.end().run();
    }

    private List<Actor> enabled() {
        List<Actor> enabled = new ArrayList<>();
        if (current != null && current.isEnabled()) {
            enabled.add(current);
        }
        actors.stream()
                .filter(actor -> actor.isEnabled() && !actor.equals(current))
                .forEach(enabled::add);
        return enabled;
    }

    private Actor choose(int step, List<Actor> enabled) {
        if (step == choices.size()) {
            int before = step == 0 ? 0 : choices.get(step - 1).preemptions();
            boolean wouldPreempt = current != null && current.isEnabled();
            choices.add(new Choice(enabled.stream().map(actor -> actor.number).toList(), wouldPreempt, before));
        }
        Choice choice = choices.get(step);
        return actors.get(choice.enabled.get(choice.chosen));
    }

    /** Changes the last choice that can be changed. */
    private boolean nextOrder() {
        while (!choices.isEmpty()) {
            Choice last = choices.getLast();
            last.chosen++;
            if (last.chosen < last.enabled.size() && last.preemptions() <= preemptions) {
                return true;
            }
            choices.removeLast();
        }
        return false;
    }

    private List<Integer> order() {
        return choices.stream().map(choice -> choice.enabled.get(choice.chosen)).toList();
    }

    // ---- for the words, on the thread that is at work

    /** Waits for its turn. */
    Actor step() {
        Actor me = current;
        if (me == null) {
            throw new AssertionError("only a thread of the scene comes here");
        }
        handoff.swap(director, me.seat);
        if (isOver) {
            throw new Stopped();
        }
        return me;
    }

    /** Sleeps until it is woken, or, if there is a deadline, interrupted. */
    void sleep(Actor me, SteppedWord word, int bits, boolean hasDeadline) {
        me.sleepsOn = word;
        me.bits = bits;
        me.hasDeadline = hasDeadline;
        handoff.swap(director, me.seat);
        me.sleepsOn = null;
        if (isOver) {
            throw new Stopped();
        }
    }

    /** Who sleeps on a word. */
    List<Actor> sleepers(SteppedWord word) {
        return actors.stream().filter(actor -> word.equals(actor.sleepsOn)).toList();
    }
}
