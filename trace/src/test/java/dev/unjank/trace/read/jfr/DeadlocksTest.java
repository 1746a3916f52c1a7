package dev.unjank.trace.read.jfr;

import static dev.unjank.fixture.jfr.JfrTestRecordings.MAIN;
import static dev.unjank.fixture.jfr.JfrTestRecordings.START_TICKS;
import static dev.unjank.fixture.jfr.JfrTestRecordings.WORKER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.jfr.JfrChunkWriter;
import dev.unjank.fixture.jfr.JfrChunkWriter.F;
import dev.unjank.fixture.jfr.JfrTestRecordings;
import dev.unjank.trace.model.Trace;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Deadlocks in thread dumps become waits that last until the end of the recording, after 1 s; other waits in dumps do
 * not.
 */
class DeadlocksTest {
    private static final String DUMP = "jdk.ThreadDump";

    private static final String TAIL = """

            Java stack information for the threads listed above:
            ===================================================
            "main":
            \tat app.Bank.transfer(Bank.java:99)

            Found 1 deadlock.
            """;

    /** Main has the monitor 0xa1 and waits for 0xb2, which worker has; saver waits for 0xa1. */
    private static final String MONITORS = """
            2026-11-27 20:54:15
            Full thread dump OpenJDK 64-Bit Server VM (25.0.3+9-LTS mixed mode, sharing):

            "main" #1 [101] prio=5 os_prio=0 cpu=0.55ms elapsed=2.92s tid=0x00007fe8b4189170 nid=101 waiting for monitor entry  [0x00007fe8b89cb000]
               java.lang.Thread.State: BLOCKED (on object monitor)
            \tat app.Bank.withdraw(Bank.java:21)
            \t- waiting to lock <0x00000000000000b2> (a app.Account)
            \tat app.Bank.transfer(Bank.java:12)
            \t- locked <0x00000000000000a1> (a app.Account)
            \tat app.Main$$Lambda/0x000000005e0c0420.run(Unknown Source)
            \tat java.lang.Thread.run(java.base@25.0.3/Thread.java:1474)

            "worker" #12 [102] daemon prio=5 os_prio=0 cpu=0.25ms elapsed=2.92s tid=0x00007fe8b418a8b0 nid=0x66 waiting for monitor entry  [0x00007fe8b88cb000]
               java.lang.Thread.State: BLOCKED (on object monitor)
            \tat app.Bank.deposit(Bank.java:31)
            \t- waiting to lock <0x00000000000000a1> (a app.Account)
            \t- locked <0x00000000000000b2> (a app.Account)

            "saver" #13 [103] daemon prio=5 os_prio=0 cpu=0.25ms elapsed=2.92s tid=0x00007fe8b418a8b0 nid=103 waiting for monitor entry  [0x00007fe8b88cb000]
               java.lang.Thread.State: BLOCKED (on object monitor)
            \tat app.Saver.save(Saver.java:7)
            \t- waiting to lock <0x00000000000000a1> (a app.Account)

            "idle" #14 [104] daemon prio=5 os_prio=0 cpu=0.25ms elapsed=2.92s tid=0x00007fe8b418a8b0 nid=104 in Object.wait()  [0x00007fe8b88cb000]
               java.lang.Thread.State: WAITING (on object monitor)
            \tat java.lang.Object.wait0(java.base@25.0.3/Native Method)
            \t- waiting on <0x00000000000000c3> (a app.Queue)
            \tat app.Idle.run(Idle.java:7)
            \t- locked <0x00000000000000c3> (a app.Queue)

            "other" #15 [105] daemon prio=5 os_prio=0 cpu=0.25ms elapsed=2.92s tid=0x00007fe8b418a8b0 nid=105 waiting for monitor entry  [0x00007fe8b88cb000]
               java.lang.Thread.State: BLOCKED (on object monitor)
            \tat app.Other.run(Other.java:7)
            \t- waiting to lock <0x00000000000000c3> (a app.Queue)
            """;

