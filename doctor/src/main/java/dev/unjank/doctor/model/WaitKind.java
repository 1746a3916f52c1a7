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
    /** A safepoint: threads stop for an operation of the runtime. On Android, a thread suspension for another reason than GC. */
    SAFEPOINT,
    /** A busy looper: the messages before this one in its queue. */
    QUEUE,
    /** A CPU: the thread was runnable while others ran. */
    CPU,
    /** The kernel, in uninterruptible sleep: a disk, a page of memory, a device. */
    KERNEL,
    /** The continuation of a process that was stopped from outside. */
    STOP;

    /** {@return whether it is a lock, which one thread holds while others wait} */
    public boolean isLock() {
        return this == MONITOR || this == RUNTIME_LOCK || this == MUTEX || this == PARK || this == FUTEX;
    }
}
