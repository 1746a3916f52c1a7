package dev.unjank.record.hotspot;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * HotSpot's list of Java threads, read from outside. The JVM may replace the list and free its memory meanwhile:
 * threads that cannot be read are skipped.
 */
final class VmThreadList {
    /** HotSpot's {@code _thread_in_Java}. */
    private static final int IN_JAVA = 8;

    private static final int MOST = 10_000;

    /** The list is replaced whenever a thread starts or ends; a retry finds the next one. */
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

    /** Receives threads. */
    interface Taker {
        /** A thread is in state {@code in_Java}. */
        void inJava(long thread, int tid);
    }

    /** Lists the threads in state {@code in_Java}. Fails if the list cannot be read repeatedly. */
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

    /** The id of a thread that is in Java; 0 if it is not, or is ending. */
    private int tidInJava(long thread) {
        try {
            return memory.intAt(thread + state) == IN_JAVA
                    ? memory.intAt(memory.longAt(thread + systemThread) + number)
                    : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    long stackBase(long thread) throws IOException {
        return memory.longAt(thread + stackBase);
    }
}
