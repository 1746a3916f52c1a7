package dev.unjank.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingFile;
import dev.unjank.record.session.Rotation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Looks at a recording of three waits, one in each of its first three seconds; which of it is known when is up to the
 * test.
 */
class IncidentPollerTest {
    private static final int PID = 4711;
    private static final int TID = 4712;
    private static final int OWNER = 4713;
    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path folder;

    private RecordingFile file;
    private long begin;
    private final Deque<Recording.Snapshot> snapshots = new ArrayDeque<>();
    private IncidentPoller poller;

    @BeforeEach
    void record() throws IOException {
        file = RecordingFile.open(folder.resolve("last-seconds.pftrace"), Rotation.NONE, PID);
        file.begin(() -> 0);
        file.process(PID, 1, "app.Main", true);
        file.thread(PID, TID, "ui");
        file.thread(PID, OWNER, "worker");
        long start = file.interval().from();
        for (int second = 0; second < 3; second++) {
            long from = start + second * SECOND;
            file.slice(
                    from + SECOND / 4,
                    from + SECOND / 4 + (second + 1) * 100_000_000L,
                    PID,
                    TID,
                    "monitor",
                    "monitor contention with owner worker (4713) at void app.Main.hold()(Main.java:7) waiters=0"
                            + " blocking from void app.Main.draw()(Main.java:9)");
        }
        file.write(to -> begin = to.bootTime(start));
        poller = new IncidentPoller(
                snapshots::remove, PID, new DoctorOptions("ui", String.valueOf(PID), Duration.ofMillis(5)));
    }

    @AfterEach
    void close() throws IOException {
        file.close();
    }

    /** The durations of the incidents of a poll, in tenths of a second. */
    private List<Long> look(long keptFrom, long settledUntil) throws IOException {
        return tenths(at(keptFrom, settledUntil).next());
    }

    private IncidentPoller at(long keptFrom, long settledUntil) {
        snapshots.add(new Recording.Snapshot(
                file.files(),
                begin + keptFrom * SECOND,
                begin + settledUntil * SECOND,
                begin + settledUntil * SECOND,
                Instant.EPOCH));
        return poller;
    }

    private static List<Long> tenths(List<IncidentSnapshot> incidents) {
        return incidents.stream().map(each -> each.durNs() / 100_000_000).toList();
    }

    @Test
    void eachWaitIsReportedOnceByThePollThatIsCompleteUpToItsEnd() throws IOException {
        assertThat(look(0, 1)).containsExactly(1L);
        assertThat(look(0, 1)).isEmpty();
        assertThat(look(0, 2)).containsExactly(2L);
        assertThat(tenths(at(1, 2).last())).containsExactly(3L);
        assertThat(poller.isMissing()).isFalse();
    }

    @Test
    void whatHasBeenLookedAtMayBeDropped() throws IOException {
        look(0, 1);
        look(1, 3);
        assertThat(poller.isMissing()).isFalse();
    }

    @Test
    void whatIsDroppedBeforeALookIsMissed() throws IOException {
        look(0, 1);
        look(2, 3);
        assertThat(poller.isMissing()).isTrue();
    }

    @Test
    void whatWasBeforeTheFirstLookIsNotMissed() throws IOException {
        look(1, 2); // a source may have had no event when the recording began
        look(1, 3);
        assertThat(poller.isMissing()).isFalse();
    }

    @Test
    void aSourceWithoutEventsSinceTheBeginningMissesNothing() throws IOException {
        look(1, 0);
        look(1, 3);
        assertThat(poller.isMissing()).isFalse();
    }
}
