package dev.unjank.cli.demo.load;

/**
 * What the UI loop has to live beside, the same for each queue.
 *
 * @param hogs threads of ordinary priority that never stop computing: several per processor, so that a thread of low priority
 *     which loses its processor does not get it back soon
 * @param posters threads of low priority that post delayed messages to the loop
 * @param pending messages that lie in the queue before the clock starts
 * @param postsPerSecond what one poster posts at most; it catches up when it was kept from running
 */
public record LoadProfile(int hogs, int posters, int pending, int postsPerSecond) {

    /**
     * The load for a machine.
     *
     * @param processors how many it has
     * @return what keeps them all busy
     */
    public static LoadProfile forProcessors(int processors) {
        return new LoadProfile(3 * processors, 3, 3_000, 2_000);
    }
}
