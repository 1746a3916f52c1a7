package dev.unjank.record.hotspot;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The Java threads of a virtual machine as it has them itself. It changes their list and gives their memory back while it is read: a
 * thread that cannot be followed to its end is passed over.
 */
final class VmThreadList {
    /** The state of a thread that runs Java, as far as the machine knows: it did not tell of leaving it. */
    private static final int IN_JAVA = 8;

    private static final int MOST = 10_000;

    /** The list is replaced whenever a thread begins or ends; the next one is there at once. */
    private static final int TRIES = 3;

    private final ProcessMemory memory;
    private final long list;
    private final long length;
    private final long threads;
    private final long state;
    private final long systemThread;
    private final long number;
    private final long stackBase;

    VmThreadList(VmStructs layout, ProcessMemory memory) throws IOException {
        this.memory = memory;
        list = layout.field("ThreadsSMRSupport::_java_thread_list");
        length = layout.field("ThreadsList::_length");
        threads = layout.field("ThreadsList::_threads");
        state = layout.field("JavaThread::_thread_state");
        systemThread = layout.field("Thread::_osthread");
        number = layout.field("OSThread::_thread_id");
        stackBase = layout.field("JavaThread::_stack_base");
    }

    /** Takes a thread. */
    interface Taker {
        /**
         * A thread is in Java.
         *
         * @param thread where it is in the machine's memory
         * @param tid its number in the operating system
         */
        void inJava(long thread, int tid);
    }

    /**
     * Tells of those that are in Java.
     *
     * @throws IOException if the list cannot be read, time and again
     */
    void inJava(Taker taker) throws IOException {
        ByteBuffer all = listed(TRIES);
        while (all.remaining() >= Long.BYTES) {
            long thread = all.getLong();
            int tid = tidInJava(thread);
            if (tid > 0) {
                taker.inJava(thread, tid);
            }
        }
    }

    private ByteBuffer listed(int tries) throws IOException {
        try {
            long now = memory.longAt(list);
            int count = Math.clamp(memory.intAt(now + length), 0, MOST);
            return memory.read(memory.longAt(now + threads), count * Long.BYTES);
        } catch (IOException e) {
            if (tries > 1) {
                return listed(tries - 1);
            }
            throw e;
        }
    }

    /** The number of a thread that is in Java; 0 if it is not, or is ending. */
    private int tidInJava(long thread) {
        try {
            return memory.intAt(thread + state) == IN_JAVA
                    ? memory.intAt(memory.longAt(thread + systemThread) + number)
                    : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    /** Where a thread's stack begins. */
    long stackBase(long thread) throws IOException {
        return memory.longAt(thread + stackBase);
    }
}
