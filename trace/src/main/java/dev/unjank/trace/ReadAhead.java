package dev.unjank.trace;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Reads the next block of each log before the {@link EventMerge} comes to it: copying a block and giving its names their ids is
 * a fifth of the walk over all events, and a thread of its own does it meanwhile. Whoever comes first to a block reads it, so
 * that nobody waits for that thread to be given a CPU, and with few blocks there is none.
 */
final class ReadAhead implements AutoCloseable {
    /** From so many blocks on, a thread pays. */
    private static final int BLOCKS_WORTH_A_THREAD = 64;

    /** What to look at next. Some of it has been read meanwhile; and what finds no room the merge reads. */
    private final BlockingQueue<Next> wanted;

    private final @Nullable Thread thread;

    ReadAhead(EventLog[] logs) {
        int blocks = 0;
        for (EventLog log : logs) {
            blocks += log.blocks();
        }
        wanted = new ArrayBlockingQueue<>(2 * logs.length + 1);
        thread = blocks < BLOCKS_WORTH_A_THREAD ? null : new Thread(this::readWanted, "trace-blocks");
        if (thread != null) {
            thread.setDaemon(true);
            thread.start();
        }
    }

    /**
     * The next block of a log. Its words, their number and the failure belong to whoever has changed its state last:
     *
     * <pre>
     * WANTED  nobody's; set by the merge
     * TAKEN   the reader's, which may be the merge or the thread, whoever changes it from WANTED first
     * READ    the merge's; set by the reader
     * </pre>
     */
    static final class Next {
        private static final int WANTED = 0;
        private static final int TAKEN = 1;
        private static final int READ = 2;

        private final EventLog log;
        private final AtomicInteger state = new AtomicInteger(READ);
        private int index;
        private long[] words = new long[BlockPool.LONGS];
        private int used;
        private @Nullable Throwable failure;

        /** The longs in the block that was taken last; the merge's alone. */
        private int length;

        private Next(EventLog log) {
            this.log = log;
        }

        /** Whether there is one. */
        boolean exists() {
            return index < log.blocks();
        }

        /** How many longs the block has that {@link #take} gave. */
        int length() {
            return length;
        }

        /** Reads the block, unless somebody else does. */
        private void read() {
            if (state.compareAndSet(WANTED, TAKEN)) {
                try {
                    used = log.read(index, words);
                } catch (Throwable e) {
                    failure = e; // for take()
                }
                state.set(READ);
            }
        }

        private void await() {
            read();
            while (state.get() != READ) {
                Thread.onSpinWait(); // a block takes microseconds
            }
            if (failure instanceof Error error) {
                throw error;
            } else if (failure != null) {
                throw new IllegalStateException(failure);
            }
        }
    }

    /** Begins with a log. */
    Next begin(EventLog log) {
        Next first = new Next(log);
        want(first);
        return first;
    }

    private void want(Next next) {
        if (next.exists()) {
            next.state.set(Next.WANTED);
            if (thread != null) {
                boolean _ = wanted.offer(next);
            }
        }
    }

    /** Gives the next block of a log, which there must be, in return for an array that is free. */
    long[] take(Next next, long[] free) {
        next.await();
        long[] block = next.words;
        next.length = next.used;
        next.words = free;
        next.index++;
        want(next);
        return block;
    }

    private void readWanted() {
        try {
            while (true) {
                wanted.take().read();
            }
        } catch (InterruptedException e) {
            // By close(): nobody else knows this thread.
        }
    }

    /** Ends the thread. */
    @Override
    public void close() {
        if (thread != null) {
            thread.interrupt();
        }
    }
}
