package dev.unjank.trace.read.jfr.format;

/** The bytes at hand are not what they ought to be. Whoever catches it goes on behind the damage, so it needs no stack trace. */
public final class DamagedRecordingException extends Exception {
    private static final long serialVersionUID = 1;

    public DamagedRecordingException(String what) {
        super(what, null, false, false);
    }
}
