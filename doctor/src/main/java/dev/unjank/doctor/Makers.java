package dev.unjank.doctor;

import dev.unjank.trace.Processes;
import dev.unjank.trace.Threads;
import dev.unjank.trace.Trace;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells the threads of programs from those of the kernel, of Android's own processes and of a Java virtual machine. */
final class Makers {
    private static final int KTHREADD = 2;

    /** One of these is on every Android device. */
    private static final Set<String> ONLY_ON_ANDROID = Set.of("system_server", "surfaceflinger", "zygote", "zygote64");

    private static final List<String> SERVICES = List.of("android.hardware.", "vendor.");

    /** What the kernel keeps of a name; what is as long may be the end of a longer one. */
    private static final int CUT = 15;

    /** Beginnings of names that no program gives its threads, for traces that do not tell whose child a thread is. */
    private static final List<String> OF_THE_KERNEL = List.of(
            "kworker/",
            "ksoftirqd/",
            "migration/",
            "irq/",
            "kswapd",
            "kcompactd",
            "rcu_",
            "rcuop/",
            "rcuog/",
            "mmcqd/",
            "jbd2/",
            "dmcrypt_write",
            "f2fs_",
            "mdss_fb",
            "kthreadd");

    private final Threads threads;
    private final BitSet machineThreads;
    private final Maker[] ofProcesses;

    Makers(Trace trace) {
        this.threads = trace.threads();
        this.machineThreads = MachineThreads.of(trace);
        Processes processes = trace.processes();
        boolean android = isAndroid(trace);
        this.ofProcesses = new Maker[processes.size()];
        for (int upid = 0; upid < ofProcesses.length; upid++) {
            ofProcesses[upid] = ofProcess(processes, upid, android);
        }
    }

    Maker of(int utid) {
        if (machineThreads.get(utid)) {
            return Maker.JVM;
        }
        int upid = threads.upid(utid);
        Maker its = upid < 0 ? Maker.UNKNOWN : ofProcesses[upid];
        String name = threads.name(utid);
        boolean kernels =
                its == Maker.UNKNOWN && name != null && OF_THE_KERNEL.stream().anyMatch(name::startsWith);
        return kernels ? Maker.KERNEL : its;
    }

    private static Maker ofProcess(Processes processes, int upid, boolean android) {
        int parent = processes.parent(upid);
        if (processes.pid(upid) == KTHREADD || (parent >= 0 && processes.pid(parent) == KTHREADD)) {
            return Maker.KERNEL;
        }
        String name = processes.name(upid);
        if (name == null || name.isEmpty()) {
            return Maker.UNKNOWN;
        }
        return android && !processes.isJvm(upid) && isNoApp(name) ? Maker.ANDROID : Maker.PROGRAM;
    }

    private static boolean isAndroid(Trace trace) {
        Processes processes = trace.processes();
        boolean told = Platform.isToldToBeAndroid(trace);
        for (int upid = 0; !told && upid < processes.size(); upid++) {
            told = isOneOfAndroids(processes.name(upid));
        }
        return told;
    }

    private static boolean isOneOfAndroids(@Nullable String name) {
        return name != null && ONLY_ON_ANDROID.contains(name.substring(name.lastIndexOf('/') + 1));
    }

    /** An app's process bears the name of a package, which has a dot; other processes those of their files, with or without the path. */
    private static boolean isNoApp(String name) {
        boolean dotless = name.indexOf('.') < 0 && name.length() != CUT;
        return name.startsWith("/") || SERVICES.stream().anyMatch(name::startsWith) || dotless;
    }
}
