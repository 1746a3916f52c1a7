package dev.unjank.trace.read.jfr.format;

/** Thrown if bytes of a recording are malformed. Readers continue after the damage, so it has no stack trace. */
public final class DamagedRecordingException extends Exception {
    private static final long serialVersionUID = 1;

    public DamagedRecordingException(String what) {
        super(what, null, false, false);
    }
}
