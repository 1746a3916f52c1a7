package dev.unjank.cli.demo;

import dev.unjank.cli.demo.load.LoadProfile;
import dev.unjank.cli.demo.load.LoopUnderLoad;
import dev.unjank.cli.demo.load.LooperLoop;
import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.cli.demo.load.Niceness;
import dev.unjank.cli.demo.load.TickCounter.Ticks;
import dev.unjank.cli.terminal.LineWrapping;
import dev.unjank.looper.Looper;
import dev.unjank.looper.QueueKind;
import dev.unjank.record.LooperTrace;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs the demo and prints its output. */
public final class Demo {

    /** The longest phase, so that two take less than a minute. */
    public static final int MAX_SECONDS = 28;

    private static final int WARM_UP_POSTS = 30_000;
    private static final int BAR_WIDTH = 30;

    private final PrintWriter out;
    private final int width;
    private final boolean colour;
    private final BooleanSupplier abandoned;
    private final LoadProfile load;

    /**
     * Creates a demo with a load for this machine's CPUs.
     *
     * @param width the columns of a line
     * @param colour whether {@code out} supports colours
     * @param abandoned called once a second: returns whether {@code out} is closed
     */
    public Demo(PrintWriter out, int width, boolean colour, BooleanSupplier abandoned) {
        this.out = out;
        this.width = width;
        this.colour = colour;
        this.abandoned = abandoned;
        this.load = LoadProfile.forProcessors(Runtime.getRuntime().availableProcessors());
    }

    /**
     * Runs a phase per queue, then prints a table.
     *
     * @param queues the queues, in order
     * @param seconds the duration of each phase, 1 to {@value #MAX_SECONDS}
     * @param trace records the loop with the lock-free queue; null to record nothing. The loop with the monitor queue
     *     is not recorded, since recording the queue length takes the lock that the demo measures
     */
    public void run(List<QueueKind> queues, int seconds, @Nullable LooperTrace trace) throws InterruptedException {
        introduce();
        for (QueueKind queue : queues) {
            warmUp(queue);
        }
        List<DemoReport.Row> results = new ArrayList<>();
        for (QueueKind queue : queues) {
            out.println();
            out.println(bold("The " + DemoReport.name(queue) + " queue, " + seconds + " s"));
            out.flush();
            LoopUnderLoad phase = new LoopUnderLoad(() -> new LooperLoop(queue), load, seconds);
            if (trace != null && queue == QueueKind.LOCK_FREE) {
                phase.onLoop(() -> trace.watch(Objects.requireNonNull(Looper.myLooper(), "this runs on a looper")));
            }
            results.add(new DemoReport.Row(queue, phase.run(this::printSecond)));
            if (abandoned.getAsBoolean()) {
                return;
            }
        }
        conclude(new DemoReport(results));
    }

    private void introduce() {
        printWrapped(String.format(
                Locale.ROOT,
                "A UI loop ticks 60 times a second. Meanwhile %d threads compute continuously, and %d %s threads post"
                        + " delayed messages to its queue, which already has %,d.",
                load.hogs(),
                load.posters(),
                Niceness.isPerThread() ? "low-priority (nice 19)" : "background",
                load.pending()));
        if (!Niceness.isPerThread()) {
            printWrapped("These threads have a lower priority than the UI loop only on Linux; here all have the same"
                    + " priority.");
        }
        out.flush();
    }

    /** Lets the JIT compiler compile both queues before the measurement; an unfinished warm-up is harmless. */
    private static void warmUp(QueueKind queue) throws InterruptedException {
        MessageLoop loop = new LooperLoop(queue);
        CountDownLatch done = new CountDownLatch(1);
        for (int i = 0; i < WARM_UP_POSTS; i++) {
            loop.postDelayed(MessageLoop.NOTHING, i % 4);
        }
        loop.postDelayed(done::countDown, 5);
        done.await(1, TimeUnit.SECONDS);
        loop.close();
    }

    private boolean printSecond(int second, Ticks ticks) {
        int completed = Math.min(ticks.completed(), ticks.due());
        int filled = ticks.due() == 0 ? 0 : BAR_WIDTH * completed / ticks.due();
        String bar = "█".repeat(filled) + "·".repeat(BAR_WIDTH - filled);
        out.printf(
                Locale.ROOT,
                "%4d s  %s  %2d of %2d ticks   longest stall %s%n",
                second,
                coloured(ticks.missedShare() > 0.1 ? 31 : 32, bar),
                ticks.completed(),
                ticks.due(),
                UnitFormat.duration(ticks.longestStall()));
        out.flush();
        return !abandoned.getAsBoolean();
    }

    private void conclude(DemoReport report) {
        List<String> table = report.table();
        out.println();
        out.println(bold(table.getFirst()));
        table.stream().skip(1).forEach(out::println);
        out.println();
        printWrapped(report.sentence());
        out.flush();
    }

    private void printWrapped(String sentences) {
        out.println(LineWrapping.wrapped(sentences, width));
    }

    private String bold(String text) {
        return coloured(1, text);
    }

    /** With an SGR code of ECMA-48: 1 bold, 31 red, 32 green. */
    private String coloured(int code, String text) {
        return colour ? "\033[" + code + "m" + text + "\033[0m" : text;
    }
}
