package dev.unjank.doctor.model;

/** The kind of resource that a thread waited for. */
public enum WaitKind {
    /** A Java monitor: {@code synchronized}. */
    MONITOR,
    /** A lock of the runtime, such as its thread list lock. */
    RUNTIME_LOCK,
    /** A mutex of native code, recorded by the C library. */
    MUTEX,
    /** A lock of {@code java.util.concurrent}. */
    PARK,
    /** A futex, recorded by the kernel's system call events. */
    FUTEX,
    /** The reply to a binder call. */
    BINDER,
    /** The garbage collector: a pause, a thread flip, or the end of a collection. */
    GC,
    /**
     * A safepoint: threads stop for an operation of the runtime. On Android, a thread suspension for another reason
     * than GC.
     */
    SAFEPOINT,
    /** A busy looper: the messages before this one in its queue. */
    QUEUE,
    /** A CPU: the thread was runnable while others ran. */
    CPU,
    /** The kernel, in uninterruptible sleep: a disk, a page of memory, a device. */
    KERNEL,
    /** The continuation of a process that was stopped from outside. */
    STOP,
    /**
     * A permit, a pooled object or an item: a semaphore, a blocking queue, or a condition for which several threads
     * wait.
     */
    RESOURCE,
    /** A result or signal of another thread: a future, a latch, the end of a thread, a condition. */
    RESULT,
    /** The end of the thread's own sleep. */
    SLEEP,
    /** A socket or a file, as the runtime recorded it. */
    IO,
    /** A virtual thread that waited while it was pinned to its carrier. */
    PINNED,
    /** A carrier: a virtual thread was ready to go on while pinned ones kept their carriers. */
    CARRIER,
    /** The end of a handler on an event thread; the events after it waited. */
    HANDLER;

    /** {@return whether it is a lock, which one thread holds while others wait} */
    public boolean isLock() {
        return this == MONITOR || this == RUNTIME_LOCK || this == MUTEX || this == PARK || this == FUTEX;
    }
}
