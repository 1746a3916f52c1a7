package dev.unjank.doctor.model;

/** Who made what a thread runs, and so can be asked about it. */
public enum CodeOrigin {
    /** Whoever wrote the program that the thread is part of. */
    PROGRAM,
    /** Whoever made the kernel: for a driver's thread, the maker of the device. */
    KERNEL,
    /** Whoever made an Android device's system: its servers, the daemons beneath them, and what draws its bars and menus. */
    ANDROID,
    /** One of the two before: the trace does not tell as which user a process of an Android device runs, nor does its name. */
    PROGRAM_OR_ANDROID,
    /** Whoever made the Java virtual machine: its compilers, collectors and services. */
    JVM,
    /** The trace does not tell which program the thread is part of. */
    UNKNOWN
}
