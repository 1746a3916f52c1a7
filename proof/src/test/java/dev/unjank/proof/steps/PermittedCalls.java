package dev.unjank.proof.steps;

import java.util.Map;

/** The JDK methods that the looper may call on a path that must not wait for a lock, and the reasons. */
final class PermittedCalls {
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
                    "a compare-and-set on the object's header, once for each object"),
            Map.entry("java.lang.Thread.currentThread", "reads a register"),
            Map.entry("java.util.Objects.", "compares"),
            Map.entry("java.lang.Object.equals", "the caller's own"),
            Map.entry("java.util.function.Predicate.test", "a predicate of the looper's, in this graph too"),
            Map.entry("java.lang.Runnable.run", "frees the waker, or listens for the end"),
            Map.entry("java.lang.StringBuilder.", "an error's text, on the stack of one thread"),
            Map.entry("java.lang.String.", "an error's text"),
            Map.entry("java.lang.Class.", "an error's text"),
            Map.entry("java.lang.Object.getClass", "an error's text"),
            Map.entry("java.lang.Illegal", "an exception is made"));

    /** TimedCalls that only one caller may make, and the reasons. */
    private static final Map<ExternalCall, String> OF_ONE = Map.of(
            new ExternalCall("ParkingWaker.wake", "java.util.concurrent.locks.LockSupport.unpark"),
            "holds a mutex inside the virtual machine: a matter of the portable waker, which can be replaced",
            new ExternalCall("ChannelSelector.wakeup", "java.nio.channels.Selector.wakeup"),
            "holds a monitor of the selector's for the length of a write: only where a loop watches channels",
            new ExternalCall("Looper.announceQuit", "java.util.List.forEach"),
            "of a CopyOnWriteArrayList, whose readers take no lock; what the listeners do is in this graph",
            new ExternalCall("BlockingRunnable.released", "java.util.concurrent.CountDownLatch.countDown"),
            "a compare-and-set, and an unpark of the thread that waits for the task",
            new ExternalCall("HandlerFuture.released", "java.util.concurrent.CompletableFuture.cancel"),
            "a compare-and-set, and an unpark of the threads that wait for the future",
            new ExternalCall("LooperFutureTask.released", "java.util.concurrent.FutureTask.cancel"),
            "a compare-and-set, and an unpark of the threads that wait for the future");

    private PermittedCalls() {}

    static boolean isPermitted(ExternalCall call) {
        return OF_ONE.containsKey(call) || REASONS.keySet().stream().anyMatch(call.callee()::startsWith);
    }
}
