package dev.unjank.record.hotspot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/** The Java threads of a virtual machine as it has them itself. */
final class VmThreads {
    /** The state of a thread that runs Java, as far as the machine knows: it did not tell of leaving it. */
    private static final int IN_JAVA = 8;

    private static final int MOST = 10_000;

    private final TargetMemory memory;
    private final long list;
    private final long length;
    private final long threads;
    private final long state;
    private final long systemThread;
    private final long number;
    private final long stackBase;

    VmThreads(VmLayout layout, TargetMemory memory) throws IOException {
        this.memory = memory;
        list = layout.field("ThreadsSMRSupport::_java_thread_list");
        length = layout.field("ThreadsList::_length");
        threads = layout.field("ThreadsList::_threads");
        state = layout.field("JavaThread::_thread_state");
        systemThread = layout.field("Thread::_osthread");
        number = layout.field("OSThread::_thread_id");
        stackBase = layout.field("JavaThread::_stack_base");
    }

    /** Tells of those that are in Java. */
    void inJava(LongConsumer taker) throws IOException {
        long now = memory.longAt(list);
        int count = Math.clamp(memory.intAt(now + length), 0, MOST);
        ByteBuffer all = memory.read(memory.longAt(now + threads), count * Long.BYTES);
        while (all.remaining() >= Long.BYTES) {
            long thread = all.getLong();
            if (memory.intAt(thread + state) == IN_JAVA) {
                taker.accept(thread);
            }
        }
    }

    /** A thread's number in the operating system. */
    int tid(long thread) throws IOException {
        return memory.intAt(memory.longAt(thread + systemThread) + number);
    }

    /** Where a thread's stack begins. */
    long stackBase(long thread) throws IOException {
        return memory.longAt(thread + stackBase);
    }
}
