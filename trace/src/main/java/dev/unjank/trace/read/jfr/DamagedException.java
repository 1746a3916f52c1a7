package dev.unjank.trace.read.jfr;

/** The bytes at hand are not what they ought to be. Whoever catches it goes on behind the damage, so it needs no stack trace. */
final class DamagedException extends Exception {
    private static final long serialVersionUID = 1;

    DamagedException(String what) {
        super(what, null, false, false);
    }
}
