package dev.unjank.doctor;

import org.jspecify.annotations.Nullable;

/**
 * Whom to talk to about an incident: whoever wrote the program whose thread is to blame. A thread of the kernel, of Android or of the
 * virtual machine is no program's: there it says who made it instead, and what can be done from outside.
 */
final class Contact {
    private static final String PART_OF_ANDROID = " is a part of the system: talk to whoever made the device's Android";
    private static final String OR_ANDROID = ", which may be an app or a part of the system";

    private Contact() {}

    /** A sentence or two, with a space before; empty if there is nobody to talk to. */
    static String of(Incident incident) {
        if (incident.verdict() == Verdict.STOPPED) {
            return " No code is to blame: find out who stopped it.";
        }
        ThreadRef blamed = incident.toBlame();
        if (blamed == null || (incident.verdict() == Verdict.NO_CPU && !Answer.ranHalf(incident, blamed))) {
            return "";
        }
        if (incident.tree().isOfAllThreads() && blamed.maker() != Maker.JVM) {
            return Standstill.whomToTalkTo(incident);
        }
        return switch (blamed.maker()) {
            case PROGRAM -> program(incident, blamed, "");
            case PROGRAM_OR_ANDROID -> program(incident, blamed, OR_ANDROID);
            case KERNEL -> kernel(incident, blamed);
            case ANDROID -> android(incident, blamed);
            case JVM -> machine(blamed);
            case UNKNOWN -> unknown(incident, blamed);
        };
    }

    /** The same of a program whose own work made a frame late. */
    static String of(OwnWork work) {
        String process = work.frame().process();
        if (process == null || process.isEmpty()) {
            return "";
        }
        String name = Page.printable(process);
        return switch (work.maker()) {
            case PROGRAM, JVM -> " Talk to whoever wrote " + name + ".";
            case PROGRAM_OR_ANDROID -> " Talk to whoever wrote " + name + OR_ANDROID + ".";
            case ANDROID, KERNEL -> " " + name + PART_OF_ANDROID + ".";
            case UNKNOWN -> "";
        };
    }

    private static String program(Incident incident, ThreadRef blamed, String what) {
        String does = incident.verdict() == Verdict.BLOCKING_IO ? ": it does I/O on its " : ", about its ";
        return " Talk to whoever wrote " + process(blamed) + what + does + thread(blamed)
                + place(incident, blamed, ", in ") + ".";
    }

    private static String kernel(Incident incident, ThreadRef blamed) {
        String function = function(incident, blamed);
        return " " + ThreadWords.name(blamed)
                + " is a thread of the kernel, or of a driver in it: talk to whoever made the device"
                + (function == null ? "" : ", about the kernel's " + Page.printable(function)) + ".";
    }

    private static String android(Incident incident, ThreadRef blamed) {
        Wait wait = incident.tree();
        boolean asked =
                wait.kind() == WaitKind.BINDER && blamed.upid() != wait.thread().upid();
        return " " + process(blamed) + PART_OF_ANDROID + ", about its "
                + thread(blamed) + place(incident, blamed, ", in ")
                + (asked ? "; until then ask it for less, or from a thread that may wait." : ".");
    }

    private static String machine(ThreadRef blamed) {
        return " " + ThreadWords.name(blamed) + " is the Java virtual machine's own: "
                + switch (MachineThreads.work(blamed.name())) {
                    case COMPILING ->
                        "it compiles what the program runs often, most of it in the first minutes. -XX:CICompilerCount=N"
                                + " has fewer such threads.";
                    case COLLECTING ->
                        "it collects garbage. An allocation profile shows whose; -XX:ParallelGCThreads=N and"
                                + " -XX:ConcGCThreads=N have fewer such threads.";
                    case RECORDING ->
                        "it works for whoever looks into the program, with a recorder or a tool. Talk to them.";
                    case OTHER -> "no program's code runs in it.";
                };
    }

    private static String unknown(Incident incident, ThreadRef blamed) {
        String place = place(incident, blamed, "");
        return place.isEmpty()
                ? " Which program " + ThreadWords.name(blamed) + " is of, the trace does not tell."
                : " Talk to whoever wrote what " + ThreadWords.name(blamed) + " does in " + place + ".";
    }

    private static String process(ThreadRef thread) {
        return Page.printable(String.valueOf(thread.process()));
    }

    private static String thread(ThreadRef thread) {
        return thread.main() ? "main thread" : "thread " + ThreadWords.name(thread);
    }

    /** Where the thread to blame took the lock that it held; empty if that is not known. */
    private static String place(Incident incident, ThreadRef blamed, String before) {
        for (Wait wait : incident.chain()) {
            Owner owner = wait.longestTenure().owner();
            if (owner.thread().utid() == blamed.utid() && owner.site() != null) {
                return before + Page.printable(owner.site().method());
            }
        }
        return "";
    }

    /** Where in the kernel the thread to blame slept for longest; null if it did not, or that is not told. */
    private static @Nullable String function(Incident incident, ThreadRef blamed) {
        Part[] longest = {null};
        incident.tree().forEachLeaf(leaf -> {
            boolean its = leaf.thread().utid() == blamed.utid() && leaf.state().isAsleep() && leaf.detail() != null;
            if (its && (longest[0] == null || leaf.durNs() > longest[0].durNs())) {
                longest[0] = leaf;
            }
        });
        return longest[0] == null ? null : longest[0].detail();
    }
}
