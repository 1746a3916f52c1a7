package dev.unjank.doctor.model;

import org.jspecify.annotations.Nullable;

/**
 * A thread that others waited for: it held the lock, it served the call, it collected the garbage.
 *
 * @param thread the thread; in a {@link OwnerInterval} with the priority that mattered there
 * @param location where it took the lock, as far as the runtime says
 * @param evidence how it is known
 */
public record Owner(ThreadRef thread, @Nullable CodeLocation location, Evidence evidence) {}
