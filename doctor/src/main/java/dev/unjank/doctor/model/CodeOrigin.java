package dev.unjank.doctor.model;

/** The origin of a thread's code: the component whose authors can change it. */
public enum CodeOrigin {
    /** The traced program. */
    PROGRAM,
    /** The kernel; for a driver's thread, the vendor of the device. */
    KERNEL,
    /** The system of an Android device: its servers, daemons and system UI. */
    ANDROID,
    /** A program or Android's system: the trace records no uid of the process, and its name does not decide. */
    PROGRAM_OR_ANDROID,
    /** The Java virtual machine: its compilers, collectors and services. */
    JVM,
    /** The trace does not contain the thread's process. */
    UNKNOWN
}
