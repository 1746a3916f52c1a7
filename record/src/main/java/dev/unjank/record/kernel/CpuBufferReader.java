package dev.unjank.record.kernel;

import dev.unjank.record.linux.Libc;
import dev.unjank.record.session.TraceSegment;
import dev.unjank.record.session.TraceSink;
import dev.unjank.trace.write.FtraceCpuWriter;
import dev.unjank.trace.write.TraceWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the pages of all per-CPU ring buffers and writes their events to the sink. One thread at a time reads; any
 * thread may read the counts.
 *
 * <p>The kernel also returns pages that are not full yet, so the maximum delay of an event is the pause between two
 * rounds.
 */
final class CpuBufferReader {
    /** The maximum number of pages of a CPU per round, so that a busy CPU does not delay the others. */
    private static final int PAGES_PER_TURN = 256;

    /** The number of pages of a CPU from which the next round should start soon. */
    static final int MUCH = 64;

    private final TraceInstance instance;
    private final PageDecoder decoder;
    private final TraceSink sink;
    private final List<Cpu> cpus = new ArrayList<>();
    private final MemorySegment memory;
    private final MemorySegment errno;
    private final RingBufferPage page;
    private List<TraceWriter.CpuStats> statsAtStart = List.of();
    private volatile long events;
    private volatile long lost;

    private static final class Cpu {
        final int number;
        final int descriptor;

        /** The time of the last event. After a correction of the clock offset, events must not be earlier. */
        long last = Long.MIN_VALUE;

        Cpu(int number, int descriptor) {
            this.number = number;
            this.descriptor = descriptor;
        }
    }

    CpuBufferReader(TraceInstance instance, PageLayout layout, PageDecoder decoder, TraceSink sink) throws IOException {
        this.instance = instance;
        this.decoder = decoder;
        this.sink = sink;
        Arena arena = Arena.ofAuto();
        memory = arena.allocate(layout.pageSize(), Long.BYTES);
        errno = Libc.errnoPlace(arena);
        page = new RingBufferPage(layout, memory);
        for (int cpu : instance.cpus()) {
            cpus.add(new Cpu(cpu, instance.openPages(cpu)));
        }
    }

    /**
     * Reads the available pages. Returns the maximum number of pages of a CPU; if it is at least {@link #MUCH}, the
     * next round should start soon.
     */
    int drain() throws IOException {
        int most = 0;
        for (Cpu cpu : cpus) {
            int pages = 0;
            while (pages < PAGES_PER_TURN && readPage(cpu)) {
                pages++;
            }
            most = Math.max(most, pages);
        }
        return most;
    }

    private boolean readPage(Cpu cpu) throws IOException {
        long count = Libc.read(cpu.descriptor, memory, errno);
        if (count < memory.byteSize()) {
            return false;
        }
        sink.write(to -> decode(cpu, to));
        return true;
    }

    private void decode(Cpu cpu, TraceSegment to) throws IOException {
        FtraceCpuWriter out = to.cpu(cpu.number);
        long shift = to.bootTime(0);
        long begun = sink.interval().from(); // tracing starts a moment before the recording
        long count = 0;
        page.begin();
        if (page.hasMissed()) {
            decoder.missed(out);
        }
        while (page.next()) {
            long ts = Math.max(page.time() + shift, cpu.last);
            cpu.last = ts;
            if (page.time() >= begun && decoder.take(page, out, ts)) {
                count++;
            }
        }
        if (page.isDamaged()) {
            decoder.missed(out);
        }
        addEvents(count);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread at a time
    private void addEvents(long count) {
        events += count;
    }

    /** Reads the number of lost events from the kernel. */
    void count() throws IOException {
        long sum = 0;
        for (TraceWriter.CpuStats stats : stats()) {
            sum += stats.overrun() + stats.commitOverrun() + stats.dropped();
        }
        lost = sum;
    }

    /** Reads the kernel's counts at the start. */
    void begin() throws IOException {
        statsAtStart = stats();
    }

    /** Writes the kernel's counts at the start and now. */
    void writeStats() throws IOException {
        List<TraceWriter.CpuStats> statsAtEnd = stats();
        long now = sink.interval().nearest(System.nanoTime());
        sink.write(to -> {
            to.packets().ftraceStats(to.bootTime(now), false, statsAtStart);
            to.packets().ftraceStats(to.bootTime(now), true, statsAtEnd);
        });
    }

    private List<TraceWriter.CpuStats> stats() throws IOException {
        List<TraceWriter.CpuStats> stats = new ArrayList<>();
        for (Cpu cpu : cpus) {
            stats.add(instance.stats(cpu.number));
        }
        return stats;
    }

    long events() {
        return events;
    }

    long lost() {
        return lost;
    }
}
