package dev.unjank.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.cli.demo.load.LoopUnderLoadResult;
import dev.unjank.cli.demo.load.TickCounter.Ticks;
import dev.unjank.looper.QueueKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoReportTest {

    private static final DemoReport.Row STALLED = new DemoReport.Row(
            QueueKind.MONITOR,
            new LoopUnderLoadResult(new Ticks(600, 12, 594, 1_930_000_000), 3, 0.93, 2_311, 12_100, 412_000_000, true));
    private static final DemoReport.Row SMOOTH = new DemoReport.Row(
            QueueKind.LOCK_FREE,
            new LoopUnderLoadResult(new Ticks(600, 599, 2, 21_000_000), 1, 0, 60_000, 143, 15_300, true));

    @Test
    void theTableShowsThePhasesSideBySide() {
        assertThat(new DemoReport(List.of(STALLED, SMOOTH)).table())
                .containsExactly(
                        "queue                                      monitor       lock-free",
                        "ticks run (of those due)                 12 of 600      599 of 600",
                        "16.7 ms deadlines missed                       594               2",
                        "  control: thread without a queue                3               1",
                        "longest stall                               1.93 s         21.0 ms",
                        "UI thread blocked on a lock                   93 %             0 %",
                        "post() median                              12.1 µs          143 ns",
                        "post() 99.9th percentile                    412 ms         15.3 µs",
                        "messages posted                              2,311          60,000");
    }

    @Test
    void theSentenceSaysWhatWasSeen() {
        assertThat(new DemoReport(List.of(STALLED, SMOOTH)).sentence())
                .isEqualTo(
                        "With the monitor queue the UI loop missed 99 % of its deadlines: for 93 % of the time its thread"
                                + " was blocked on the queue's lock, while preempted low-priority threads held it or waited for it."
                                + " With the lock-free queue, under the same load, it missed 0.3 % of its"
                                + " deadlines.");
    }

    @Test
    void noLockIsBlamedThatNoThreadWaitedFor() {
        DemoReport.Row slowMachine = new DemoReport.Row(
                QueueKind.MONITOR,
                new LoopUnderLoadResult(new Ticks(600, 400, 300, 90_000_000), 3, 0.01, 2_311, 12_100, 412_000, true));

        assertThat(new DemoReport(List.of(slowMachine, SMOOTH)).sentence())
                .doesNotContain("lock,")
                .contains("missed 50 % of its deadlines. With the lock-free queue");
    }

    @Test
    void aRunWithoutADifferenceIsCalledThat() {
        DemoReport.Row unharmed = new DemoReport.Row(
                QueueKind.MONITOR,
                new LoopUnderLoadResult(new Ticks(600, 599, 2, 21_000_000), 1, 0, 60_000, 143, 15_300, false));

        assertThat(new DemoReport(List.of(unharmed, SMOOTH)).sentence())
                .endsWith(
                        "This run shows no clear difference. The posting threads could not be given a lower priority here;"
                                + " that lower priority usually causes the difference.");
    }

    @Test
    void aMachineWithOtherWorkIsCalledThat() {
        DemoReport.Row disturbed = new DemoReport.Row(
                QueueKind.LOCK_FREE,
                new LoopUnderLoadResult(new Ticks(600, 500, 150, 90_000_000), 120, 0, 60_000, 143, 15_300, true));

        assertThat(new DemoReport(List.of(STALLED, disturbed)).sentence())
                .endsWith(
                        "it missed 25 % of its deadlines. Other programs also use the CPUs: the control thread, which has"
                                + " no queue, missed 20 % of its deadlines.");
    }

    @Test
    void aFlawlessPhaseMissesNone() {
        DemoReport.Row flawless = new DemoReport.Row(
                QueueKind.LOCK_FREE,
                new LoopUnderLoadResult(new Ticks(60, 60, 0, 4_000_000), 0, 0, 6_000, 143, 15_300, true));

        assertThat(new DemoReport(List.of(flawless)).sentence())
                .isEqualTo(
                        "With the lock-free queue the UI loop missed none of its deadlines; the longest stall was 4.00 ms.");
    }
}
