package dev.unjank.scene;

import dev.unjank.trace.write.FrameTimelineWriter;
import dev.unjank.trace.write.TraceClock;
import dev.unjank.trace.write.TraceWriter;
import dev.unjank.trace.write.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A small synthetic trace of a few milliseconds, defined by one timeline per thread. The timeline of a thread defines
 * when it runs and on which CPU, when it sleeps and when it is runnable; the scheduler events are derived from all
 * timelines. An impossible timeline (two threads on one CPU, a mark of a sleeping thread, a wakeup by a thread that is
 * not running) is rejected with a message.
 *
 * <p>A priority inversion takes six lines:
 *
 * {@snippet :
 * Scene scene = new Scene();
 * SceneProcess app = scene.process(1000, "com.example");
 * SceneThread main = app.mainThread("com.example", 110);
 * SceneThread worker = app.thread(1001, "worker", 120);
 * SceneThread other = scene.process(2000, "other").mainThread("other", 115);
 *
 * worker.runs(1, ms(2)).runnable(ms(8)).runs(1, ms(9));
 * other.sleeps(ms(2)).runs(1, ms(8));
 * main.runs(0, ms(1)).blocksOn(ArtContention.heldBy(worker)).sleeps(ms(8.9));
 * main.wokenBy(worker).runnable(ms(9)).acquires().runs(0, ms(10));
 *
 * byte[] trace = scene.toBytes(WireFormat.COMPACT);
 * }
 *
 * <p>Times are nanoseconds since the scene's start; {@link #ms} and {@link #us} convert to them. In the trace, {@link
 * #START_NS} is added to them. Not thread-safe.
 */
public final class Scene {
    /** The time of the boot clock at which a scene starts; the trace itself starts a little earlier. */
    public static final long START_NS = 1_000_000_000_000L;

    static final long LEAD_NS = 100_000;

    private static final long MONOTONIC_NS = START_NS - 250_000_000_000L;
    private static final long REALTIME_NS = 1_767_225_600_000_000_000L;
    private static final String KERNEL = "6.1.0";
    private static final int ANDROID_SDK = 35;
    private static final long FIRST_FRAME_TOKEN = 1000;

    private final List<SceneProcess> processes = new ArrayList<>();
    private final List<SceneThread> threads = new ArrayList<>();
    private final List<FrameOnScreen> frames = new ArrayList<>();
    private final List<Loss> losses = new ArrayList<>();

    /** Creates an empty scene. */
    public Scene() {}

    record FrameOnScreen(int pid, String layer, long start, long deadline, long end, int jankMask) {}

    record Loss(int cpu, long at) {}

    /** Milliseconds as nanoseconds. */
    public static long ms(double milliseconds) {
        return Math.round(milliseconds * 1e6);
    }

    /**
     * Microseconds as nanoseconds.
     *
     * @param microseconds the time
     */
    public static long us(double microseconds) {
        return Math.round(microseconds * 1e3);
    }

    /** Converts a time of the scene to a timestamp of the trace. */
    public static long traceTime(long time) {
        return START_NS + time;
    }

    /** Adds a process. It has no threads yet. */
    public SceneProcess process(int pid, String name) {
        SceneProcess process = new SceneProcess(this, pid, name);
        processes.add(process);
        return process;
    }

    /** Marks a data loss: the events of a CPU before this time are missing. */
    public void dataLoss(int cpu, long at) {
        losses.add(new Loss(cpu, at));
    }

    /** Writes the whole scene. */
    public void writeTo(TraceWriter writer) throws IOException {
        writer.clockSnapshot(START_NS - LEAD_NS, MONOTONIC_NS - LEAD_NS, REALTIME_NS - LEAD_NS);
        writer.systemInfo(KERNEL, ANDROID_SDK);
        writer.processTree(
                START_NS - LEAD_NS,
                processes.stream()
                        .filter(process -> !process.isSpawned())
                        .map(SceneProcess::toEntry)
                        .toList(),
                threads.stream()
                        .filter(thread -> !thread.isMain() && !thread.isSpawned())
                        .map(thread -> new TraceWriter.ThreadEntry(
                                thread.tid(), thread.process().pid(), thread.firstComm()))
                        .toList());
        for (SceneThread thread : threads) {
            if (thread.isMain() && thread.isSpawned()) {
                long birth = thread.states().getFirst().from();
                writer.processTree(traceTime(birth), List.of(thread.process().toEntry()), List.of());
            }
        }
        new SceneEvents(threads, losses).writeTo(writer);
        writeFrames(writer.frames(TraceClock.BOOTTIME));
        writer.flush();
    }

    /**
     * The whole scene as a trace.
     *
     * @return the bytes of the file; equal for equal scenes
     */
    public byte[] toBytes(WireFormat format) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, format)) {
            writeTo(writer);
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    void add(SceneThread thread) {
        threads.add(thread);
    }

    void add(FrameOnScreen frame) {
        frames.add(frame);
    }

    List<SceneThread> threads() {
        return Collections.unmodifiableList(threads);
    }

    private void writeFrames(FrameTimelineWriter timeline) throws IOException {
        long token = FIRST_FRAME_TOKEN;
        for (FrameOnScreen frame : frames) {
            var surface = new FrameTimelineWriter.SurfaceFrame(token, token + 1, frame.pid(), frame.layer());
            timeline.expectedSurfaceFrame(surface, START_NS + frame.start(), START_NS + frame.deadline());
            timeline.actualSurfaceFrame(surface, START_NS + frame.start(), START_NS + frame.end(), frame.jankMask());
            token += 2;
        }
    }
}
