package dev.unjank.doctor.model;

import org.jspecify.annotations.Nullable;

/**
 * The owner of a wait: the thread that held the lock, served the call or collected the garbage.
 *
 * @param thread the thread; in an {@link OwnerInterval} with the priority that mattered there
 * @param location the code that took the lock; null if unknown
 * @param stack the owner's call stack during the wait
 * @param evidence the evidence for the owner
 */
public record Owner(ThreadRef thread, @Nullable CodeLocation location, CallStack stack, Evidence evidence) {
    /**
     * Creates an owner without a recorded stack.
     *
     * @param thread the thread
     * @param location the code that took the lock; null if unknown
     * @param evidence the evidence for the owner
     */
    public Owner(ThreadRef thread, @Nullable CodeLocation location, Evidence evidence) {
        this(thread, location, CallStack.NONE, evidence);
    }

    /**
     * {@return this owner as another thread, or with another priority}
     *
     * @param other the thread
     */
    public Owner withThread(ThreadRef other) {
        return new Owner(other, location, stack, evidence);
    }
}
