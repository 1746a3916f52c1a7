package dev.unjank.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.fixture.ArbitraryNames;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.SourceAvailability;
import dev.unjank.trace.text.TerminalText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WatchScreenTest {
    private static final long NOW = 100_000_000_000L;
    private static final SourceAvailability KERNEL_OFF =
            SourceAvailability.off("kernel scheduling", "no permission to trace", "run it as root");
    private static final RootCause.Key CAUSE = new RootCause.Key("app", WaitKind.MONITOR, "app.Cache", "ui", "");
    private static final List<SourceAvailability> ON = List.of(
            SourceAvailability.on("kernel scheduling", "of process 7"),
            SourceAvailability.on("lock owners", "monitors"));

    @Test
    void everythingHasItsPlace() {
        assertThat(String.join("\n", screen(100, 24, false).lines(busy(ON), 12)).stripTrailing())
                .isEqualTo("""
                        unjank watch 7  app.Main                                                         12 s, 3 events lost
                        on   kernel scheduling, lock owners

                        Threads                               CPU  runnable    waited (last min)  now
                          ui                                 12 %      34 %     120.500 ms    2×  waits for worker
                          worker                                ·         ·                       sleeps


                        Current lock waits  2
                             2.000 s  DEADLOCK  thread 1 waits for thread 2 in app.Cache.load  Cache.java:17, a monitor of …
                             2.000 s  DEADLOCK  thread 2 waits for thread 1 in app.Cache.load  Cache.java:17, a monitor of …

                        Root causes of the last minute
                          900.000 ms  90 %    6×  PRIORITY_INVERSION  a monitor of app.Cache: ui → worker in Cache.load
                          100.000 ms  10 %    1×  GC_BLOCKED_BY_CRITICAL  a GC pause: ui


                        Longest waits of the last minute
                          10:00:01  100.000 ms  PRIORITY_INVERSION  ui by worker in app.Cache.load  Cache.java:17

                        Latest incidents  7 incidents, 1.250 s
                          10:00:02   20.500 ms  SLEEPING_OWNER      ui by worker
                          10:00:01  100.000 ms  PRIORITY_INVERSION  ui by worker in app.Cache.load  Cache.java:17
                        """.stripTrailing());
    }

    @Test
    void whatIsOffIsSaidWithARemedy() {
        List<String> lines = screen(100, 24, false).lines(quiet(List.of(KERNEL_OFF)), 1);

        assertThat(lines).contains("off  kernel scheduling: no permission to trace; run it as root");
        assertThat(lines).contains("  unknown (data source \"lock owners\" is off)");
    }

    @Test
    void reasonsForMissingIncidentsAreShown() {
        WatchSnapshot view = new WatchSnapshot(
                List.of(),
                List.of(),
                Set.of(),
                NOW,
                List.of(),
                List.of(),
                List.of(),
                0,
                0,
                ON,
                List.of("process \"7\" has no thread \"u\"; existing names: ui", "waits may be missing"),
                new Recording.Progress(0, Duration.ofSeconds(10), 0, 0, 0));

        assertThat(screen(100, 24, false).lines(view, 1))
                .containsSequence("process \"7\" has no thread \"u\"; existing names: ui", "waits may be missing");
    }

    @Test
    void aLongRemedyIsWrapped() {
        assertThat(screen(40, 24, false).lines(quiet(List.of(KERNEL_OFF)), 1))
                .containsSequence("off  kernel scheduling: no permission to", "     trace; run it as root");
    }

    @Test
    void whereThereIsRoomAVerdictHasItsGrade() {
        assertThat(screen(120, 24, false).lines(busy(ON), 1))
                .anySatisfy(line -> assertThat(line).contains("PRIORITY_INVERSION (unbounded)  ui by worker"));
    }

    @ParameterizedTest
    @CsvSource({"40, 5", "40, 10", "80, 24", "110, 50", "250, 80"})
    void nothingIsWiderOrHigherThanTheTerminal(int width, int height) {
        for (WatchSnapshot view : List.of(busy(ON), quiet(ON), busy(List.of(KERNEL_OFF, KERNEL_OFF)))) {
            List<String> lines = screen(width, height, false).lines(view, 3);

            assertThat(lines).hasSizeLessThanOrEqualTo(height);
            assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(width));
        }
    }

    @Test
    void sectionsStayWhereTheyAre() {
        List<String> busy = screen(100, 30, false).lines(busy(ON), 1);
        List<String> quiet = screen(100, 30, false).lines(quiet(ON), 1);

        for (String title :
                List.of("Threads", "Current lock waits", "Root causes", "Longest waits", "Latest incidents")) {
            assertThat(indexOf(title, busy)).as(title).isEqualTo(indexOf(title, quiet));
        }
    }

    private static int indexOf(String title, List<String> lines) {
        return lines.indexOf(lines.stream()
                .filter(line -> line.startsWith(title))
                .findFirst()
                .orElseThrow());
    }

    @Test
    void coloursAreThereOnlyIfWanted() {
        assertThat(String.join("", screen(100, 24, true).lines(busy(ON), 1))).contains("\u001b[");
        assertThat(String.join("", screen(100, 24, false).lines(busy(ON), 1))).doesNotContain("\u001b");
    }

    @Test
    void namesCannotSteerTheTerminal() {
        WatchSnapshot view = new WatchSnapshot(
                List.of(new WatchSnapshot.ThreadLine("\u001b[2J", 0, 0, 0, 0, false, "sleeps")),
                List.of(),
                Set.of(),
                NOW,
                List.of(),
                List.of(),
                List.of(),
                0,
                0,
                ON,
                List.of(),
                new Recording.Progress(0, Duration.ofSeconds(10), 0, 0, 0));

        assertThat(String.join("", screen(100, 24, false).lines(view, 1))).doesNotContain("\u001b");
    }

    @Test
    void noNameBreaksALineOfTheScreen() {
        String hostile = "n" + String.join("-", ArbitraryNames.HOSTILE) + "x";
        for (int width : new int[] {20, 41, 42, 43, 100, 400}) {
            WatchSnapshot view = new WatchSnapshot(
                    List.of(new WatchSnapshot.ThreadLine(hostile, 0, 0, 0, 0, false, hostile)),
                    List.of(),
                    Set.of(),
                    NOW,
                    List.of(),
                    List.of(),
                    List.of(),
                    0,
                    0,
                    List.of(SourceAvailability.off(hostile, hostile, hostile)),
                    List.of(hostile),
                    new Recording.Progress(0, Duration.ofSeconds(10), 0, 0, 0));
            assertThat(screen(width, 60, false).lines(view, 1))
                    .allMatch(TerminalText::isPrintable)
                    .noneMatch(line -> line.contains("\n"));
        }
    }

    private static WatchScreen screen(int width, int height, boolean colour) {
        return new WatchScreen("unjank watch 7  app.Main", width, height, colour, ZoneOffset.UTC);
    }

    private static WatchSnapshot quiet(List<SourceAvailability> sources) {
        return new WatchSnapshot(
                List.of(),
                List.of(),
                Set.of(),
                NOW,
                List.of(),
                List.of(),
                List.of(),
                0,
                0,
                sources,
                List.of(),
                new Recording.Progress(10, Duration.ofSeconds(10), 10, 0, 0));
    }

    private static WatchSnapshot busy(List<SourceAvailability> sources) {
        IncidentSnapshot inversion = new IncidentSnapshot(
                Instant.parse("2026-01-02T10:00:01Z"),
                100_000_000,
                Verdict.PRIORITY_INVERSION,
                "PRIORITY_INVERSION (unbounded)",
                1,
                CAUSE,
                "",
                "ui by worker in app.Cache.load  Cache.java:17",
                false);
        IncidentSnapshot sleep = new IncidentSnapshot(
                Instant.parse("2026-01-02T10:00:02Z"),
                20_500_000,
                Verdict.SLEEPING_OWNER,
                "SLEEPING_OWNER",
                1,
                CAUSE,
                "",
                "ui by worker",
                false);
        long since = NOW - 2_000_000_000;
        return new WatchSnapshot(
                List.of(
                        new WatchSnapshot.ThreadLine("ui", 0.12, 0.34, 2, 120_500_000, true, "waits for worker"),
                        new WatchSnapshot.ThreadLine("worker", 0.004, 0, 0, 0, false, "sleeps")),
                List.of(DeadlockFinderTest.waits(1, 2, since), DeadlockFinderTest.waits(2, 1, since)),
                Set.of(1L, 2L),
                NOW,
                List.of(
                        new WatchSnapshot.Cause(
                                Verdict.PRIORITY_INVERSION,
                                "a monitor of app.Cache: ui → worker in Cache.load",
                                6,
                                900_000_000),
                        new WatchSnapshot.Cause(Verdict.GC_BLOCKED_BY_CRITICAL, "a GC pause: ui", 1, 100_000_000)),
                List.of(inversion, sleep),
                List.of(sleep, inversion),
                7,
                1_250_000_000,
                sources,
                List.of(),
                new Recording.Progress(1_000_000, Duration.ofSeconds(10), 100, 0, 3));
    }
}
