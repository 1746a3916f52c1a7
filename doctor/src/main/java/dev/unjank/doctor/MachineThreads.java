package dev.unjank.doctor;

import dev.unjank.trace.Processes;
import dev.unjank.trace.Threads;
import dev.unjank.trace.Trace;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The threads that a Java virtual machine has for itself (compilers, collectors, services), and the recorder's in it. That one of them
 * had to wait for a CPU is of no interest to whoever wrote the program, and they are many.
 */
public final class MachineThreads {
    /** Complete names, or beginnings of names; the kernel knows of each 15 characters. */
    private static final List<String> NAMES = List.of(
            "unjank-observer",
            "VM Thread",
            "VM Periodic Tas",
            "GC Thread#",
            "G1 ",
            "ZDriver",
            "ZDirector",
            "ZStat",
            "ZWorker",
            "ZUnmapper",
            "ZUncommitter",
            "Shenandoah",
            "C1 CompilerThre",
            "C2 CompilerThre",
            "Common-Cleaner",
            "Finalizer",
            "Reference Handl",
            "Signal Dispatch",
            "Service Thread",
            "Monitor Deflati",
            "Notification Th",
            "Attach Listener",
            "JFR ");

    /** Of these, those by which a recorder looks in. */
    private static final List<String> RECORDERS = List.of("unjank-observer", "Attach Listener", "JFR ");

    private MachineThreads() {}

    /**
     * {@return the utids of those of all processes that are known to run one}
     *
     * @param trace the trace
     */
    public static BitSet of(Trace trace) {
        return named(trace, NAMES);
    }

    /** {@return the utids of those by which somebody looks into a virtual machine: whoever attaches to it, and Flight Recorder} */
    static BitSet ofRecorders(Trace trace) {
        return named(trace, RECORDERS);
    }

    private static BitSet named(Trace trace, List<String> names) {
        BitSet utids = new BitSet();
        Threads threads = trace.threads();
        Processes processes = trace.processes();
        for (int utid = 1; utid < threads.size(); utid++) {
            int upid = threads.upid(utid);
            if (upid >= 0 && processes.isJvm(upid) && isOneOf(names, threads.name(utid))) {
                utids.set(utid);
            }
        }
        return utids;
    }

    private static boolean isOneOf(List<String> names, @Nullable String name) {
        return name != null && names.stream().anyMatch(name::startsWith);
    }
}
