package dev.unjank.proof.steps;

import org.jspecify.annotations.Nullable;

/**
 * The hook that rewritten classes call before every instruction: a followed thread records the instruction in its
 * {@link ThreadSteps}; calls by other threads have no effect. Public only because the caller is rewritten code in
 * another class loader.
 */
public final class InstructionHook {
    private static final ThreadLocal<@Nullable ThreadSteps> CURRENT = new ThreadLocal<>();

    private InstructionHook() {}

    /** Follows the current thread while it runs a task. */
    static void follow(ThreadSteps trail, Runnable something) {
        CURRENT.set(trail);
        try {
            something.run();
        } finally {
            CURRENT.remove();
        }
    }

    /** Called before an instruction. */
    public static void step(String where) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.step(where);
        }
    }

    /** Called before a monitor is entered, by an instruction or a synchronized method. */
    public static void monitor(String where) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.monitor(where);
        }
    }

    /** Called before a call of a method outside the looper. */
    public static void call(String caller, String callee) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.call(caller, callee);
        }
    }

    /** Called before an atomic read-modify-write of a variable. */
    public static void readModifyWrite(@Nullable Object holder, String where) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.readModifyWrite(holder, where);
        }
    }

    /** Called before a write that is visible to other threads, by a VarHandle or an atomic object. */
    public static void write(@Nullable Object holder, String where) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.write(holder);
        }
    }

    /** Called before an operation with a full fence: a write of a volatile field, or the fence itself. */
    public static void fence(String where) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.fence(where);
        }
    }

    /** Called after an object was created. */
    public static void born(Object object) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.born(object);
        }
    }
}
