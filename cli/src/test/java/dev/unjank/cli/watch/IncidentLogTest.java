package dev.unjank.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.model.cause.RootCause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IncidentLogTest {
    private static final Instant START = Instant.parse("2026-01-02T10:00:00Z");

    private final IncidentLog log = new IncidentLog();

    @Test
    void whatIsOlderThanAMinuteIsOnlyCounted() {
        log.add(List.of(incident(0, 90, 1), incident(30, 10, 1), incident(31, 20, 2)), START.plusSeconds(32));
        log.add(List.of(incident(70, 15, 1)), START.plusSeconds(70));

        assertThat(log.worst(2)).containsExactly(incident(31, 20, 2), incident(70, 15, 1));
        assertThat(log.latest(2)).containsExactly(incident(70, 15, 1), incident(31, 20, 2));
        assertThat(log.waits()).isEqualTo(Map.of(1, new IncidentLog.Waits(2, 25), 2, new IncidentLog.Waits(1, 20)));
        assertThat(log.count()).isEqualTo(4);
        assertThat(log.sumNs()).isEqualTo(135);
    }

    private static IncidentSnapshot incident(int second, long durNs, int tid) {
        return incident(second, durNs, tid, Verdict.LONG_HOLD, "a lock");
    }

    private static IncidentSnapshot incident(int second, long durNs, int tid, Verdict verdict, String lock) {
        RootCause.Key key = new RootCause.Key("app", WaitKind.MONITOR, lock, "worker-#", "");
        return new IncidentSnapshot(
                START.plusSeconds(second), durNs, verdict, verdict.name(), tid, key, lock + " text", "a by b", false);
    }

    @Test
    void theLinesOfARoundAreBounded() {
        List<IncidentSnapshot> convoy = new ArrayList<>();
        for (int i = 0; i < 1_100; i++) {
            convoy.add(incident(i, (i * 7L % 1_100) * 1_000_000, i, Verdict.LONG_HOLD, "a"));
        }
        List<String> lines = IncidentLines.of(convoy);

        assertThat(lines).hasSize(IncidentLines.MOST + 1);
        assertThat(lines.subList(0, IncidentLines.MOST)).isSorted().allMatch(line -> line.contains(" 1.0"));
        assertThat(lines).last().asString().endsWith("     582.660 s  1080 shorter incidents");
        assertThat(lines).isSorted().allMatch(line -> line.matches("\\S{23}  .{12}  \\S.*"));
        assertThat(IncidentLines.of(convoy.subList(0, IncidentLines.MOST))).hasSize(IncidentLines.MOST);
    }

    @Test
    void waitsOfAMinuteWithOneRootCauseAreOneLine() {
        log.add(
                List.of(
                        incident(0, 900, 1, Verdict.LONG_HOLD, "a"),
                        incident(30, 10, 1, Verdict.LONG_HOLD, "a"),
                        incident(31, 20, 2, Verdict.SLEEPING_OWNER, "a"),
                        incident(32, 50, 2, Verdict.UNKNOWN, "b")),
                START.plusSeconds(61));

        assertThat(log.causes(5))
                .containsExactly(
                        new WatchSnapshot.Cause(Verdict.UNKNOWN, "b text", 1, 50),
                        new WatchSnapshot.Cause(Verdict.SLEEPING_OWNER, "a text", 2, 30));
        assertThat(log.causes(1)).hasSize(1);
    }
}
