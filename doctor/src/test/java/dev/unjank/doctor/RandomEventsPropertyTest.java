package dev.unjank.doctor;

import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.scene.TraceInvariants;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Trace;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Events that no machine makes: drawn at random from few threads, few CPUs and few times, so that many are equal, ends
 * come before beginnings, threads run on two CPUs, wait for each other in circles, and half of what belongs together is
 * not there. Whatever the doctor makes of it adds up.
 */
class RandomEventsPropertyTest {
    private static final int THREADS = 5;
    private static final int PID = 1000;
    private static final int OTHER_PID = 1003;
    private static final SchedState[] STATES = SchedState.values();

    private static final String[] NAMES = {
        "Lock contention on thread list lock (owner tid: %d)",
        "Lock contention on a monitor lock (owner tid: %d)",
        "monitor contention with owner thread (%d) at void a.B.c()(B.java:1) waiters=2 blocking from void d.E.f()(E.java:2)",
        "monitor contention with owner main (%d) at void a.B.c()(B.java:-2)",
        "Lock contention on GC complete lock (owner tid: %d)",
        "Contending for pthread mutex",
        "IncrementalDisableThreadFlip",
        "FlipThreadRoots",
        "ThreadListFlip",
        "Background concurrent copying GC",
        "Mutator threads suspended for ScopedPause",
        "GC: Wait For Completion Alloc",
        "Choreographer#doFrame 17",
        "work",
    };

    private final TraceBuilder builder = new TraceBuilder("soup");

    @Property(tries = 300)
    void itAddsUp(@ForAll long seed) {
        new RandomEventsPropertyTest().cook(new Random(seed));
    }

    /** A thread serves a call within its own call, and the trace ends in the middle of both. */
    @Example
    void itAddsUpWhereACallServesItselfAtTheEnd() {
        new RandomEventsPropertyTest().cook(new Random(1518));
    }

    private void cook(Random random) {
        builder.kernel().process(0, PID, 1, builder.intern("com.example.app"));
        builder.kernel().process(0, OTHER_PID, random.nextInt(3), builder.intern("server"));
        for (int tid = PID; tid < PID + THREADS; tid++) {
            builder.kernel().thread(0, tid, tid < OTHER_PID ? PID : OTHER_PID, builder.intern("thread"));
        }
        int events = random.nextInt(400);
        long grain = random.nextBoolean() ? 1 : 300_000;
        int mq = builder.intern("mq");
        int track = builder.tracks().newTrack(PID, PID);
        for (int i = 0; i < events; i++) {
            long ts = random.nextInt(60) * grain;
            int tid = PID + random.nextInt(THREADS);
            int other = PID + random.nextInt(THREADS);
            int pid = tid < OTHER_PID ? PID : OTHER_PID;
            switch (random.nextInt(14)) {
                case 0, 1, 2, 3 -> {
                    int name = builder.intern("thread");
                    SchedState state = STATES[random.nextInt(STATES.length)];
                    int cpu = random.nextInt(3);
                    builder.kernel()
                            .schedSwitch(
                                    ts,
                                    cpu,
                                    random.nextInt(3) == 0 ? 0 : other,
                                    name,
                                    priority(random),
                                    state,
                                    tid,
                                    name,
                                    priority(random));
                }
                case 4 -> builder.kernel().waking(ts, random.nextInt(3), other, tid, priority(random));
                case 5 -> builder.kernel().blockedReason(ts, tid, random.nextBoolean(), builder.intern("function"));
                case 6, 7, 8 ->
                    builder.program()
                            .begin(ts, tid, pid, builder.intern(NAMES[random.nextInt(NAMES.length)].formatted(other)));
                case 9, 10 -> builder.program().end(ts, tid, pid);
                case 11 ->
                    builder.kernel()
                            .binderTransaction(
                                    ts, tid, random.nextInt(6), random.nextBoolean(), random.nextInt(9) == 0);
                case 12 -> builder.kernel().binderReceived(ts, tid, random.nextInt(6));
                default -> {
                    switch (random.nextInt(7)) {
                        case 0 -> builder.rareKernel().systemCall(ts, tid, 98, 128, 4096);
                        case 1 -> builder.rareKernel().systemCallReturns(ts, tid, 98, 0);
                        case 2 -> builder.rareKernel().inheritedPriority(ts, tid, priority(random), priority(random));
                        case 3 -> builder.kernel().taskEnd(ts, tid);
                        case 4 -> builder.tracks().trackEnd(ts, track);
                        case 5 -> builder.kernel().taskNew(ts, other, tid, builder.intern("again"), 0x10000);
                        default -> {
                            builder.tracks().trackBegin(ts, track, mq, builder.intern("message"));
                            builder.tracks().trackFlow(ts, track, random.nextInt(3), random.nextBoolean());
                        }
                    }
                }
            }
        }
        Trace trace = builder.build();
        TraceInvariants.check(trace);
        SceneDiagnoses.assertSound(Doctor.diagnose(trace, SceneDiagnoses.EVERYTHING));
    }

    private static int priority(Random random) {
        return random.nextInt(8) == 0 ? -1 : 95 + random.nextInt(40);
    }
}
