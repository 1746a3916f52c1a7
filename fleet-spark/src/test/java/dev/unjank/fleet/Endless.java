package dev.unjank.fleet;

/** As many traces that do not end as a process bears. */
public final class Endless implements AutoCloseable {
    private int begun;

    /** Begins with them. */
    public Endless() {
        while (!Company.OF_THIS_VM.isStuck()) {
            Company.OF_THIS_VM.giveUp();
            begun++;
        }
    }

    /** Ends them. */
    @Override
    public void close() {
        for (; begun > 0; begun--) {
            Company.OF_THIS_VM.comeBack();
        }
    }
}
