package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.record.agent.AgentProtocol;
import dev.unjank.record.session.RecordingFile;
import dev.unjank.record.session.RecordingInterval;
import dev.unjank.record.session.Rotation;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JfrSliceCopierTest {
    private static final int PID = 100;
    private static final int WAITER = 101;
    private static final String PARK = "parking on java.util.concurrent.locks.ReentrantLock$NonfairSync (owner tid: ";

    @TempDir
    private Path folder;

    private final TraceBuilder chunk = new TraceBuilder("chunk");
    private final LockOwnerSamples sightings = new LockOwnerSamples();
    private final long now = System.nanoTime();

    private record Copied(long lost, Trace trace) {}

    /** Copies the chunk, whose times count from now, into a recording from one of them to another. */
    private Copied copied(long from, long until) throws IOException {
        Path file = folder.resolve("trace");
        long lost;
        try (RecordingFile out = RecordingFile.open(file, Rotation.NONE, PID)) {
            out.begin(() -> 0);
            JavaThreads threads = new JavaThreads(PID);
            for (int i = 1; i <= 3; i++) {
                threads.add(List.of(new JfrChunks.JavaThread(i, PID + i, "thread " + i)), out);
            }
            chunk.kernel().process(1, PID, 0, chunk.intern("app"));
            JfrSliceCopier copy = new JfrSliceCopier(
                    chunk.build(),
                    JfrClockConverter.at(now, 0),
                    PID,
                    threads,
                    sightings,
                    new DeferredGcWaits(),
                    new RecordingInterval(now + from, now + until));
            copy.to(out);
            lost = copy.lost();
        }
        return new Copied(lost, TraceReader.read(file));
    }

    private void slice(int tid, long from, long until, String category, String name) {
        int track = chunk.tracks().newTrack(tid, PID);
        chunk.tracks().trackBegin(from, track, chunk.intern(category), chunk.intern(name));
        chunk.tracks().trackEnd(until, track);
    }

    private void seen(long ns, long since, long owner) {
        String lock = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
        sightings.add(new LockOwnerSample(now + ns, now + since, 1, owner, AgentProtocol.PARK, lock, false, List.of()));
    }

    /** Slices of a category, with their lengths. */
    private static List<String> slices(Trace trace, String category) {
        Slices slices = trace.slices();
        List<String> found = new ArrayList<>();
        for (int row = 0; row < slices.size(); row++) {
            if (slices.category(row).equals(category)) {
                found.add(slices.name(row) + " +" + slices.dur(row));
            }
        }
        return found;
    }

    @Test
    void whatFlightRecorderLostIsCountedAndStandsWhereItHappened() throws IOException {
        int lost = chunk.tracks().newCounterTrack(-1, PID, chunk.intern(JfrChunks.LOST), chunk.intern("bytes"));
        chunk.tracks().trackCounter(1_000, lost, 64);
        chunk.tracks().trackCounter(2_000, lost, 128);
        chunk.tracks().trackCounter(9_000, lost, 256);
        int heap = chunk.tracks().newCounterTrack(-1, PID, chunk.intern("heap used"), chunk.intern("bytes"));
        chunk.tracks().trackCounter(3_000, heap, 1);

        Copied copied = copied(1_500, 5_000);

        assertThat(copied.lost()).as("one of three is in the recording").isEqualTo(1);
        Counters counters = copied.trace().counters();
        int track = 0;
        while (!counters.name(track).equals(JfrChunks.LOST)) {
            track++;
        }
        assertThat(counters.end(track) - counters.first(track)).isEqualTo(1);
        assertThat(counters.value(counters.first(track))).isEqualTo(128);
    }

    /** Most virtual threads have no name; their waits stay theirs. */
    @Test
    void aVirtualThreadWithoutANameKeepsItsWaits() throws IOException {
        slice(JfrChunks.FIRST_VIRTUAL + 7, 1_000, 2_000, "sleep", "sleeping");

        Trace trace = copied(0, 5_000).trace();
        int utid = trace.threads().find(JfrChunks.FIRST_VIRTUAL + 7, 0);
        assertThat(utid).isPositive();
        assertThat(trace.threads().upid(utid))
                .isEqualTo(trace.threads().upid(trace.threads().find(PID, 0)));
        assertThat(trace.slices().end(utid) - trace.slices().first(utid)).isEqualTo(1);
    }

    /** A minor collection may begin while a major one goes on, and end after it. */
    @Test
    void collectionsThatLieAcrossEachOtherKeepTheirEnds() throws IOException {
        slice(-1, 0, 500, "gc", "GC: ZGC Major (Proactive)");
        slice(-1, 490, 520, "gc", "GC: ZGC Minor (Allocation Rate)");
        slice(-1, 600, 605, "gc", "GC: ZGC Minor");

        assertThat(slices(copied(0, 1_000).trace(), "gc"))
                .containsExactlyInAnyOrder(
                        "GC: ZGC Major (Proactive) +500", "GC: ZGC Minor (Allocation Rate) +30", "GC: ZGC Minor +5");
    }

    @Test
    void aWaitThatBeganBeforeTheRecordingHasTheOwnersThatWereSeenThen() throws IOException {
        slice(WAITER, 1_000, 900_000_000, "park", PARK + "0)");
        seen(1_000_000, 2_000, 2);
        seen(5_000_000, 2_000, 3);
        seen(700_000_000, 2_000, 2);

        assertThat(slices(copied(300_000_000, 1_000_000_000).trace(), "park"))
                .containsExactlyInAnyOrder(
                        PARK + "102) +600000000", PARK + "103) +400000000", PARK + "102) +200000000");
    }

    @Test
    void theWaitersStackIsAnArgumentOfTheWait() throws IOException {
        int track = chunk.tracks().newTrack(WAITER, PID);
        chunk.tracks().trackBegin(1_000, track, chunk.intern("wait"), chunk.intern("waiting on a.B"));
        int row = chunk.tracks()
                .arg(
                        chunk.intern("debug." + JfrChunks.STACK),
                        Args.Type.TEXT,
                        chunk.intern("void a.B.c()(B:1)\n" + LockSliceNames.UNKNOWN_SITE));
        chunk.tracks().trackArgs(1_000, track, row, 1);
        chunk.tracks().trackEnd(2_000, track);

        Trace trace = copied(0, 5_000).trace();

        int utid = trace.threads().find(WAITER, trace.endNs());
        assertThat(trace.args().text(trace.slices().first(utid), "debug." + JfrChunks.STACK))
                .isEqualTo("void a.B.c()(B.java:1)\n" + LockSliceNames.UNKNOWN_SITE);
    }
}
