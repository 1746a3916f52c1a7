package dev.unjank.doctor.find.pause;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.unjank.doctor.find.pause.ThreadSuspensions.Suspension;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Trace;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The suspension of a thread if several threads suspend others. */
class ThreadSuspensionsTest {
    private static final int APP = 1000;
    private static final int WORKER = 1001;
    private static final int FIRST_HOLDER = 1002;

    private final TraceBuilder builder = new TraceBuilder("test");

    private ThreadSuspensionsTest() {
        builder.kernel().process(0, APP, 1, builder.intern("com.example.app"));
        builder.kernel().thread(0, WORKER, APP, builder.intern("worker"));
    }

    private void holder(int tid) {
        builder.kernel().thread(0, tid, APP, builder.intern("holder"));
    }

    private void holds(int tid, String whom, long from, long to) {
        builder.program().begin(from, tid, APP, builder.intern("SuspendThreadByPeer suspended " + whom + " id=7"));
        builder.program().end(to, tid, APP);
    }

    private static int worker(Trace trace) {
        return trace.threads().find(WORKER, 0);
    }

    @Test
    void overlappingSuspensionsAreAllFound() {
        Random random = new Random(1);
        for (int tid = FIRST_HOLDER; tid < FIRST_HOLDER + 5; tid++) {
            holder(tid);
            for (long at = random.nextLong(100); at < 10_000; at += 1 + random.nextLong(300)) {
                long from = at;
                at += 1 + random.nextLong(random.nextInt(8) == 0 ? 2_000 : 100);
                holds(tid, random.nextInt(3) == 0 ? "stranger" : "worker", from, at);
            }
        }
        Trace trace = builder.build();
        ThreadSuspensions suspensions = new ThreadSuspensions(trace);
        int worker = worker(trace);
        assertThat(suspensions.of(trace.threads().upid(worker))).hasSizeGreaterThan(100);
        int some = 0;
        for (int i = 0; i < 1_000; i++) {
            long from = random.nextLong(12_000);
            long to = from + 1 + random.nextLong(random.nextBoolean() ? 10 : 1_000);
            Suspension found = suspensions.during(worker, from, to);
            assertThat(overlap(found, from, to)).isEqualTo(longest(suspensions, trace, worker, from, to));
            some += found == null ? 0 : 1;
        }
        assertThat(some).isBetween(100, 999);
    }

    private static long longest(ThreadSuspensions suspensions, Trace trace, int utid, long from, long to) {
        return suspensions.of(trace.threads().upid(utid)).stream()
                .filter(suspension -> suspensions.appliesTo(suspension, utid))
                .mapToLong(suspension -> overlap(suspension, from, to))
                .max()
                .orElse(0);
    }

    private static long overlap(@Nullable Suspension suspension, long from, long to) {
        return suspension == null
                ? 0
                : Math.max(0, Math.min(to, suspension.toNs()) - Math.max(from, suspension.fromNs()));
    }

    @Test
    void theTimeIsLinearInTheirNumber() {
        int many = 200_000;
        holder(FIRST_HOLDER);
        for (long i = 0; i < many; i++) {
            holds(FIRST_HOLDER, "worker", 10 * i, 10 * i + 5);
        }
        Trace trace = builder.build();
        ThreadSuspensions suspensions = new ThreadSuspensions(trace);
        int worker = worker(trace);
        // some milliseconds; a search through all for each would be 4 * 10^10 steps
        assertTimeoutPreemptively(ofSeconds(20), () -> {
            for (long i = 0; i < many; i++) {
                Suspension found = suspensions.during(worker, 10 * i + 2, 10 * i + 9);
                assertThat(found != null && found.fromNs() == 10 * i).isTrue();
            }
        });
    }
}
