package dev.unjank.doctor.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A chain of threads, each on a CPU of its own and each waiting for the next at random times. */
class BlameTreePropertyTest {

    @Property(tries = 150)
    void theLeavesAddUpToEachIncident(@ForAll long seed) {
        Random random = new Random(seed);
        Scene scene = new Scene();
        SceneProcess app = scene.process(1000, "com.example.app");
        List<SceneThread> chain = new ArrayList<>();
        chain.add(app.mainThread("com.example.app", 100 + random.nextInt(40)));
        for (int i = 1; i < 4; i++) {
            chain.add(app.thread(1000 + i, "worker " + i, 100 + random.nextInt(40)));
        }
        for (int i = 0; i < chain.size(); i++) {
            tell(chain.get(i), i, chain.get(random.nextInt(chain.size())), random);
        }
        Diagnosis diagnosis = SceneDiagnoses.diagnose(scene, SceneDiagnoses.EVERYTHING);
        assertThat(diagnosis.incidents()).hasSize(diagnosis.search().waits());
        SceneDiagnoses.assertSound(diagnosis);
    }

    /**
     * Twenty states, among them sleeps, some of which are waits for the lock of {@code owner}; the last may never end.
     */
    private static void tell(SceneThread thread, int cpu, SceneThread owner, Random random) {
        long now = 0;
        for (int i = 0; i < 20; i++) {
            thread.runs(cpu, now += 1 + random.nextInt(500_000));
            switch (random.nextInt(4)) {
                case 0 -> thread.runnable(now += 1 + random.nextInt(500_000));
                case 1 -> thread.sleeps(now += 1 + random.nextInt(500_000));
                case 2 -> {
                    thread.sleepsUninterruptibly(now += 1 + random.nextInt(500_000), random.nextBoolean(), null);
                    thread.runnable(now += 1 + random.nextInt(5_000));
                }
                default -> {
                    if (owner != thread) {
                        thread.blocksOn(ArtContention.heldBy(owner)).sleeps(now += 1 + random.nextInt(500_000));
                        if (i < 19) {
                            thread.runs(cpu, now += 1 + random.nextInt(5_000)).acquires();
                        }
                    }
                }
            }
        }
    }
}
