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
 * The component to look at for an incident: the program of the responsible thread. For threads of the kernel, Android
 * or the virtual machine it says what maintains them and what can be done from outside.
 */
public final class ComponentMessages {
    private ComponentMessages() {}

    /** {@return the component as a phrase, empty if the trace does not identify one} */
    public static String of(Incident incident, Platform platform) {
        if (incident.verdict() == Verdict.STOPPED) {
            return Messages.of("component.stop");
        }
        ThreadRef responsible = ofProcess(incident.responsibleThread(), incident);
        if (responsible == null
                || (incident.verdict() == Verdict.NO_CPU && !IncidentFacts.ranHalf(incident, responsible))) {
            return "";
        }
        if (incident.rootWait().isProcessPause() && responsible.origin() != CodeOrigin.JVM) {
            return PauseMessages.componentToLookAt(incident);
        }
        return switch (responsible.origin()) {
            case PROGRAM -> program(incident, responsible, process(responsible));
            case PROGRAM_OR_ANDROID ->
                program(incident, responsible, Messages.of("component.programOrAndroid", process(responsible)));
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
            case PROGRAM_OR_ANDROID -> Messages.of("component.programOrAndroid", name);
            case ANDROID, KERNEL -> Messages.of("component.android", name);
        };
    }

    /**
     * {@return the name of the program of a frame: of its process, or of the main thread that worked on it; null if
     * neither has one}
     */
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
        return Messages.of("component.programOf", ThreadLabels.name(worker));
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

    private static String program(Incident incident, ThreadRef thread, String program) {
        String place = placed(incident, thread, Messages.of("component.thread", program, thread(thread)));
        return incident.verdict() != Verdict.BLOCKING_IO
                ? place
                : Messages.of(incident.timeIn(OwnerState.IO_WAIT) > 0 ? "component.doesIo" : "component.sleeps", place);
    }

    private static String kernel(Incident incident, ThreadRef thread, Platform platform) {
        KernelThreads.Role role = KernelThreads.role(thread.name());
        String name = ThreadLabels.name(thread);
        String known = role == null
                ? Messages.of("component.kernel.unknown", name)
                : Messages.of("component.kernel", name, work(role, thread));
        if (role != null && role.isForMemory()) {
            return Messages.of("component.kernel.memory", known);
        }
        String function = function(incident, thread);
        String place =
                function == null ? known : Messages.of("component.place", known, TerminalText.printableStart(function));
        return Messages.of(platform.isJvm() ? "component.kernel.machine" : "component.kernel.device", place);
    }

    private static String work(KernelThreads.Role role, ThreadRef thread) {
        String driver = thread.name() == null ? "" : KernelThreads.driverName(thread.name());
        String work = Messages.of("kernel." + role);
        return driver.isEmpty() ? work : Messages.of("kernel.driver", work, TerminalText.printableStart(driver));
    }

    private static String android(Incident incident, ThreadRef thread) {
        Wait wait = incident.rootWait();
        boolean called =
                wait.kind() == WaitKind.BINDER && thread.upid() != wait.thread().upid();
        String program = Messages.of("component.android", process(thread));
        String place = placed(incident, thread, Messages.of("component.thread", program, thread(thread)));
        return called ? Messages.of("component.called", place) : place;
    }

    private static String machine(ThreadRef thread) {
        return Messages.of(
                "component.jvm",
                ThreadLabels.name(thread),
                Messages.of("component.jvm." + JvmThreads.role(thread.name())));
    }

    private static String unknown(Incident incident, ThreadRef thread) {
        ThreadRef main = thread.main() ? thread : mainOf(thread, incident);
        if (main != null && main.name() != null) {
            String program = Messages.of("component.programOf", ThreadLabels.name(main));
            return placed(incident, thread, Messages.of("component.thread", program, thread(thread)));
        }
        String name = ThreadLabels.name(thread);
        String place = placed(incident, thread, name);
        return place.equals(name) ? Messages.of("component.unknownProgram", name) : place;
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
        return thread.main() ? Messages.of("thread.main") : Messages.of("thread.named", ThreadLabels.name(thread));
    }

    /** A component with the method in which the responsible thread took the lock, if that is known. */
    private static String placed(Incident incident, ThreadRef responsible, String component) {
        for (Wait wait : incident.chain()) {
            Owner owner = wait.longestOwnerInterval().owner();
            if (owner.thread().utid() == responsible.utid() && owner.location() != null) {
                return Messages.of(
                        "component.place",
                        component,
                        TerminalText.printableStart(owner.location().method()));
            }
        }
        return component;
    }

    /**
     * The kernel function in which the responsible thread slept for longest; null if it did not, or that is not
     * recorded.
     */
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