    private static final String MONITOR_CIRCLE = """

            Found one Java-level deadlock:
            =============================
            "main":
              waiting to lock monitor 0x00007fe868002b50 (object 0x00000000000000b2, a app.Account),
              which is held by "worker"

            "worker":
              waiting to lock monitor 0x00007fe85c001b00 (object 0x00000000000000a1, a app.Account),
              which is held by "main"
            """;

    private static final String LOCKS = """
            "main" #1 [101] prio=5 os_prio=0 cpu=0.55ms elapsed=2.92s tid=0x00007fe8b4189170 nid=101 waiting on condition  [0x00007fe8b89cb000]
               java.lang.Thread.State: WAITING (parking)
            \tat jdk.internal.misc.Unsafe.park(java.base@25.0.3/Native Method)
            \t- parking to wait for  <0x00000000000000b2> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
            \tat app.Bank.withdraw(Bank.java:21)

            "worker" #12 [102] daemon prio=5 os_prio=0 cpu=0.25ms elapsed=2.92s tid=0x00007fe8b418a8b0 nid=102 waiting on condition  [0x00007fe8b88cb000]
               java.lang.Thread.State: WAITING (parking)
            \tat jdk.internal.misc.Unsafe.park(java.base@25.0.3/Native Method)
            \t- parking to wait for  <0x00000000000000a1> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
            \tat app.Bank.deposit(Bank.java:31)

            Found one Java-level deadlock:
            =============================
            "main":
              waiting for ownable synchronizer 0x00000000000000b2, (a java.util.concurrent.locks.ReentrantLock$NonfairSync),
              which is held by "worker"

            "worker":
              waiting for ownable synchronizer 0x00000000000000a1, (a java.util.concurrent.locks.ReentrantLock$NonfairSync),
              which is held by "main"
            """;

    private final JfrChunkWriter chunk = JfrTestRecordings.chunk();

    DeadlocksTest() {
        chunk.eventType(DUMP, new F("startTime", JfrChunkWriter.LONG), new F("result", JfrChunkWriter.STRING));
    }

    private DeadlocksTest dump(long us, String text) {
        chunk.event(DUMP, out -> out.number(START_TICKS + us).text(text));
        return this;
    }

    private DeadlocksTest sample(long thread, long us) {
        JfrTestRecordings.sample(chunk, thread, us);
        return this;
    }

    private Trace read() {
        return SmallRecordings.read(chunk.checkpoint().metadata());
    }

    private List<String> openWaits() {
        Trace trace = read();
        return SmallRecordings.slices(trace).stream()
                .filter(text -> text.contains("owner"))
                .toList();
    }

    @Test
    void aCircleOfMonitorsAndThoseBehindItWaitFromTheirLastEventOn() {
        sample(MAIN, 1_000).sample(WORKER, 2_000).dump(5_000, MONITORS + MONITOR_CIRCLE + TAIL);
        Trace trace = read();
        String of = "monitor contention with owner ";
        assertThat(SmallRecordings.slices(trace))
                .containsExactlyInAnyOrder(
                        "main 1000+999000 " + of + "worker (102) at app.Bank.deposit()(Bank.java:31) waiters=0"
                                + " blocking from app.Bank.withdraw()(Bank.java:21)",
                        "main 1000+999000 Lock contention on a monitor lock (owner tid: 102)",
                        "worker 2000+998000 " + of + "main (101) at app.Bank.transfer()(Bank.java:12) waiters=0"
                                + " blocking from app.Bank.deposit()(Bank.java:31)",
                        "worker 2000+998000 Lock contention on a monitor lock (owner tid: 101)",
                        "saver 0+1000000 " + of + "main (101) at app.Bank.transfer()(Bank.java:12) waiters=0"
                                + " blocking from app.Saver.save()(Saver.java:7)",
                        "saver 0+1000000 Lock contention on a monitor lock (owner tid: 101)");
        for (int row = 0; row < trace.slices().size(); row++) {
            assertThat(trace.slices().isOpen(row)).isTrue();
        }
        int ofMain = 2;
        assertThat(trace.args().text(ofMain, "debug." + JfrChunks.LOCK_CLASS)).isEqualTo("app.Account");
        assertThat(trace.args().text(ofMain, "debug." + JfrChunks.STACK).lines())
                .contains("app.Main$$Lambda.0x000000005e0c0420.run()()", "java.lang.Thread.run()(Thread.java:1474)")
                .first()
                .isEqualTo("app.Bank.withdraw()(Bank.java:21)");
        assertThat(trace.args().text(ofMain + 1, "debug." + JfrChunks.OWNER_STACK))
                .isEqualTo("app.Bank.deposit()(Bank.java:31)");
    }

