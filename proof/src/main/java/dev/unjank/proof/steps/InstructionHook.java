package dev.unjank.proof.steps;

import org.jspecify.annotations.Nullable;

/**
 * The hook of rewritten classes at every instruction: a followed thread records it on its {@link ThreadSteps}, any other does
 * nothing. Public only because the caller is rewritten code in another class loader.
 */
public final class InstructionHook {
    private static final ThreadLocal<@Nullable ThreadSteps> CURRENT = new ThreadLocal<>();

    private InstructionHook() {}

    /** Follows the current thread while it does something. */
    static void follow(ThreadSteps trail, Runnable something) {
        CURRENT.set(trail);
        try {
            something.run();
        } finally {
            CURRENT.remove();
        }
    }

    /** An instruction is about to be executed. */
    public static void step(String where) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.step(where);
        }
    }

    /** A monitor is about to be entered, by an instruction or by a synchronized method. */
    public static void monitor(String where) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.monitor(where);
        }
    }

    /** A method outside the looper is about to be called. */
    public static void call(String caller, String callee) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.call(caller, callee);
        }
    }

    /** A variable is about to be read and written atomically. */
    public static void readModifyWrite(@Nullable Object holder, String where) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.readModifyWrite(holder, where);
        }
    }

    /** A variable is about to be written visibly for other threads: by a VarHandle or an atomic object. */
    public static void write(@Nullable Object holder, String where) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.write(holder);
        }
    }

    /** An operation with a full fence is about to be executed: the write of a volatile field, or the fence itself. */
    public static void fence(String where) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.fence(where);
        }
    }

    /** An object has just been created. */
    public static void born(Object object) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.born(object);
        }
    }
}
