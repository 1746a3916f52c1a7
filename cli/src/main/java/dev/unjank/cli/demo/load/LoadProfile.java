package dev.unjank.cli.demo.load;

/**
 * The load that runs concurrently with the UI loop, the same for each queue.
 *
 * @param hogs threads of normal priority that compute continuously: several per CPU, so that a preempted low-priority
 *     thread waits long for a CPU
 * @param posters low-priority threads that post delayed messages to the loop
 * @param postsPerSecond the rate of one poster; after a preemption it catches up
 */
public record LoadProfile(int hogs, int posters, int pending, int postsPerSecond) {

    /** The load for a machine. */
    public static LoadProfile forProcessors(int processors) {
        return new LoadProfile(3 * processors, 3, 3_000, 2_000);
    }
}
