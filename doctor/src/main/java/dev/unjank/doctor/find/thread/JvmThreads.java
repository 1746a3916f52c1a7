package dev.unjank.doctor.find.thread;

import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.jfr.JfrChunks;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The internal threads of a Java virtual machine: compilers, collectors, services, and the recorder's. Their waits for
 * a CPU are frequent and no problem of the program.
 */
public final class JvmThreads {
    /** The task of an internal thread. */
    public enum Role {
        COMPILER,
        /** Collects garbage in pauses; some of them also concurrently. */
        PAUSE_COLLECTOR,
        /** Collects garbage only concurrently. */
        CONCURRENT_COLLECTOR,
        /** Runs safepoint operations. */
        VM_OPERATIONS,
        /** Serves the attach API, Flight Recorder or our own recorder. */
        PROFILER,
        OTHER
    }

    /** Platform threads that continue virtual ones; they exist from the first virtual thread on. */
    private static final String OF_VIRTUAL_THREADS = "VirtualThread-";

    private static final String FLIGHT_RECORDER_PREFIX = "JFR ";

    /** Names or prefixes of names; the kernel cuts names to 15 characters. */
    private static final Map<Role, List<String>> NAMES = Map.of(
            Role.COMPILER,
            List.of("C1 CompilerThre", "C2 CompilerThre"),
            Role.PAUSE_COLLECTOR,
            List.of("GC Thread#", "ParGC Thread#", "Shenandoah GC T"),
            Role.CONCURRENT_COLLECTOR,
            List.of("G1 ", "ZDriver", "ZDirector", "ZStat", "ZWorker", "ZUnmapper", "ZUncommitter", "Shenandoah"),
            Role.PROFILER,
            List.of("unjank-observer", "Attach Listener", FLIGHT_RECORDER_PREFIX),
            Role.VM_OPERATIONS,
            List.of("VM Thread"),
            Role.OTHER,
            List.of(
                    "VM Periodic Tas",
                    "Common-Cleaner",
                    "Finalizer",
                    "Reference Handl",
                    "Signal Dispatch",
                    "Service Thread",
                    "Monitor Deflati",
                    "Notification Th",
                    OF_VIRTUAL_THREADS));

    private JvmThreads() {}

    /** {@return the utids of the internal threads in all processes that are known to be Java virtual machines} */
    public static BitSet of(Trace trace) {
        return withRoles(trace, EnumSet.allOf(Role.class));
    }

    /** {@return the utids of the threads that may run during a pause: for GC also the collectors} */
    public static BitSet activeDuringPause(Trace trace, WaitKind kind) {
        EnumSet<Role> roles = EnumSet.of(Role.VM_OPERATIONS);
        if (kind == WaitKind.GC) {
            roles.add(Role.PAUSE_COLLECTOR);
        }
        return withRoles(trace, roles);
    }

    /** {@return the utids of the threads of profilers: the attach API and Flight Recorder} */
    public static BitSet profilerThreads(Trace trace) {
        return withRoles(trace, EnumSet.of(Role.PROFILER));
    }

    /** {@return whether a Java virtual machine in the trace ran virtual threads} */
    public static boolean hasVirtual(Trace trace) {
        Threads threads = trace.threads();
        for (int utid = 1; utid < threads.size(); utid++) {
            int upid = threads.upid(utid);
            String name = threads.name(utid);
            boolean isVirtual = threads.tid(utid) > JfrChunks.FIRST_VIRTUAL
                    && trace.slices().first(utid) < trace.slices().end(utid);
            boolean continuesVirtual = name != null && name.startsWith(OF_VIRTUAL_THREADS);
            if (upid >= 0 && trace.processes().isJvm(upid) && (isVirtual || continuesVirtual)) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether a thread of this name is Flight Recorder's} */
    public static boolean isFlightRecorderName(@Nullable String name) {
        return name != null && name.startsWith(FLIGHT_RECORDER_PREFIX);
    }

    /** {@return the role of an internal thread by its name} */
    public static Role role(@Nullable String name) {
        return Arrays.stream(Role.values())
                .filter(role -> hasRole(name, role))
                .findFirst()
                .orElse(Role.OTHER);
    }

    private static boolean hasRole(@Nullable String name, Role role) {
        return name != null && NAMES.getOrDefault(role, List.of()).stream().anyMatch(name::startsWith);
    }

    private static BitSet withRoles(Trace trace, Set<Role> roles) {
        BitSet utids = new BitSet();
        Threads threads = trace.threads();
        Processes processes = trace.processes();
        for (int utid = 1; utid < threads.size(); utid++) {
            int upid = threads.upid(utid);
            String name = threads.name(utid);
            if (upid >= 0 && processes.isJvm(upid) && roles.stream().anyMatch(role -> hasRole(name, role))) {
                utids.set(utid);
            }
        }
        return utids;
    }
}
