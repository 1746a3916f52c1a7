package dev.unjank.doctor.find.thread;

import dev.unjank.doctor.model.CodeOrigin;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Classifies threads by the origin of their code: programs, the kernel, Android's processes, a Java virtual machine.
 */
final class CodeOriginClassifier {
    private static final int KTHREADD = 2;

    /** Processes that run on every Android device and nowhere else. */
    private static final Set<String> ANDROID_PROCESSES =
            Set.of("system_server", "surfaceflinger", "zygote", "zygote64");

    private static final List<String> SERVICES = List.of("android.hardware.", "vendor.");

    /** Packages that every device needs, though some have the uid of an app. */
    private static final Set<String> SYSTEM_PACKAGES = Set.of(
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

    /** {@code Process.FIRST_APPLICATION_UID}: lower uids are the system's. */
    private static final int FIRST_APP = 10_000;

    /** The uid of an app's process directly after the fork. */
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
        CodeOrigin origin = upid < 0 ? CodeOrigin.UNKNOWN : byProcess[upid];
        boolean isKernelThread = origin == CodeOrigin.UNKNOWN && KernelThreads.role(threads.name(utid)) != null;
        return isKernelThread ? CodeOrigin.KERNEL : origin;
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

    /** Classifies a process by its uid, or by its name if the uid is unknown. */
    private static CodeOrigin onAndroid(String name, int uid) {
        int colon = name.indexOf(':');
        String packageName = colon < 0 ? name : name.substring(0, colon);
        if (SYSTEM_PACKAGES.contains(packageName) || isNoPackage(name)) {
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
        boolean android = PlatformDetector.isAndroid(trace);
        for (int upid = 0; !android && upid < processes.size(); upid++) {
            android = isAndroidProcess(processes.name(upid));
        }
        return android;
    }

    private static boolean isAndroidProcess(@Nullable String name) {
        return name != null && ANDROID_PROCESSES.contains(name.substring(name.lastIndexOf('/') + 1));
    }

    /** The process of an app has the name of a package, others that of their executable file. */
    private static boolean isNoPackage(String name) {
        return name.startsWith("/")
                || isAndroidProcess(name)
                || SERVICES.stream().anyMatch(name::startsWith);
    }
}
