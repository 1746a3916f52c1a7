package dev.unjank.doctor.model;

import java.util.List;

/**
 * The methods by which the options correct the decision which waits are idle: prefixes of {@code CLASS.METHOD}.
 *
 * @param idle a wait with such a method on its stack is idle
 * @param busy a wait with such a method on its stack is in the middle of work
 */
public record IdleMethods(List<String> idle, List<String> busy) {
    /** No corrections. */
    public static final IdleMethods NONE = new IdleMethods(List.of(), List.of());

    /** Copies the lists. */
    public IdleMethods {
        idle = List.copyOf(idle);
        busy = List.copyOf(busy);
    }
}
