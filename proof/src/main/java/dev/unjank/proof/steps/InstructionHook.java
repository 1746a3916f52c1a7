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

    /**
     * An instruction is about to be executed.
     *
     * @param where its class, method and line
     */
    public static void step(String where) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.step(where);
        }
    }

    /**
     * A monitor is about to be entered, by an instruction or by a synchronized method.
     *
     * @param where class, method and line
     */
    public static void monitor(String where) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.monitor(where);
        }
    }

    /**
     * A method outside the looper is about to be called.
     *
     * @param caller class and method
     * @param callee class and method
     */
    public static void call(String caller, String callee) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.call(caller, callee);
        }
    }

    /**
     * A variable is about to be read and written atomically.
     *
     * @param holder the object that has the variable, null for a static one
     * @param where class, method and line
     */
    public static void readModifyWrite(@Nullable Object holder, String where) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.readModifyWrite(holder, where);
        }
    }

    /**
     * A variable is about to be written visibly for other threads: by a VarHandle or an atomic object.
     *
     * @param holder the object that has the variable, null for a static one
     * @param where class, method and line
     */
    public static void write(@Nullable Object holder, String where) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.write(holder);
        }
    }

    /**
     * An operation with a full fence is about to be executed: the write of a volatile field, or the fence itself.
     *
     * @param where class, method and line
     */
    public static void fence(String where) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.fence(where);
        }
    }

    /**
     * An object has just been created.
     *
     * @param object the object, not yet known to any other thread
     */
    public static void born(Object object) {
        ThreadSteps trail = CURRENT.get();
        if (trail != null) {
            trail.born(object);
        }
    }
}
