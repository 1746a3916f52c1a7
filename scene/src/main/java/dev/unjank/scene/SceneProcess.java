package dev.unjank.scene;

import dev.unjank.trace.write.TraceWriter;

/** A process of a {@link Scene}. */
public final class SceneProcess {
    private static final int PARENT_PID = 1;

    private final Scene scene;
    private final int pid;
    private final String name;

    SceneProcess(Scene scene, int pid, String name) {
        this.scene = scene;
        this.pid = pid;
        this.name = name;
    }

    /** The process id. */
    public int pid() {
        return pid;
    }

    /** The process's name. */
    public String name() {
        return name;
    }

    /**
     * Adds the main thread; its tid is the pid.
     *
     * @param comm its short name; the kernel keeps 15 bytes of it
     */
    public SceneThread mainThread(String comm, int priority) {
        return thread(pid, comm, priority);
    }

    /**
     * Adds a thread.
     *
     * @param comm its short name; the kernel keeps 15 bytes of it
     */
    public SceneThread thread(int tid, String comm, int priority) {
        if (scene.threads().stream().anyMatch(t -> t.tid() == tid)) {
            throw new IllegalArgumentException("there is a thread " + tid + " already");
        }
        SceneThread thread = new SceneThread(this, tid, comm, priority);
        scene.add(thread);
        return thread;
    }

    /** Adds a frame of the process to the frame timeline. */
    public void frame(String layer, long start, long deadline, long end, int jankMask) {
        scene.add(new Scene.FrameOnScreen(pid, layer, start, deadline, end, jankMask));
    }

    boolean isSpawned() {
        return scene.threads().stream()
                .anyMatch(thread -> thread.process() == this && thread.isMain() && thread.isSpawned());
    }

    TraceWriter.ProcessEntry toEntry() {
        return new TraceWriter.ProcessEntry(pid, PARENT_PID, name);
    }
}
