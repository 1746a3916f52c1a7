package dev.unjank.scene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A random scheduler, on three CPUs and nine threads, keeps its own record. The same as a scene, written and read
 * back, must equal that record to the nanosecond.
 */
class RandomSceneTest {
    private static final int CPUS = 3;
    private static final int THREADS = 9;
    private static final int STEPS = 3000;

    @TempDir
    private Path dir;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void randomDecisionsRoundTrip(long seed) throws IOException, UnusableTraceException {
        Machine machine = new Machine(seed);
        machine.play();
        for (WireFormat format : List.of(WireFormat.PLAIN, WireFormat.COMPACT, WireFormat.COMPRESSED)) {
            Path file = Files.write(dir.resolve("random.pftrace"), machine.scene.toBytes(format));
            Trace trace = TraceReader.read(file);
            assertThat(trace.warnings()).isEmpty();
            for (Machine.Player player : machine.players) {
                int utid = trace.threads().find(player.thread.tid(), trace.endNs());
                assertThat(states(trace, utid))
                        .as("%s in %s", player.thread, format)
                        .isEqualTo(player.states);
                assertThat(slices(trace, utid))
                        .as("%s in %s", player.thread, format)
                        .isEqualTo(player.slices);
            }
        }
    }

    private static List<String> states(Trace trace, int utid) {
        ThreadStates states = trace.threadStates();
        List<String> lines = new ArrayList<>();
        for (int row = states.first(utid); row < states.end(utid); row++) {
            lines.add(states.ts(row) - Scene.START_NS + " " + states.state(row)
                    + (states.state(row) == SchedState.RUNNING ? " cpu " + states.cpu(row) : ""));
        }
        return lines;
    }

    private static List<String> slices(Trace trace, int utid) {
        Slices slices = trace.slices();
        List<String> lines = new ArrayList<>();
        for (int row = slices.first(utid); row < slices.end(utid); row++) {
            lines.add(slices.ts(row) - Scene.START_NS + " " + slices.name(row) + " depth " + slices.depth(row));
        }
        return lines;
    }

    private static final class Machine {
        final Scene scene = new Scene();
        final List<Player> players = new ArrayList<>();
        private final @Nullable Player[] onCpu = new @Nullable Player[CPUS];
        private final Random random;
        private long now;

        Machine(long seed) {
            random = new Random(seed);
            SceneProcess process = scene.process(100, "process");
            for (int i = 0; i < THREADS; i++) {
                players.add(new Player(process.thread(100 + i, "thread " + i, 100 + random.nextInt(40))));
            }
        }

        void play() {
            for (int step = 0; step < STEPS; step++) {
                now += 1 + random.nextInt(50_000);
                Player player = players.get(random.nextInt(THREADS));
                if (player.cpu >= 0) {
                    leaveOrMark(player);
                } else if (player.ready) {
                    dispatch(player);
                } else {
                    wake(player);
                }
            }
            now++;
            for (Player player : players) {
                if (player.cpu >= 0) {
                    player.leave(SchedState.SLEEPING);
                } else if (player.ready) {
                    player.thread.runnable(now);
                } else if (player.sleep == SchedState.UNINTERRUPTIBLE) {
                    player.thread.sleepsUninterruptibly(now, false, null);
                }
            }
        }

        private void leaveOrMark(Player player) {
            switch (random.nextInt(5)) {
                case 0 -> player.leave(SchedState.RUNNABLE_PREEMPTED);
                case 1 -> player.leave(SchedState.SLEEPING);
                case 2 -> player.leave(SchedState.UNINTERRUPTIBLE);
                case 3 -> player.begin("slice " + now);
                default -> player.end();
            }
        }

        /** On any CPU: an idle one, or by preemption of the running thread. */
        private void dispatch(Player player) {
            int cpu = random.nextInt(CPUS);
            Player there = onCpu[cpu];
            if (there != null && there.since < now) {
                there.leave(SchedState.RUNNABLE_PREEMPTED);
            }
            player.run(cpu);
        }

        private void wake(Player player) {
            Player waker = players.get(random.nextInt(THREADS));
            player.wake(waker.cpu >= 0 ? waker : null); // it is running, as every step takes time
        }

        /** A thread's timeline and the record of it. */
        final class Player {
            final SceneThread thread;
            final List<String> states = new ArrayList<>();
            final List<String> slices = new ArrayList<>();
            private int cpu = -1;
            private boolean ready;
            private SchedState sleep = SchedState.SLEEPING;
            private int depth;
            private long since;

            Player(SceneThread thread) {
                this.thread = thread;
            }

            void wake(@Nullable Player waker) {
                if (sleep == SchedState.UNINTERRUPTIBLE) {
                    thread.sleepsUninterruptibly(now, random.nextBoolean(), "function " + random.nextInt(3));
                } else {
                    thread.sleeps(now);
                }
                if (waker != null) {
                    thread.wokenBy(waker.thread);
                }
                ready = true;
                record(SchedState.RUNNABLE, "");
            }

            void run(int onto) {
                thread.runnable(now);
                ready = false;
                cpu = onto;
                onCpu[cpu] = this;
                record(SchedState.RUNNING, " cpu " + cpu);
            }

            void leave(SchedState state) {
                thread.runs(cpu, now);
                onCpu[cpu] = null;
                cpu = -1;
                ready = state == SchedState.RUNNABLE_PREEMPTED;
                sleep = state;
                record(state, "");
            }

            void begin(String name) {
                thread.runs(cpu, now).begin(name);
                slices.add(now + " " + name + " depth " + depth++);
            }

            void end() {
                if (depth > 0) {
                    thread.runs(cpu, now).end();
                    depth--;
                }
            }

            private void record(SchedState state, String more) {
                states.add(now + " " + state + more);
                since = now;
            }
        }
    }
}
