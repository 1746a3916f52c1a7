package dev.unjank.doctor.find.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.find.code.CodeLocationParser;
import dev.unjank.doctor.find.lock.LockContention.Kind;
import dev.unjank.doctor.model.CodeLocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LockContentionParserTest {
    private static final String NEXT = "android.os.Message android.os.MessageQueue.next()(MessageQueue.java:348)";
    private static final String ENQUEUE =
            "boolean android.os.MessageQueue.enqueueMessage(android.os.Message, long)(MessageQueue.java:594)";

    private static LockContention parse(String name) {
        LockContention contention = LockContentionParser.parse(name);
        assertThat(contention).as(name).isNotNull();
        return contention;
    }

    @Test
    void monitorSlice() {
        assertThat(parse("monitor contention with owner binder:3363_2 (3384) at " + ENQUEUE
                        + " waiters=2 blocking from " + NEXT))
                .isEqualTo(new LockContention(
                        Kind.MONITOR,
                        "monitor",
                        "binder:3363_2",
                        3384,
                        new CodeLocation("android.os.MessageQueue.enqueueMessage", "MessageQueue.java", 594),
                        2,
                        new CodeLocation("android.os.MessageQueue.next", "MessageQueue.java", 348)));
    }

    @Test
    void monitorsOfAKnownClass() {
        assertThat(parse("monitor contention with owner worker (102) waiters=3 lock=app.Store$Entry[] blocking from "
                        + NEXT))
                .isEqualTo(new LockContention(
                        Kind.MONITOR,
                        "app.Store$Entry[]",
                        "worker",
                        102,
                        null,
                        3,
                        new CodeLocation("android.os.MessageQueue.next", "MessageQueue.java", 348)));
        assertThat(parse("monitor contention with owner <unknown> (0) waiters=0 lock=java.lang.Class"))
                .isEqualTo(new LockContention(Kind.MONITOR, "java.lang.Class", null, 0, null, 0, null));
    }

    @Test
    void parksWithANamedOrUnknownOwnerAreWaitsForALock() {
        assertThat(parse("parking on a.Lock$Sync (owner tid: 102) blocking from " + NEXT))
                .isEqualTo(new LockContention(
                        Kind.PARK,
                        "a.Lock$Sync",
                        null,
                        102,
                        null,
                        0,
                        new CodeLocation("android.os.MessageQueue.next", "MessageQueue.java", 348)));
        assertThat(parse("parking on a.Lock (owner tid: 0)"))
                .isEqualTo(new LockContention(Kind.PARK, "a.Lock", null, 0, null, 0, null));
        assertThat(LockContentionParser.parse("parking on a.Lock")).isNull();
    }

    /** Real names, and some that contain the words between the parts. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "main",
                "lowpool[69]",
                "Background (GC) thread",
                "pool (2)",
                "pool (2) (3)",
                "",
                " ",
                "com.android.providers.media.internal.modules.utils.BackgroundThread",
                "look (7) at me",
                "x (1) at void a.B.c()(B.java:1)",
                "odd waiters=3 blocking from nowhere"
            })
    void anyThreadName(String name) {
        LockContention whole = parse(
                "monitor contention with owner " + name + " (41) at " + ENQUEUE + " waiters=1 blocking from " + NEXT);
        assertThat(whole.ownerName()).isEqualTo(name);
        assertThat(whole.ownerId()).isEqualTo(41);
        assertThat(whole.waiters()).isEqualTo(1);
        assertThat(whole.ownerLocation()).isNotNull();
        assertThat(whole.blockedLocation()).isNotNull();
    }

    @Test
    void withoutTheOwnersMethod() {
        LockContention contention =
                parse("monitor contention with owner binder:1858_1D (179) waiters=2 blocking from " + NEXT);
        assertThat(contention.ownerName()).isEqualTo("binder:1858_1D");
        assertThat(contention.ownerId()).isEqualTo(179);
        assertThat(contention.ownerLocation()).isNull();
        assertThat(contention.waiters()).isEqualTo(2);
        assertThat(contention.blockedLocation())
                .isEqualTo(new CodeLocation("android.os.MessageQueue.next", "MessageQueue.java", 348));
    }

    @Test
    void aLocationThatIsNoFile() {
        String place = ":com.google.android.gms@223016044@22.30.16 (190400-468027120)";
        LockContention contention = parse("monitor contention with owner netscheduler-queue-handler (41) at"
                + " boolean bgik.handleMessage(android.os.Message)(" + place + ":2) waiters=0"
                + " blocking from void bgin.a(bgik)(" + place + ":1)");
        assertThat(contention.ownerName()).isEqualTo("netscheduler-queue-handler");
        assertThat(contention.ownerLocation()).isEqualTo(new CodeLocation("bgik.handleMessage", place, 2));
        assertThat(contention.blockedLocation()).isEqualTo(new CodeLocation("bgin.a", place, 1));
        assertThat(contention.blockedLocation().source()).isEqualTo(place + ":1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "java.lang.String libcore.io.Linux.readBytes(byte[], int)(Linux.java:-2) | libcore.io.Linux.readBytes | Linux.java:-2",
                "void a.B.<init>()(B.java:7)          | a.B.<init>               | B.java:7",
                "void java.lang.Object.wait!(long, int)(Object.java:-2) | java.lang.Object.wait! | Object.java:-2",
                "void a.B.run()(UNIXProcess.java:-1)  | a.B.run                  | UNIXProcess.java:-1",
                "void a.B.run()(SourceFile)           | a.B.run                  | SourceFile:-1",
                "void a.B.run()(PG:x)                 | a.B.run                  | PG:x:-1",
                "void a.B.run()(B.java:99999999999)   | a.B.run                  | B.java:99999999999:-1",
                "void a.B.run()()                     | a.B.run                  |",
                "void a.B.run(int                     | a.B.run                  |",
                "void a.B.run()(B.jav                 | a.B.run                  |",
                "a.B.run                              | a.B.run                  |",
            })
    void locations(String text, String method, String source) {
        CodeLocation site = CodeLocationParser.location(text);
        assertThat(site.method()).isEqualTo(method);
        assertThat(site.source()).isEqualTo(source);
    }

    @Test
    void nativeMethodsAreKnownByTheirLine() {
        assertThat(CodeLocationParser.location("void a.B.c()(B.java:-2)").isNative())
                .isTrue();
        assertThat(CodeLocationParser.location("void a.B.c()(B.java:-1)").isNative())
                .isFalse();
    }

    @Test
    void aMethodUnknownToTheRuntime() {
        assertThat(CodeLocationParser.location("null(null:0)")).isNull();
        assertThat(CodeLocationParser.location("")).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a monitor lock (owner tid: 11237)      | a monitor lock             | 11237",
                "thread list lock (owner tid: 0)        | thread list lock           | 0",
                "an rosalloc size bracket 10 lock (owner tid: 31) | an rosalloc size bracket 10 lock | 31",
                "visibly initialized callback lock (owner tid: 18446744073709551615) | visibly initialized callback lock | 0",
                "Jit code cache                         | Jit code cache             | 0",
                "task queue lock (owner tid: 12         | task queue lock            | 12",
            })
    void runtimeLocks(String text, String lock, int owner) {
        LockContention contention = parse("Lock contention on " + text);
        assertThat(contention.kind()).isEqualTo(Kind.RUNTIME);
        assertThat(contention.lock()).isEqualTo(lock);
        assertThat(contention.ownerId()).isEqualTo(owner);
        assertThat(contention.ownerName()).isNull();
    }

    @Test
    void pthreadMutexHasNoOwner() {
        LockContention contention = parse("Contending for pthread mutex");
        assertThat(contention.kind()).isEqualTo(Kind.PTHREAD);
        assertThat(contention.ownerId()).isEqualTo(LockContention.NO_OWNER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "monitor", "Choreographer#doFrame", "monitor contention", "lock contention on x", "GC"})
    void othersAreNoContention(String name) {
        assertThat(LockContentionParser.parse(name)).isNull();
    }

    /** Atrace cuts a name at 1024 bytes: the rest is parsed without an exception. */
    @Test
    void cutAnywhere() {
        String name =
                "monitor contention with owner lowpool[5] (15129) at boolean a.B.t(int)(B.java:-2) waiters=0 blocking"
                        + " from void c.D.e()(:x@1 (2-3):8)";
        for (int end = "monitor contention with owner ".length(); end <= name.length(); end++) {
            LockContention contention = parse(name.substring(0, end));
            if (end >= name.indexOf(" at ")) {
                assertThat(contention.ownerName()).as(name.substring(0, end)).isEqualTo("lowpool[5]");
                assertThat(contention.ownerId()).isEqualTo(15129);
            }
        }
    }
}
