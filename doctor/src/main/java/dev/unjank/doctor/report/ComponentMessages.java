package dev.unjank.doctor.report;

import dev.unjank.doctor.find.thread.JvmThreads;
import dev.unjank.doctor.find.thread.KernelThreads;
import dev.unjank.doctor.model.CodeOrigin;
import dev.unjank.doctor.model.FrameWorkload;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.Owner;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.text.TerminalText;
import org.jspecify.annotations.Nullable;

/**
 * The component to look at for an incident: the program of the responsible thread. For threads of the kernel, Android or the virtual machine
 * it says what maintains them and what can be done from outside.
 */
public final class ComponentMessages {
    private static final String PART_OF_ANDROID = ", part of the Android system";
    private static final String OR_ANDROID = " (an app or part of the system)";

    private ComponentMessages() {}

    /** {@return the component as a phrase, empty if the trace does not identify one} */
    public static String of(Incident incident, Platform platform) {
        if (incident.verdict() == Verdict.STOPPED) {
            return "the sender of the signal, or the debugger; no code is the cause";
        }
        ThreadRef responsible = ofProcess(incident.responsibleThread(), incident);
        if (responsible == null
                || (incident.verdict() == Verdict.NO_CPU && !RootCauseMessages.ranHalf(incident, responsible))) {
            return "";
        }
        if (incident.rootWait().isProcessPause() && responsible.origin() != CodeOrigin.JVM) {
            return PauseMessages.componentToLookAt(incident);
        }
        return switch (responsible.origin()) {
            case PROGRAM -> program(incident, responsible, "");
            case PROGRAM_OR_ANDROID -> program(incident, responsible, OR_ANDROID);
            case KERNEL -> kernel(incident, responsible, platform);
            case ANDROID -> android(incident, responsible);
            case JVM -> machine(responsible);
            case UNKNOWN -> unknown(incident, responsible);
        };
    }

    /** {@return the program whose own work took a missed frame} */
    static String of(FrameWorkload work) {
        String name = program(work);
        if (name == null) {
            return "";
        }
        return switch (work.origin()) {
            case PROGRAM, JVM, UNKNOWN -> name;
            case PROGRAM_OR_ANDROID -> name + OR_ANDROID;
            case ANDROID, KERNEL -> name + PART_OF_ANDROID;
        };
    }

    /** {@return the name of the program of a frame: of its process, or of the main thread that worked on it; null if neither has one} */
    static @Nullable String program(FrameWorkload work) {
        String process = work.frame().process();
        ThreadRef worker = work.worker();
        if (process != null && !process.isEmpty()) {
            return TerminalText.printableStart(process);
        }
        if (worker == null
                || !worker.main()
                || worker.name() == null
                || worker.name().isEmpty()) {
            return null;
        }
        return "the program of " + ThreadLabels.name(worker);
    }

    /** The owner of a lock is of the process of the waiter, even if the trace does not say so. */
    private static @Nullable ThreadRef ofProcess(@Nullable ThreadRef responsible, Incident incident) {
        if (responsible == null || responsible.upid() != ThreadRef.NOT_IN_TRACE) {
            return responsible;
        }
        for (Wait wait : incident.chain()) {
            if (wait.kind().isLock()
                    && wait.longestOwnerInterval().owner().thread().utid() == responsible.utid()) {
                return responsible.withProcessOf(wait.thread());
            }
        }
        return responsible;
    }

    private static String program(Incident incident, ThreadRef thread, String what) {
        return process(thread) + what + ", " + thread(thread) + place(incident, thread, ", in ")
                + (incident.verdict() == Verdict.BLOCKING_IO ? ", which " + sleeps(incident) : "");
    }

    private static String sleeps(Incident incident) {
        return incident.timeIn(OwnerState.IO_WAIT) > 0 ? "does I/O" : "sleeps in the kernel";
    }

    private static String kernel(Incident incident, ThreadRef thread, Platform platform) {
        KernelThreads.Role role = KernelThreads.role(thread.name());
        String who = ThreadLabels.name(thread) + ", a kernel thread"
                + (role == null ? ", maybe of a driver" : " that " + work(role, thread));
        if (role != null && role.isForMemory()) {
            return who + "; find the program that uses the memory";
        }
        String function = function(incident, thread);
        return who
                + (function == null ? "" : ", in " + TerminalText.printableStart(function))
                + (platform.isJvm() ? "; ask the machine's administrator" : "; ask the device's vendor");
    }

