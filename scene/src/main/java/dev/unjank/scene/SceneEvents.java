package dev.unjank.scene;

import dev.unjank.scene.Scene.Loss;
import dev.unjank.scene.SceneThread.Activity;
import dev.unjank.scene.SceneThread.Calls;
import dev.unjank.scene.SceneThread.Emits;
import dev.unjank.scene.SceneThread.Exits;
import dev.unjank.scene.SceneThread.Inherits;
import dev.unjank.scene.SceneThread.Mark;
import dev.unjank.scene.SceneThread.Prints;
import dev.unjank.scene.SceneThread.Renames;
import dev.unjank.scene.SceneThread.Returns;
import dev.unjank.scene.SceneThread.Spawns;
import dev.unjank.scene.SceneThread.State;
import dev.unjank.trace.write.FtraceCpuWriter;
import dev.unjank.trace.write.KernelEvent;
import dev.unjank.trace.write.PrevState;
import dev.unjank.trace.write.Task;
import dev.unjank.trace.write.TraceWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Derives kernel events from the timelines of a {@link Scene}'s threads. Events at equal times are in the order in
 * which a CPU would record them: the running thread's last marks, its wakeups, the switch, the next thread's first
 * marks.
 */
final class SceneEvents {
    /** The first tid of the kernel threads, one per CPU, that are switched out at the start of the trace. */
    private static final int FIRST_MIGRATION_TID = 15;

    private static final int TIDS_PER_CPU = 6;
    private static final int MIGRATION_PRIORITY = 0;

    /** The time between a thread's exit and the release of its tid. */
    private static final long FREED_AFTER_NS = 1000;

    private enum Phase {
        LOSS,
        MARK_BEFORE_SWITCH,
        WAKING,
        BLOCKED_REASON,
        SWITCH,
        MARK_AFTER_SWITCH
    }

    @FunctionalInterface
    private interface Writes {
        void to(FtraceCpuWriter cpu, long ts) throws IOException;
    }

    private record Event(long at, Phase phase, int cpu, Writes writes) {}

    /** A run of a thread on a CPU, with its state afterwards. */
    private record Run(int cpu, long from, long until, Task first, Task last, long prevState) {}

    private final List<Event> events = new ArrayList<>();
    private final TreeMap<Integer, List<Run>> runs = new TreeMap<>();

    /** Derives the events. */
    SceneEvents(List<SceneThread> threads, List<Loss> losses) {
        threads.forEach(this::collectRuns);
        runs.forEach(this::deriveSwitches);
        threads.forEach(this::deriveWakings);
        threads.forEach(this::deriveMarks);
        for (Loss loss : losses) {
            events.add(new Event(loss.at(), Phase.LOSS, loss.cpu(), (cpu, ts) -> cpu.lostEvents()));
        }
        events.sort(Comparator.comparingLong(Event::at)
                .thenComparing(Event::phase)); // stable: equal times keep their order
    }

    void writeTo(TraceWriter writer) throws IOException {
        for (Event event : events) {
            event.writes.to(writer.cpu(event.cpu), Scene.traceTime(event.at));
        }
    }

    private void collectRuns(SceneThread thread) {
        List<State> states = thread.states();
        int first = 0;
        while (first < states.size()) {
            int last = first;
            if (states.get(first).activity() == Activity.RUNS) {
                while (last + 1 < states.size() && states.get(last + 1).activity() == Activity.RUNS) {
                    last++;
                }
                State start = states.get(first);
                State end = states.get(last);
                State next = last + 1 < states.size() ? states.get(last + 1) : null;
                String comm = next == null ? thread.comm() : next.task().comm(); // it may have renamed itself
                Task leaves = new Task(thread.tid(), comm, end.task().priority());
                Run run =
                        new Run(start.cpu(), start.from(), end.until(), start.task(), leaves, prevState(thread, next));
                runs.computeIfAbsent(run.cpu, cpu -> new ArrayList<>()).add(run);
            }
            first = last + 1;
        }
    }

