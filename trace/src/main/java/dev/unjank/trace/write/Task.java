package dev.unjank.trace.write;

/**
 * A thread in the kernel's scheduler events.
 *
 * @param tid its thread id; 0 is the idle thread of every CPU
 * @param comm its short name, at most 15 bytes in real traces
 * @param priority the kernel's priority: 100 to 139 normal, below 100 real-time, smaller is more important
 */
public record Task(int tid, String comm, int priority) {
    private static final int DEFAULT_PRIORITY = 120;

    /**
     * {@return the idle thread of a CPU: swapper/N, with tid 0 on every CPU}
     *
     * @param cpu the CPU
     */
    public static Task idle(int cpu) {
        return new Task(0, "swapper/" + cpu, DEFAULT_PRIORITY);
    }

    /**
     * {@return the same thread with another priority}
     *
     * @param newPriority the kernel's priority
     */
    public Task withPriority(int newPriority) {
        return new Task(tid, comm, newPriority);
    }
}
