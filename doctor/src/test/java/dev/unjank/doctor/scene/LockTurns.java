package dev.unjank.doctor.scene;

import dev.unjank.fixture.jfr.JfrChunkWriter;
import dev.unjank.fixture.jfr.JfrChunkWriter.F;
import dev.unjank.fixture.jfr.JfrTestRecordings;
import dev.unjank.trace.model.SchedState;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Threads of a Java virtual machine that take turns with one lock, as different recorders show it. */
public final class LockTurns {
    private static final int THREADS = 6;
    private static final int FIRST_TID = 201;
    private static final int PREEMPTING = 900;
    private static final double START_MS = 5;
    private static final String SLEEP = "jdk.ThreadSleep";

    /** What an owner does with the lock. */
    public enum Activity {
        RUNS,
        SLEEPS,
        IS_PREEMPTED,
        IS_IN_GC_PAUSE
    }

    /** A thread asks for the lock, and has it for a time, in ms. */
    private record Turn(int thread, double arrivesMs, double fromMs, double toMs, Activity activity) {
        double middleFromMs() {
            return fromMs + 0.5;
        }

        double middleToMs() {
            return toMs - 0.5;
        }
    }

    private final List<Turn> turns = new ArrayList<>();

    private LockTurns() {}

    /** Draws turns at random, with some of the activities. */
    public static LockTurns random(Random random, List<Activity> activities) {
        LockTurns all = new LockTurns();
        double[] freeMs = new double[THREADS];
        double now = START_MS;
        int owner = -1;
        for (int i = 0; i < 12; i++) {
            int thread = random.nextInt(THREADS);
            double earliest = Math.max(START_MS, freeMs[thread]) + 1;
            if (thread == owner || (i > 0 && earliest > now - 1)) {
                continue;
            }
            double moment = 0.01 * thread; // so that no two threads arrive at once
            double arrives = i == 0 ? now : Math.clamp(now - random.nextInt(25), earliest, now - 1) + moment;
            double from = now;
            double to = from + 2 + random.nextInt(10);
            all.turns.add(new Turn(thread, arrives, from, to, activities.get(random.nextInt(activities.size()))));
            freeMs[thread] = to;
            now = to;
            owner = thread;
        }
        all.turns.replaceAll(turn -> turn.activity == Activity.IS_IN_GC_PAUSE && all.hasArrivalIn(turn)
                ? new Turn(turn.thread, turn.arrivesMs, turn.fromMs, turn.toMs, Activity.SLEEPS)
                : turn);
        return all;
    }

    /** No thread asks for a lock during a pause. */
    private boolean hasArrivalIn(Turn turn) {
        return turns.stream().anyMatch(other -> other.arrivesMs > turn.fromMs && other.arrivesMs < turn.toMs);
    }

    /** A Flight Recorder file. */
    public byte[] flightRecorderFile() {
        JfrChunkWriter chunk = JfrTestRecordings.chunk();
        JfrTestRecordings.kindOfThread(chunk, SLEEP, new F("stackTrace", "@" + JfrChunkWriter.STACK));
        JfrTestRecordings.information(chunk);
        for (int thread = 0; thread < THREADS; thread++) {
            chunk.thread(10 + thread, FIRST_TID + thread, 20 + thread, name(thread));
        }
        for (Turn turn : turns) {
            for (Turn before : ownersDuring(turn)) {
                if (before.toMs == turn.fromMs) {
                    JfrTestRecordings.enter(
                            chunk,
                            10 + turn.thread,
                            us(turn.arrivesMs),
                            us(turn.fromMs - turn.arrivesMs),
                            10 + before.thread,
                            0x10);
                }
            }
            if (turn.activity == Activity.SLEEPS) {
                JfrTestRecordings.ofThread(
                        chunk,
                        SLEEP,
                        10 + turn.thread,
                        us(turn.middleFromMs()),
                        us(turn.middleToMs() - turn.middleFromMs()),
                        out -> out.number(9));
            }
        }
        return chunk.checkpoint().metadata().toByteArray();
    }