    @Test
    void aCircleOfJavaUtilConcurrentLocks() {
        assertThat(sample(MAIN, 1_000)
                        .sample(WORKER, 2_000)
                        .dump(5_000, LOCKS + TAIL)
                        .openWaits())
                .containsExactlyInAnyOrder(
                        "main 1000+999000 parking on java.util.concurrent.locks.ReentrantLock$NonfairSync (owner tid: 102)"
                                + " blocking from jdk.internal.misc.Unsafe.park()(Native Method)",
                        "worker 2000+998000 parking on java.util.concurrent.locks.ReentrantLock$NonfairSync (owner tid: 101)"
                                + " blocking from jdk.internal.misc.Unsafe.park()(Native Method)");
    }

    @Test
    void theWaitBeginsAfterADumpWithoutIt() {
        assertThat(sample(MAIN, 1_000)
                        .dump(3_000, MONITORS)
                        .dump(5_000, MONITORS + MONITOR_CIRCLE + TAIL)
                        .dump(7_000, MONITORS + MONITOR_CIRCLE + TAIL)
                        .openWaits())
                .hasSize(6)
                .allMatch(wait -> wait.contains(" 3000+997000 "));
    }

    @Test
    void withoutACircleThereIsNone() {
        assertThat(dump(5_000, MONITORS).openWaits()).isEmpty();
    }

    @Test
    void aWaitWithATimeLimitEnds() {
        String timed = LOCKS.replaceFirst("WAITING", "TIMED_WAITING");
        assertThat(dump(5_000, timed + TAIL).openWaits()).isEmpty();
    }

    /** Such as a thread that waits in lockInterruptibly and is interrupted. */
    @Test
    void aThreadWithALaterEventWentOn() {
        assertThat(dump(5_000, MONITORS + MONITOR_CIRCLE + TAIL)
                        .sample(WORKER, 6_000)
                        .openWaits())
                .isEmpty();
    }

    @Test
    void aLaterDumpWithoutTheCircleEndsIt() {
        assertThat(dump(5_000, LOCKS + TAIL).dump(6_000, MONITORS).openWaits()).isEmpty();
    }

    @Test
    void aDumpThatIsCutOrOfAnotherFormIsNone() {
        String whole = LOCKS + TAIL;
        for (int end = 0; end < whole.length(); end += 7) {
            assertThat(ThreadDump.deadlocked(whole.substring(0, end)).size()).isIn(0, 2);
        }
    }

    /** Numbers that no JVM writes, and lines that none does. */
    @Test
    void aHostileDumpIsNone() {
        String manyDigits = LOCKS.replace("#12", "#" + "9".repeat(40)).replace("nid=101", "nid=0x" + "f".repeat(40));
        String longLine = LOCKS.replace("\"worker\" #12", "\"worker\" #12" + " nid=\" #1 ".repeat(200_000));
        assertThat(ThreadDump.deadlocked(manyDigits + TAIL)).isEmpty();
        assertThat(ThreadDump.deadlocked(longLine + TAIL)).isEmpty();
    }
}
