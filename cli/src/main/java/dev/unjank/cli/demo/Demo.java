package dev.unjank.cli.demo;

import dev.unjank.cli.demo.load.LoadProfile;
import dev.unjank.cli.demo.load.LoopUnderLoad;
import dev.unjank.cli.demo.load.LooperLoop;
import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.cli.demo.load.Niceness;
import dev.unjank.cli.demo.load.TickLedger.Ticks;
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

/** The demo from its first line to its last. */
public final class Demo {

    /** The longest a phase may last, so that two of them stay within a minute. */
    public static final int MAX_SECONDS = 28;

    private static final int WARM_UP_POSTS = 30_000;
    private static final int BAR_WIDTH = 30;

    private final PrintWriter out;
    private final int width;
    private final boolean colour;
    private final BooleanSupplier abandoned;
    private final LoadProfile load;

    /**
     * Creates a demo that fits the load to this machine's processors.
     *
     * @param out what people read
     * @param width how many columns a line of sentences may have
     * @param colour whether {@code out} understands terminal colours
     * @param abandoned asked once a second: whether nobody reads any more
     */
    public Demo(PrintWriter out, int width, boolean colour, BooleanSupplier abandoned) {
        this.out = out;
        this.width = width;
        this.colour = colour;
        this.abandoned = abandoned;
        this.load = LoadProfile.forProcessors(Runtime.getRuntime().availableProcessors());
    }

    /**
     * Runs one phase after the other and ends with the table.
     *
     * @param queues which, in this order
     * @param seconds for each phase, 1 to {@value #MAX_SECONDS}
     * @param trace records the loop over the lock-free queue, null if nobody wants that; not over the monitor queue, since
     *     recording how many messages wait would take the lock that the demo is about
     * @throws InterruptedException if the calling thread is interrupted; the load is stopped then
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
            results.add(new DemoReport.Row(queue, phase.run(this::tellSecond)));
            if (abandoned.getAsBoolean()) {
                return;
            }
        }
        conclude(new DemoReport(results));
    }

    private void introduce() {
        tell(String.format(
                Locale.ROOT,
                "A UI loop ticks 60 times a second. Beside it %d threads compute without end, and %d %s posters set "
                        + "timeouts in its queue, where %,d wait already.",
                load.hogs(),
                load.posters(),
                Niceness.isPerThread() ? "low-priority (nice 19)" : "background",
                load.pending()));
        if (!Niceness.isPerThread()) {
            tell("Left out: only on Linux can the posters be given a lower priority than the UI loop.");
        }
        out.flush();
    }

    /** Lets the JIT compiler see both queues at work before the clock starts; an unfinished warm-up does no harm. */
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

    private boolean tellSecond(int second, Ticks ticks) {
        int completed = Math.min(ticks.completed(), ticks.due());
        int filled = ticks.due() == 0 ? 0 : BAR_WIDTH * completed / ticks.due();
        String bar = "█".repeat(filled) + "·".repeat(BAR_WIDTH - filled);
        out.printf(
                Locale.ROOT,
                "%4d s  %s  %2d of %2d ticks   longest so far %s%n",
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
        tell(report.sentence());
        out.flush();
    }

    private void tell(String sentences) {
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
