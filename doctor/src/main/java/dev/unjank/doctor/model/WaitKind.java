package dev.unjank.doctor.model;

/** What kind of thing a thread waited for. */
public enum WaitKind {
    /** A Java monitor: {@code synchronized}. */
    MONITOR,
    /** A lock of the runtime's own, such as its thread list's. */
    RUNTIME_LOCK,
    /** A mutex of native code, told by the C library. */
    MUTEX,
    /** A lock of {@code java.util.concurrent}. */
    PARK,
    /** A futex, told by the kernel's system calls. */
    FUTEX,
    /** The reply to a call of another process. */
    BINDER,
    /** The garbage collector: a pause, a thread flip, or its being done. */
    GC,
    /** A safepoint: threads stop until an operation of the runtime is done. On Android, a suspension for something but garbage. */
    SAFEPOINT,
    /** The messages before it in the queue of a looper: here a message waited, and its looper was busy. */
    QUEUE,
    /** A CPU: the thread was ready to run and others ran. */
    CPU,
    /** The kernel: a disk, a page of memory, a device. */
    KERNEL,
    /** To be let go on: the whole process was stopped from outside. */
    STOP;

    /**
     * {@return whether it is a lock, which one thread holds while others wait}
     */
    public boolean isLock() {
        return this == MONITOR || this == RUNTIME_LOCK || this == MUTEX || this == PARK || this == FUTEX;
    }
}
