package dev.unjank.doctor.model;

/** The kind of system that a trace was recorded on, as far as messages and advice depend on it. */
public enum Platform {
    /** A device that runs Android, or an unknown system. */
    ANDROID,
    /** A Java virtual machine on another system: a server or a desktop program. */
    JVM,
    /** A Java virtual machine with a program that renders frames. */
    JVM_WITH_FRAMES;

    /** {@return whether it is a Java virtual machine on another system than Android} */
    public boolean isJvm() {
        return this != ANDROID;
    }
}
