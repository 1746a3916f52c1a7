package dev.unjank.scene;

import static dev.unjank.scene.Scene.ms;
import static dev.unjank.scene.Scene.us;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.trace.write.WireFormat;
import org.junit.jupiter.api.Test;

/** Scenes that are rejected, and the names of contention slices. The derived events are tested by reading them back. */
class SceneTest {
    private final Scene scene = new Scene();
    private final SceneProcess app = scene.process(1000, "com.example.app");
    private final SceneThread main = app.mainThread("com.example.app", 110);
    private final SceneThread worker = app.thread(1001, "worker", 120);

    @Test
    void timesAreNanoseconds() {
        assertThat(ms(9.148)).isEqualTo(9_148_000);
        assertThat(us(0.5)).isEqualTo(500);
        assertThat(Scene.traceTime(5)).isEqualTo(Scene.START_NS + 5);
    }

    @Test
    void refusesTwoThreadsOnOneCpu() {
        main.runs(0, ms(2));
        worker.sleeps(ms(1)).runs(0, ms(3));
        assertThatThrownBy(this::write)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("com.example.app and worker both run on cpu 0 at 1000000 ns");
    }

    @Test
    void refusesAMarkOfASleepingThread() {
        main.runs(0, ms(1)).sleeps(ms(2)).begin("dream").sleeps(ms(3));
        assertThatThrownBy(this::write)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("com.example.app (1000) is not running at 2000000 ns");
    }

    @Test
    void refusesAWakerThatDoesNotRun() {
        worker.runs(1, ms(1));
        main.sleeps(ms(2)).wokenBy(worker).runnable(ms(2.1)).runs(0, ms(3));
        assertThatThrownBy(this::write)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("worker (1001) is not running before and after 2000000 ns, so it cannot wake"
                        + " com.example.app (1000)");
    }

    @Test
    void refusesAWakingThatWouldLeaveNoTrace() {
        main.runs(0, ms(1)).sleepsUninterruptibly(ms(2), true, null).runs(0, ms(3));
        assertThatThrownBy(this::write)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("com.example.app (1000) is woken at 2000000 ns, so its next state must be runnable");
    }

    @Test
    void rejectsAWakeupOfARunningThread() {
        main.runs(0, ms(1));
        assertThatThrownBy(() -> main.wokenBy(worker)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesTimeThatRunsBackwards() {
        main.runs(0, ms(2));
        assertThatThrownBy(() -> main.sleeps(ms(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("com.example.app (1000): SLEEPS until 2000000 ns, but it is 2000000");
    }

    @Test
    void refusesToMigrateARunningThread() {
        main.runs(0, ms(1));
        assertThatThrownBy(() -> main.runs(1, ms(2))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesToEndASliceThatIsNotOpen() {
        main.runs(0, ms(1));
        assertThatThrownBy(main::end).isInstanceOf(IllegalStateException.class).hasMessageContaining("no open slice");
    }

    @Test
    void refusesASecondThreadOfOneTid() {
        assertThatThrownBy(() -> app.thread(1001, "impostor", 120)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesLifeAfterExit() {
        main.runs(0, ms(1)).exits();
        assertThatThrownBy(() -> main.sleeps(ms(2))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> main.begin("afterlife")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesToSpawnAThreadThatHasAStory() {
        worker.runs(1, ms(1));
        main.runs(0, ms(1));
        assertThatThrownBy(() -> main.spawns(worker)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void keepsFifteenCharactersOfAName() {
        assertThat(app.thread(1002, "a name longer than comm", 120).comm()).isEqualTo("a name longer t");
    }

    @Test
    void contentionAsAndroid15SpellsIt() {
        ArtContention contention = ArtContention.heldBy(worker);
        assertThat(contention.outerSlice())
                .isEqualTo("monitor contention with owner worker (1001) at boolean"
                        + " android.os.MessageQueue.enqueueMessage(android.os.Message, long)(MessageQueue.java:594)"
                        + " waiters=0 blocking from android.os.Message"
                        + " android.os.MessageQueue.next()(MessageQueue.java:348)");
        assertThat(contention.nestedSlice()).isEqualTo("Lock contention on a monitor lock (owner tid: 1001)");
    }

    @Test
    void contentionAsAndroid13SpellsItWithoutThePlace() {
        ArtContention contention = ArtContention.heldBy(worker)
                .ownerName("android.display")
                .artThreadId(16)
                .waiters(1)
                .at(null, "void a.B.run()(B.java:119)");
        assertThat(contention.outerSlice())
                .isEqualTo("monitor contention with owner android.display (16) waiters=1"
                        + " blocking from void a.B.run()(B.java:119)");
        assertThat(contention.nestedSlice()).endsWith("(owner tid: 1001)");
        assertThat(contention.nestedTid(0).nestedSlice()).endsWith("(owner tid: 0)");
        assertThat(contention.withoutNestedSlice().nestedSlice()).isNull();
    }

    private void write() {
        scene.toBytes(WireFormat.PLAIN);
    }
}
