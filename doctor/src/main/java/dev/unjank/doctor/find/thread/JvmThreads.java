package dev.unjank.doctor.find.thread;

import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The threads that a Java virtual machine has for itself (compilers, collectors, services), and the recorder's in it. That one of them
 * had to wait for a CPU is of no interest to whoever wrote the program, and they are many.
 */
public final class JvmThreads {
    /** What such a thread is there for. */
    public enum Work {
        COMPILING,
        /** In pauses; some of them beside the program, too. */
        COLLECTING,
        /** Only beside the program, which goes on. */
        COLLECTING_BESIDE,
        /** What all threads stand still for. */
        OPERATING,
        /** By these somebody looks in: whoever attaches, Flight Recorder, our own recorder. */
        RECORDING,
        OTHER
    }

    private static final String FLIGHT_RECORDERS = "JFR ";

    /** Complete names, or beginnings of names; the kernel knows of each 15 characters. */
    private static final Map<Work, List<String>> NAMES = Map.of(
            Work.COMPILING,
            List.of("C1 CompilerThre", "C2 CompilerThre"),
            Work.COLLECTING,
            List.of("GC Thread#", "ParGC Thread#", "Shenandoah GC T"),
            Work.COLLECTING_BESIDE,
            List.of("G1 ", "ZDriver", "ZDirector", "ZStat", "ZWorker", "ZUnmapper", "ZUncommitter", "Shenandoah"),
            Work.RECORDING,
            List.of("unjank-observer", "Attach Listener", FLIGHT_RECORDERS),
            Work.OPERATING,
            List.of("VM Thread"),
            Work.OTHER,
            List.of(
                    "VM Periodic Tas",
                    "Common-Cleaner",
                    "Finalizer",
                    "Reference Handl",
                    "Signal Dispatch",
                    "Service Thread",
                    "Monitor Deflati",
                    "Notification Th"));

    private JvmThreads() {}

    /**
     * {@return the utids of those of all processes that are known to run one}
     *
     * @param trace the trace
     */
    public static BitSet of(Trace trace) {
        return working(trace, EnumSet.allOf(Work.class));
    }

    /**
     * {@return the utids of those that do what all others stand still for, or may}
     *
     * @param trace the trace
     * @param kind what for: in a pause for garbage those of the collector's threads that work in pauses are among them
     */
    public static BitSet activeDuringPause(Trace trace, WaitKind kind) {
        return working(
                trace, kind == WaitKind.GC ? EnumSet.of(Work.COLLECTING, Work.OPERATING) : EnumSet.of(Work.OPERATING));
    }

    /** {@return the utids of those by which somebody looks into a virtual machine: whoever attaches to it, and Flight Recorder} */
    public static BitSet profilerThreads(Trace trace) {
        return working(trace, EnumSet.of(Work.RECORDING));
    }

    /** Whether it is one of Flight Recorder's, by its name. */
    public static boolean isFlightRecorderName(@Nullable String name) {
        return name != null && name.startsWith(FLIGHT_RECORDERS);
    }

    /** What one of them does, by its name. */
    public static Work role(@Nullable String name) {
        return Arrays.stream(Work.values())
                .filter(work -> isOf(work, name))
                .findFirst()
                .orElse(Work.OTHER);
    }

    private static boolean isOf(Work work, @Nullable String name) {
        return name != null && NAMES.getOrDefault(work, List.of()).stream().anyMatch(name::startsWith);
    }

    private static BitSet working(Trace trace, Set<Work> works) {
        BitSet utids = new BitSet();
        Threads threads = trace.threads();
        Processes processes = trace.processes();
        for (int utid = 1; utid < threads.size(); utid++) {
            int upid = threads.upid(utid);
            String name = threads.name(utid);
            if (upid >= 0 && processes.isJvm(upid) && works.stream().anyMatch(work -> isOf(work, name))) {
                utids.set(utid);
            }
        }
        return utids;
    }
}
