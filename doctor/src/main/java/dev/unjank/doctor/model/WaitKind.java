package dev.unjank.doctor.model;

/** What kind of thing a thread waited for. */
public enum WaitKind {
    /** A Java monitor: {@code synchronized}. */
    MONITOR("monitor"),
    /** A lock of the runtime's own, such as its thread list's. */
    RUNTIME_LOCK("runtime lock"),
    /** A mutex of native code, told by the C library. */
    MUTEX("pthread mutex"),
    /** A lock of {@code java.util.concurrent}. */
    PARK("java.util.concurrent lock"),
    /** A futex, told by the kernel's system calls. */
    FUTEX("futex"),
    /** The reply to a call of another process. */
    BINDER("binder reply"),
    /** The garbage collector: a pause, a thread flip, or its being done. */
    GC("garbage collector"),
    /** A safepoint: threads stop until an operation of the runtime is done. On Android, a suspension for something but garbage. */
    SAFEPOINT("safepoint"),
    /** The messages before it in the queue of a looper: here a message waited, and its looper was busy. */
    QUEUE("message queue"),
    /** A CPU: the thread was ready to run and others ran. */
    CPU("CPU"),
    /** The kernel: a disk, a page of memory, a device. */
    KERNEL("kernel"),
    /** To be let go on: the whole process was stopped from outside. */
    STOP("stop");

    private final String text;

    WaitKind(String text) {
        this.text = text;
    }

    /**
     * {@return what it is called in a sentence}
     */
    public String text() {
        return text;
    }

    /**
     * {@return whether it is a lock, which one thread holds while others wait}
     */
    public boolean isLock() {
        return this == MONITOR || this == RUNTIME_LOCK || this == MUTEX || this == PARK || this == FUTEX;
    }
}
