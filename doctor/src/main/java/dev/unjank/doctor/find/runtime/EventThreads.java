package dev.unjank.doctor.find.runtime;

import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The threads of virtual machines that handle events one after another, by the names that their libraries give them.
 */
public final class EventThreads {
    /** Of AWT, JavaFX, Netty, Vert.x and Reactor; the kernel cuts names to 15 characters. */
    private static final List<String> PREFIXES = List.of(
            "AWT-EventQueue-",
            "JavaFX Applicat",
            "nioEventLoopGro",
            "epollEventLoopG",
            "kqueueEventLoop",
            "multiThreadIoEv",
            "vert.x-eventloo",
            "reactor-http-");

    private EventThreads() {}

    /** {@return whether an event thread can have this name} */
    public static boolean isName(@Nullable String name) {
        return name != null && PREFIXES.stream().anyMatch(name::startsWith);
    }

    /** {@return the utids of event threads} */
    static BitSet of(Trace trace) {
        BitSet utids = new BitSet();
        Threads threads = trace.threads();
        Processes processes = trace.processes();
        for (int utid = 1; utid < threads.size(); utid++) {
            int upid = threads.upid(utid);
            if (upid >= 0 && processes.isJvm(upid) && isName(threads.name(utid))) {
                utids.set(utid);
            }
        }
        return utids;
    }
}