    private static long us(double ms) {
        return Math.round(ms * 1000);
    }

    private static String name(int thread) {
        return "thread-" + (char) ('a' + thread);
    }

    /** What a recorder of the same wrote, with the kernel's events if it had these. */
    public SyntheticJvmTrace recorded(boolean withScheduler) {
        SyntheticJvmTrace stage = new SyntheticJvmTrace();
        for (int thread = 0; thread < THREADS; thread++) {
            stage.name(FIRST_TID + thread, name(thread));
        }
        if (withScheduler) {
            stage.foreign(PREEMPTING, "other");
        }
        for (Turn turn : turns) {
            events(stage, turn);
            if (withScheduler) {
                states(stage, turn);
            }
        }
        return stage;
    }

    /** The turns of other threads during a wait. */
    private List<Turn> ownersDuring(Turn turn) {
        return turns.stream()
                .filter(other -> other.fromMs < turn.fromMs && other.toMs > turn.arrivesMs)
                .toList();
    }

    /** The number of threads that wait when another one arrives. */
    private long waitersBefore(Turn turn) {
        return turns.stream()
                .filter(other -> other.arrivesMs < turn.arrivesMs && other.fromMs > turn.arrivesMs)
                .count();
    }

    /** Where the owner changes, its intervals are nested. */
    private void events(SyntheticJvmTrace stage, Turn turn) {
        int tid = FIRST_TID + turn.thread;
        List<Turn> owners = ownersDuring(turn);
        if (!owners.isEmpty()) {
            int last = owners.getLast().thread;
            stage.waitsAsRecorded(tid, turn.arrivesMs, turn.fromMs, name(last), FIRST_TID + last, waitersBefore(turn));
        }
        for (Turn owner : owners.size() > 1 ? owners : List.<Turn>of()) {
            String name = "Lock contention on a monitor lock (owner tid: " + (FIRST_TID + owner.thread) + ")";
            stage.slice(tid, Math.max(turn.arrivesMs, owner.fromMs), owner.toMs, "", name);
        }
        switch (turn.activity) {
            case SLEEPS -> stage.slice(tid, turn.middleFromMs(), turn.middleToMs(), "sleep", "sleeping");
            case IS_IN_GC_PAUSE ->
                stage.stop(turn.middleFromMs(), turn.middleToMs(), "gc", "GC pause: G1New (G1 Evacuation Pause)");
            default -> {}
        }
    }

    /** A thread runs until it waits, and from then on; what it does with the lock may interrupt that. */
    private static void states(SyntheticJvmTrace stage, Turn turn) {
        double fromMs = turn.arrivesMs - 0.2;
        if (turn.arrivesMs < turn.fromMs) {
            runs(stage, turn.thread, fromMs, turn.arrivesMs, SchedState.SLEEPING);
            fromMs = turn.fromMs;
        }
        if (turn.activity != Activity.RUNS) {
            boolean isPreempted = turn.activity == Activity.IS_PREEMPTED;
            SchedState then = isPreempted ? SchedState.RUNNABLE_PREEMPTED : SchedState.SLEEPING;
            runs(stage, turn.thread, fromMs, turn.middleFromMs(), then);
            fromMs = turn.middleToMs();
            if (isPreempted) {
                stage.runs(turn.thread, PREEMPTING, "other", turn.middleFromMs(), fromMs, SchedState.RUNNABLE);
            }
        }
        runs(stage, turn.thread, fromMs, turn.toMs, SchedState.SLEEPING);
    }

    /** Each thread has a CPU of its own. */
    private static void runs(SyntheticJvmTrace stage, int thread, double fromMs, double toMs, SchedState then) {
        stage.runs(thread, FIRST_TID + thread, name(thread), fromMs, toMs, then);
    }
}
