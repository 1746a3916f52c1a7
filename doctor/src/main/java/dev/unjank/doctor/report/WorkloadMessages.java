package dev.unjank.doctor.report;

import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.FrameWorkload;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.trace.text.TerminalText;
import java.util.ArrayList;
import java.util.List;

/** The facts of a missed frame that its program's own work made late. */
final class WorkloadMessages {
    private WorkloadMessages() {}

    /** The work, or the sleep that took most of the frame, as a root cause. */
    static String label(FrameWorkload work) {
        String recorded = ComponentMessages.program(work);
        String name = recorded == null ? Messages.of("program.withoutName") : recorded;
        FrameWorkload.Sleep sleep = work.sleep();
        if (sleep == null || sleep.durNs() * 2 < work.frame().durNs()) {
            return Messages.of("summary.workload", name);
        }
        ThreadRef waker = sleep.waker();
        return waker == null
                ? Messages.of("summary.sleep", name)
                : Messages.of("summary.wokenSleep", name, Messages.of("thread.named", ThreadLabels.name(waker)));
    }

    /** The facts of the longest missed frame, if waits took little of it: then no advice on waits helps. */
    static List<ReportForm.Field> fields(FrameWorkload work, Platform platform) {
        long least = DoctorOptions.defaults().minDuration().toNanos();
        List<ReportForm.Field> fields = new ArrayList<>();
        add(
                fields,
                "frame." + platform,
                Messages.of(
                        "workload.frame",
                        DurationFormat.time(work.frame().durNs()),
                        work.waitNs() == 0 ? Messages.of("workload.noWait") : DurationFormat.time(work.waitNs()),
                        DurationFormat.roundTime(least)));
        ThreadRef worker = work.worker();
        if (worker != null) {
            add(fields, "work", ran(work, worker));
            add(fields, "slices", slices(work, worker));
        }
        add(fields, "lookAt", ComponentMessages.of(work));
        return fields;
    }

    private static void add(List<ReportForm.Field> fields, String label, String value) {
        if (!value.isEmpty()) {
            fields.add(new ReportForm.Field(Messages.of("label." + label), value));
        }
    }

    /** The running time and the sleep of the thread that worked most, and the thread that woke it. */
    private static String ran(FrameWorkload work, ThreadRef worker) {
        if (work.runningNs() == 0) {
            return "";
        }
        String ran = Messages.of("workload.ran", name(worker), DurationFormat.time(work.runningNs()));
        FrameWorkload.Sleep sleep = work.sleep();
        if (sleep == null) {
            return ran;
        }
        String slept = DurationFormat.time(sleep.durNs());
        ThreadRef waker = sleep.waker();
        if (waker == null) {
            return Messages.of("workload.slept", ran, slept);
        }
        return sleep.wokenByWakerNs() == sleep.durNs()
                ? Messages.of("workload.woken", ran, slept, ThreadLabels.name(waker))
                : Messages.of(
                        "workload.partlyWoken",
                        ran,
                        slept,
                        DurationFormat.time(sleep.wokenByWakerNs()),
                        ThreadLabels.name(waker));
    }

    /** The longest slices of the work. */
    private static String slices(FrameWorkload work, ThreadRef worker) {
        if (work.slices().isEmpty()) {
            return "";
        }
        List<String> longest = work.slices().stream()
                .map(slice -> Messages.of(
                        "workload.slice",
                        TerminalText.printableStart(slice.name()),
                        DurationFormat.time(slice.durNs())))
                .toList();
        boolean sleep = work.sleep() != null && work.runningNs() > 0;
        return Messages.of(
                sleep ? "workload.longestSlicesWithSleep" : "workload.longestSlices",
                MessageCatalogue.enumerate(longest),
                name(worker));
    }

    private static String name(ThreadRef worker) {
        return worker.main() ? Messages.of("workload.mainThread") : ThreadLabels.name(worker);
    }
}
