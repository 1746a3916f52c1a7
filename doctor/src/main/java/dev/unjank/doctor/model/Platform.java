package dev.unjank.doctor.model;

/** What a trace is of, as far as words and advice depend on it. */
public enum Platform {
    /** A device that runs Android, or a machine of which nothing else is known. */
    ANDROID,
    /** A Java virtual machine on another system: a server, or a program for a desktop. */
    JVM,
    /** A Java virtual machine with a program that draws frame after frame. */
    JVM_THAT_DRAWS;

    /**
     * {@return whether it is a Java virtual machine}
     */
    public boolean isJvm() {
        return this != ANDROID;
    }
}