    private static String work(KernelThreads.Role role, ThreadRef thread) {
        String driver = thread.name() == null ? "" : KernelThreads.driverName(thread.name());
        String work = switch (role) {
            case DEFERRED_WORK -> "runs deferred work of drivers and file systems";
            case SOFTIRQ -> "runs softirqs, mostly of network, disks and timers";
            case INTERRUPT -> "handles interrupts";
            case MEMORY_RECLAIM -> "reclaims memory because little is free";
            case MEMORY_COMPACTION -> "compacts memory for large allocations";
            case MIGRATION -> "migrates threads between CPUs";
            case RCU -> "runs RCU callbacks";
            case STORAGE -> "reads and writes storage";
            case JOURNAL -> "writes a file system's journal";
            case ENCRYPTED_STORAGE -> "writes encrypted storage";
            case FILE_SYSTEM -> "writes or cleans up a file system";
            case DISPLAY -> "drives the display";
            case THREAD_STARTER -> "starts the kernel's other threads";
        };
        return driver.isEmpty() ? work : work + " (" + TerminalText.printableStart(driver) + ")";
    }

    private static String android(Incident incident, ThreadRef thread) {
        Wait wait = incident.rootWait();
        boolean called =
                wait.kind() == WaitKind.BINDER && thread.upid() != wait.thread().upid();
        return process(thread) + PART_OF_ANDROID + ", " + thread(thread) + place(incident, thread, ", in ")
                + (called ? "; send it fewer calls, or call it from a thread that may wait" : "");
    }

    private static String machine(ThreadRef thread) {
        return ThreadLabels.name(thread) + ", a thread of the Java virtual machine that "
                + switch (JvmThreads.role(thread.name())) {
                    case COMPILING ->
                        "compiles hot methods, mostly in the first minutes; -XX:CICompilerCount=N limits such threads";
                    case COLLECTING, COLLECTING_BESIDE ->
                        "collects garbage; an allocation profile shows the allocating code, -XX:ParallelGCThreads=N and"
                                + " -XX:ConcGCThreads=N limit such threads";
                    case RECORDING -> "works for a recorder or an attached tool; look at these";
                    case OPERATING, OTHER -> "runs no code of the program";
                };
    }

    private static String unknown(Incident incident, ThreadRef thread) {
        ThreadRef main = thread.main() ? thread : mainOf(thread, incident);
        String place = place(incident, thread, ", in ");
        if (main != null && main.name() != null) {
            return "the program of " + ThreadLabels.name(main) + ", " + thread(thread) + place;
        }
        return ThreadLabels.name(thread) + place + (place.isEmpty() ? ", of a program that is not recorded" : "");
    }

    /** The main thread of the same process, if that waited. */
    private static @Nullable ThreadRef mainOf(ThreadRef responsible, Incident incident) {
        ThreadRef waiting = incident.rootWait().thread();
        return waiting.main() && waiting.upid() != ThreadRef.NOT_IN_TRACE && waiting.upid() == responsible.upid()
                ? waiting
                : null;
    }

    private static String process(ThreadRef thread) {
        return TerminalText.printableStart(String.valueOf(thread.process()));
    }

    private static String thread(ThreadRef thread) {
        return thread.main() ? "main thread" : "thread " + ThreadLabels.name(thread);
    }

    /** The method in which the responsible thread took the lock; empty if that is not known. */
    private static String place(Incident incident, ThreadRef responsible, String before) {
        for (Wait wait : incident.chain()) {
            Owner owner = wait.longestOwnerInterval().owner();
            if (owner.thread().utid() == responsible.utid() && owner.location() != null) {
                return before + TerminalText.printableStart(owner.location().method());
            }
        }
        return "";
    }

    /** The kernel function in which the responsible thread slept for longest; null if it did not, or that is not recorded. */
    private static @Nullable String function(Incident incident, ThreadRef responsible) {
        Segment[] longest = {null};
        incident.rootWait().forEachLeaf(leaf -> {
            boolean its =
                    leaf.thread().utid() == responsible.utid() && leaf.state().isAsleep() && leaf.detail() != null;
            if (its && (longest[0] == null || leaf.durNs() > longest[0].durNs())) {
                longest[0] = leaf;
            }
        });
        return longest[0] == null ? null : longest[0].detail();
    }
}
