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
 * Whom to talk to about an incident: whoever wrote the program whose thread is to blame. A thread of the kernel, of Android or of the
 * virtual machine is no program's: there it says who made it instead, and what can be done from outside.
 */
public final class ComponentMessages {
    private static final String PART_OF_ANDROID = " is a part of the system: talk to whoever made the device's Android";
    private static final String OR_ANDROID = ", which may be an app or a part of the system";

    private ComponentMessages() {}

    /** A sentence or two, with a space before; empty if there is nobody to talk to. */
    public static String of(Incident incident, Platform platform) {
        if (incident.verdict() == Verdict.STOPPED) {
            return " No code is to blame: find out who stopped it.";
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

    /** The same of a program whose own work made a frame late. */
    static String of(FrameWorkload work) {
        String name = program(work);
        if (name == null) {
            return "";
        }
        return switch (work.origin()) {
            case PROGRAM, JVM, UNKNOWN -> " Talk to whoever wrote " + name + ".";
            case PROGRAM_OR_ANDROID -> " Talk to whoever wrote " + name + OR_ANDROID + ".";
            case ANDROID, KERNEL -> " " + name + PART_OF_ANDROID + ".";
        };
    }

    /** What to call the program of a frame: by its process, or by the main thread that worked on it; null if neither has a name. */
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

    /** Who holds a lock that a thread of some process waits for is of that process, though the trace may not say so. */
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

    private static String program(Incident incident, ThreadRef responsible, String what) {
        return " Talk to whoever wrote " + process(responsible) + what
                + (incident.verdict() == Verdict.BLOCKING_IO ? ": it " + sleeps(incident) + " on its " : ", about its ")
                + thread(responsible)
                + place(incident, responsible, ", in ") + ".";
    }

    private static String sleeps(Incident incident) {
        return incident.timeIn(OwnerState.IO_WAIT) > 0 ? "does I/O" : "sleeps inside the kernel";
    }

    private static String kernel(Incident incident, ThreadRef responsible, Platform platform) {
        KernelThreads.Role role = KernelThreads.role(responsible.name());
        String who = " " + ThreadLabels.name(responsible) + " is a thread of the kernel"
                + (role == null ? ", or of a driver in it" : " that " + work(role, responsible));
        if (role != null && role.isForMemory()) {
            return who + ": find out which program uses so much.";
        }
        String function = function(incident, responsible);
        return who + ": talk to whoever " + (platform.isJvm() ? "looks after the machine" : "made the device")
                + (function == null ? "" : ", about the kernel's " + TerminalText.printableStart(function)) + ".";
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

    private static String android(Incident incident, ThreadRef responsible) {
        Wait wait = incident.rootWait();
        boolean asked = wait.kind() == WaitKind.BINDER
                && responsible.upid() != wait.thread().upid();
        return " " + process(responsible) + PART_OF_ANDROID + ", about its "
                + thread(responsible) + place(incident, responsible, ", in ")
                + (asked ? "; until then ask it for less, or from a thread that may wait." : ".");
    }

    private static String machine(ThreadRef responsible) {
        return " " + ThreadLabels.name(responsible) + " is the Java virtual machine's own: "
                + switch (JvmThreads.role(responsible.name())) {
                    case COMPILER ->
                        "it compiles what the program runs often, most of it in the first minutes. -XX:CICompilerCount=N"
                                + " has fewer such threads.";
                    case PAUSE_COLLECTOR, CONCURRENT_COLLECTOR ->
                        "it collects garbage. An allocation profile shows whose; -XX:ParallelGCThreads=N and"
                                + " -XX:ConcGCThreads=N have fewer such threads.";
                    case PROFILER ->
                        "it works for whoever looks into the program, with a recorder or a tool. Talk to them.";
                    case VM_OPERATIONS, OTHER -> "no program's code runs in it.";
                };
    }

    /** On Android the main thread of a program whose name is not told bears the end of it. */
    private static String unknown(Incident incident, ThreadRef responsible) {
        String place = place(incident, responsible, "");
        ThreadRef main = responsible.main() ? responsible : mainOf(responsible, incident);
        if (main != null && main.name() != null) {
            return " Talk to whoever wrote the program of " + ThreadLabels.name(main) + ", about its "
                    + thread(responsible) + place(incident, responsible, ", in ") + ".";
        }
        return place.isEmpty()
                ? " Which program " + ThreadLabels.name(responsible) + " is of, the trace does not tell."
                : " Talk to whoever wrote what " + ThreadLabels.name(responsible) + " does in " + place + ".";
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

    /** Where the thread to blame took the lock that it held; empty if that is not known. */
    private static String place(Incident incident, ThreadRef responsible, String before) {
        for (Wait wait : incident.chain()) {
            Owner owner = wait.longestOwnerInterval().owner();
            if (owner.thread().utid() == responsible.utid() && owner.location() != null) {
                return before + TerminalText.printableStart(owner.location().method());
            }
        }
        return "";
    }

    /** Where in the kernel the thread to blame slept for longest; null if it did not, or that is not told. */
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