    private static long prevState(SceneThread thread, @Nullable State next) {
        if (next == null) {
            return thread.isExited() ? PrevState.DEAD : PrevState.SLEEPING;
        }
        return switch (next.activity()) {
            case RUNNABLE -> PrevState.PREEMPTED;
            case SLEEPS -> PrevState.SLEEPING;
            case UNINTERRUPTIBLE -> PrevState.UNINTERRUPTIBLE;
            case STOPPED -> PrevState.STOPPED;
            case RUNS -> throw new AssertionError("adjacent ones are one run");
        };
    }

    private void deriveSwitches(int cpu, List<Run> onCpu) {
        onCpu.sort(Comparator.comparingLong(Run::from));
        Task idle = Task.idle(cpu);
        Task migration = new Task(FIRST_MIGRATION_TID + TIDS_PER_CPU * cpu, "migration/" + cpu, MIGRATION_PRIORITY);
        // before all other events, because readers ignore a CPU's first compact switch, whose previous thread is
        // unknown
        addSwitch(-Scene.LEAD_NS, cpu, migration, PrevState.SLEEPING, idle);
        Run prev = null;
        for (Run run : onCpu) {
            if (prev != null && run.from < prev.until) {
                throw new IllegalStateException("%s and %s both run on cpu %d at %d ns"
                        .formatted(prev.last.comm(), run.first.comm(), cpu, run.from));
            }
            if (prev != null && prev.until == run.from) {
                addSwitch(run.from, cpu, prev.last, prev.prevState, run.first);
            } else {
                if (prev != null) {
                    addSwitch(prev.until, cpu, prev.last, prev.prevState, idle);
                }
                addSwitch(run.from, cpu, idle, PrevState.RUNNABLE, run.first);
            }
            prev = run;
        }
        if (prev != null) {
            addSwitch(prev.until, cpu, prev.last, prev.prevState, idle);
        }
    }

    private void addSwitch(long at, int cpu, Task prev, long prevState, Task next) {
        events.add(new Event(at, Phase.SWITCH, cpu, (out, ts) -> out.schedSwitch(ts, prev, prevState, next)));
    }

    private void deriveWakings(SceneThread thread) {
        List<State> states = thread.states();
        for (int i = 0; i < states.size(); i++) {
            State state = states.get(i);
            State sleep = i > 0 && states.get(i - 1).isSleep() ? states.get(i - 1) : null;
            if (state.activity() == Activity.RUNNABLE) {
                if (sleep != null || (i == 0 && !thread.isSpawned())) {
                    deriveWaking(thread, i, sleep);
                }
            } else if (sleep != null && sleep.recordsWaker() && !state.isSleep()) {
                throw new IllegalStateException(
                        "%s is woken at %d ns, so its next state must be runnable".formatted(thread, state.from()));
            }
        }
    }

    private void deriveWaking(SceneThread thread, int index, @Nullable State sleep) {
        long at = thread.states().get(index).from();
        Task woken = thread.states().get(index).task();
        SceneThread waker = sleep == null ? null : sleep.waker();
        int lastCpu = lastCpu(thread, index);
        Run running = waker == null ? runningOn(lastCpu, at) : runOf(waker, at);
        if (waker != null && running == null) {
            throw new IllegalStateException(
                    "%s is not running before and after %d ns, so it cannot wake %s".formatted(waker, at, thread));
        }
        int tid = running == null ? 0 : running.last.tid();
        int cpu = running == null ? lastCpu : running.cpu;
        events.add(new Event(at, Phase.WAKING, cpu, (out, ts) -> {
            if (waker == null) {
                out.schedWakingInIrq(ts, tid, woken, lastCpu);
            } else {
                out.schedWaking(ts, tid, woken, lastCpu);
            }
        }));
        if (sleep != null && sleep.activity() == Activity.UNINTERRUPTIBLE) {
            events.add(new Event(
                    at,
                    Phase.BLOCKED_REASON,
                    cpu,
                    (out, ts) -> out.schedBlockedReason(ts, tid, woken.tid(), sleep.ioWait(), sleep.function())));
        }
    }

