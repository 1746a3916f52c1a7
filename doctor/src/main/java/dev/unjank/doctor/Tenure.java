package dev.unjank.doctor;

import java.util.List;

/**
 * A stretch of a wait that was due to one thread: it had the lock, it served the call, it collected the garbage. Where the
 * waiting thread was late by itself, because it had no CPU or slept in the kernel, that thread has the tenure.
 *
 * @param owner who
 * @param startNs when the stretch began, on the trace's clock
 * @param durNs how long it lasted, in ns
 * @param parts what the owner did meanwhile, in order of time, without gaps and overlaps; at least one
 */
public record Tenure(Owner owner, long startNs, long durNs, List<Part> parts) {
    /** Keeps its own copy of the list. */
    public Tenure {
        parts = List.copyOf(parts);
    }

    /**
     * {@return when the stretch ended, on the trace's clock}
     */
    public long endNs() {
        return startNs + durNs;
    }
}
