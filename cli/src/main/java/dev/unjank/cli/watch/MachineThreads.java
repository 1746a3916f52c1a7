package dev.unjank.cli.watch;

import java.util.List;

/**
 * The threads that a Java virtual machine has for itself, and the recorder's in it. That one of them had to wait for a CPU is of no
 * interest to whoever wrote the program, and they are many.
 */
final class MachineThreads {
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

    private MachineThreads() {}

    /** Whether a thread of this name is one of them. */
    static boolean has(String name) {
        return NAMES.stream().anyMatch(name::startsWith);
    }
}
