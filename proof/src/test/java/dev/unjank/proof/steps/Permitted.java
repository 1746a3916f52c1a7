package dev.unjank.proof.steps;

import java.util.Map;

/** What the looper may call in the JDK on a path that must not wait for a lock, and why it may. */
final class Permitted {
    private static final String UNPARK = "java.util.concurrent.locks.LockSupport.unpark";

    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("java.lang.Object.<init>", "does nothing"),
            Map.entry("java.lang.invoke.VarHandle.", "an access to memory"),
            Map.entry("java.util.concurrent.atomic.Atomic", "an access to memory"),
            Map.entry("java.lang.Math.", "arithmetic"),
            Map.entry("java.lang.Long.", "arithmetic"),
            Map.entry("java.lang.Integer.", "arithmetic"),
            Map.entry("java.lang.System.nanoTime", "reads a register"),
            Map.entry(
                    "java.lang.System.identityHashCode",
                    "a compare-and-set on the object's header, in an error's text"),
            Map.entry("java.lang.Thread.currentThread", "reads a register"),
            Map.entry("java.util.Objects.", "compares"),
            Map.entry("java.lang.Object.equals", "the caller's own"),
            Map.entry("java.util.function.Predicate.test", "a predicate of the looper's, in this graph too"),
            Map.entry("java.lang.Runnable.run", "frees the waker; in this graph too"),
            Map.entry("java.lang.StringBuilder.", "an error's text, on the stack of one thread"),
            Map.entry("java.lang.String.", "an error's text"),
            Map.entry("java.lang.Class.", "an error's text"),
            Map.entry("java.lang.Object.getClass", "an error's text"),
            Map.entry("java.lang.Illegal", "an exception is made"));

    private Permitted() {}

    static boolean isPermitted(Call call) {
        if (call.callee().equals(UNPARK)) {
            // holds a mutex inside the virtual machine: a matter of the portable waker, which can be replaced
            return call.caller().equals("ParkingWaker.wake");
        }
        return REASONS.keySet().stream().anyMatch(call.callee()::startsWith);
    }
}