    private void deriveMarks(SceneThread thread) {
        List<State> states = thread.states();
        for (Mark mark : thread.marks()) {
            int next = mark.nextState();
            if (next > 0 && states.get(next - 1).activity() == Activity.RUNS) {
                addMark(
                        thread,
                        mark,
                        Phase.MARK_BEFORE_SWITCH,
                        states.get(next - 1).cpu());
            } else if (next < states.size() && states.get(next).activity() == Activity.RUNS) {
                addMark(thread, mark, Phase.MARK_AFTER_SWITCH, states.get(next).cpu());
            } else {
                throw new IllegalStateException(
                        "%s is not running at %d ns, so it cannot do %s".formatted(thread, mark.at(), mark.action()));
            }
        }
    }

    private void addMark(SceneThread thread, Mark mark, Phase phase, int onCpu) {
        Task task = mark.task();
        Writes writes = switch (mark.action()) {
            case Prints(String text) -> (out, ts) -> out.print(ts, task.tid(), text);
            case Inherits(int priority) ->
                (out, ts) -> out.schedPiSetprio(ts, task.tid(), task.withPriority(priority), task.priority());
            case Calls(int number, List<Long> arguments) -> {
                long[] values = arguments.stream().mapToLong(Long::longValue).toArray();
                yield (out, ts) -> out.sysEnter(ts, task.tid(), number, values);
            }
            case Returns(int number, long result) -> (out, ts) -> out.sysExit(ts, task.tid(), number, result);
            case Emits(KernelEvent event) -> (out, ts) -> event.writeTo(out, ts, task.tid());
            case Renames(String oldComm, String newComm) ->
                (out, ts) -> out.taskRename(ts, task.tid(), task.tid(), oldComm, newComm);
            case Exits() -> exits(mark, task, onCpu, thread);
            case Spawns(SceneThread child) -> spawns(task, onCpu, child);
        };
        events.add(new Event(mark.at(), phase, onCpu, writes));
    }

    private Writes exits(Mark mark, Task task, int onCpu, SceneThread thread) {
        long freed = mark.at() + FREED_AFTER_NS;
        Run running = runningOn(onCpu, freed);
        int byTid = running == null ? 0 : running.last.tid();
        events.add(new Event(freed, Phase.WAKING, onCpu, (out, ts) -> out.schedProcessFree(ts, byTid, task)));
        return (out, ts) -> out.schedProcessExit(ts, task, thread.process().pid());
    }

    private static Writes spawns(Task parent, int onCpu, SceneThread child) {
        if (child.states().isEmpty() || child.states().getFirst().activity() != Activity.RUNNABLE) {
            throw new IllegalStateException(child + " is new, so its timeline must start with a runnable state");
        }
        Task task = child.states().getFirst().task();
        return (out, ts) -> {
            out.taskNewtask(ts, parent.tid(), task, !child.isMain());
            out.schedWakeupNew(ts, parent.tid(), task, onCpu);
        };
    }

    /** The CPU on which a thread ran last before a state, or runs next if it has not run yet. */
    private static int lastCpu(SceneThread thread, int index) {
        List<State> states = thread.states();
        for (int i = index; i-- > 0; ) {
            if (states.get(i).activity() == Activity.RUNS) {
                return states.get(i).cpu();
            }
        }
        return states.stream()
                .filter(state -> state.activity() == Activity.RUNS)
                .mapToInt(State::cpu)
                .findFirst()
                .orElse(0);
    }

    private @Nullable Run runningOn(int cpu, long at) {
        return runs.getOrDefault(cpu, List.of()).stream()
                .filter(run -> run.from < at && at < run.until)
                .findFirst()
                .orElse(null);
    }

    private @Nullable Run runOf(SceneThread thread, long at) {
        return runs.values().stream()
                .flatMap(List::stream)
                .filter(run -> run.first.tid() == thread.tid() && run.from < at && at < run.until)
                .findFirst()
                .orElse(null);
    }
}
