package dev.unjank.trace.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.ThreadStates;
import dev.unjank.trace.model.Trace;
import org.junit.jupiter.api.Test;

/** The memory outside the heap grows in step with the events. */
class OffHeapGrowthTest {
    private static final int EVENTS = 400_000;
    private static final int THREADS = 200;
    private static final int BYTES_PER_EVENT_IN_A_TRACE = 50;

    private record Cost(long building, long columns) {}

    @Test
    void fourTimesTheEventsTakeFourTimesTheMemoryAtMost() {
        Cost small = build(EVENTS);
        Cost large = build(4 * EVENTS);
        assertThat(large.building).isBetween(3 * small.building, 5 * small.building);
        assertThat(large.columns).isBetween(3 * small.columns, 5 * small.columns);

        long traceBytes = 4L * EVENTS * BYTES_PER_EVENT_IN_A_TRACE;
        assertThat(large.building + large.columns).isLessThan(3 * traceBytes);
    }

    /** Switches and slices of many threads on four CPUs. */
    private static Cost build(int events) {
        TraceBuilder builder = new TraceBuilder("growth");
        int comm = builder.intern("thread");
        int name = builder.intern("work");
        for (int i = 0; i < events / 4; i++) {
            int cpu = i % 4;
            int tid = 100 + i % THREADS;
            int next = 100 + (i + 4) % THREADS;
            long ts = 1_000L * i;
            builder.onCpu(cpu);
            builder.kernel().waking(ts, cpu, tid, next, 120);
            builder.program().begin(ts + 1, tid, 100, name);
            builder.program().end(ts + 2, tid, 100);
            builder.kernel().schedSwitch(ts + 3, cpu, tid, comm, 120, SchedState.SLEEPING, next, comm, 120);
        }
        Trace trace = builder.build();
        Slices.Columns slices = trace.slices().columns();
        ThreadStates.Columns states = trace.threadStates().columns();
        long columns = slices.ts().segment().byteSize()
                + slices.dur().segment().byteSize()
                + slices.name().segment().byteSize()
                + slices.parent().segment().byteSize()
                + slices.owner().segment().byteSize()
                + slices.depth().segment().byteSize()
                + states.ts().segment().byteSize()
                + states.info().segment().byteSize()
                + states.waker().segment().byteSize();
        return new Cost(builder.pool.bytes(), columns);
    }
}
