package dev.unjank.doctor.find.thread;

import dev.unjank.doctor.model.CodeOrigin;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells the threads of programs from those of the kernel, of Android's own processes and of a Java virtual machine. */
final class CodeOriginClassifier {
    private static final int KTHREADD = 2;

    /** One of these is on every Android device. */
    private static final Set<String> ONLY_ON_ANDROID = Set.of("system_server", "surfaceflinger", "zygote", "zygote64");

    private static final List<String> SERVICES = List.of("android.hardware.", "vendor.");

    /** Packages without which a device does not work, though some run as apps do. */
    private static final Set<String> PARTS_OF_ANDROID = Set.of(
            "android.process.acore",
            "android.process.media",
            "com.android.bluetooth",
            "com.android.networkstack.process",
            "com.android.nfc",
            "com.android.phone",
            "com.android.providers.media.module",
            "com.android.se",
            "com.android.settings",
            "com.android.systemui");

    /** Smaller uids are the system's: {@code Process.FIRST_APPLICATION_UID}. */
    private static final int FIRST_APP = 10_000;

    /** What has just been forked is the superuser's still, an app like any other. */
    private static final int ROOT = 0;

    private final Threads threads;
    private final BitSet jvmThreads;
    private final CodeOrigin[] byProcess;

    CodeOriginClassifier(Trace trace) {
        this.threads = trace.threads();
        this.jvmThreads = JvmThreads.of(trace);
        Processes processes = trace.processes();
        boolean android = isAndroid(trace);
        this.byProcess = new CodeOrigin[processes.size()];
        for (int upid = 0; upid < byProcess.length; upid++) {
            byProcess[upid] = ofProcess(processes, upid, android);
        }
    }

    CodeOrigin of(int utid) {
        if (jvmThreads.get(utid)) {
            return CodeOrigin.JVM;
        }
        int upid = threads.upid(utid);
        CodeOrigin its = upid < 0 ? CodeOrigin.UNKNOWN : byProcess[upid];
        String name = threads.name(utid);
        boolean kernels = its == CodeOrigin.UNKNOWN && name != null && KernelThreads.isKernelThreadName(name);
        return kernels ? CodeOrigin.KERNEL : its;
    }

    private static CodeOrigin ofProcess(Processes processes, int upid, boolean android) {
        int parent = processes.parent(upid);
        if (processes.pid(upid) == KTHREADD || (parent >= 0 && processes.pid(parent) == KTHREADD)) {
            return CodeOrigin.KERNEL;
        }
        String name = processes.name(upid);
        if (name == null || name.isEmpty()) {
            return CodeOrigin.UNKNOWN;
        }
        return android && !processes.isJvm(upid) ? onAndroid(name, processes.uid(upid)) : CodeOrigin.PROGRAM;
    }

    /** By the user as which a process runs; where that is not told, by its name, as far as that tells. */
    private static CodeOrigin onAndroid(String name, int uid) {
        int colon = name.indexOf(':');
        String packageName = colon < 0 ? name : name.substring(0, colon);
        if (PARTS_OF_ANDROID.contains(packageName) || isNoPackage(name)) {
            return CodeOrigin.ANDROID;
        }
        boolean isPackage = name.indexOf('.') >= 0;
        if (uid == Processes.NO_UID || (uid == ROOT && isPackage)) {
            return isPackage ? CodeOrigin.PROGRAM : CodeOrigin.PROGRAM_OR_ANDROID;
        }
        return uid % Processes.UIDS_PER_USER < FIRST_APP ? CodeOrigin.ANDROID : CodeOrigin.PROGRAM;
    }

    private static boolean isAndroid(Trace trace) {
        Processes processes = trace.processes();
        boolean told = PlatformDetector.isAndroid(trace);
        for (int upid = 0; !told && upid < processes.size(); upid++) {
            told = isOneOfAndroids(processes.name(upid));
        }
        return told;
    }

    private static boolean isOneOfAndroids(@Nullable String name) {
        return name != null && ONLY_ON_ANDROID.contains(name.substring(name.lastIndexOf('/') + 1));
    }

    /** An app's process bears the name of a package, unlike those that bear the names of their files. */
    private static boolean isNoPackage(String name) {
        return name.startsWith("/")
                || isOneOfAndroids(name)
                || SERVICES.stream().anyMatch(name::startsWith);
    }
}
