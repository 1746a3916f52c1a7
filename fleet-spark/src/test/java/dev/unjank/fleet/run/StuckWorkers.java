package dev.unjank.fleet.run;

/** As many traces that do not end as a process bears. */
public final class StuckWorkers implements AutoCloseable {
    private int begun;

    /** Begins with them. */
    public StuckWorkers() {
        while (!AdmissionGate.OF_THIS_VM.isStuck()) {
            AdmissionGate.OF_THIS_VM.giveUp();
            begun++;
        }
    }

    /** Ends them. */
    @Override
    public void close() {
        for (; begun > 0; begun--) {
            AdmissionGate.OF_THIS_VM.stuckEnded();
        }
    }
}
