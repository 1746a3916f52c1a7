package dev.unjank.doctor.model;

import org.jspecify.annotations.Nullable;

/**
 * The owner of a wait: the thread that held the lock, served the call or collected the garbage.
 *
 * @param thread the thread; in an {@link OwnerInterval} with the priority that mattered there
 * @param location the code that took the lock; null if unknown
 * @param evidence the evidence for the owner
 */
public record Owner(ThreadRef thread, @Nullable CodeLocation location, Evidence evidence) {}
