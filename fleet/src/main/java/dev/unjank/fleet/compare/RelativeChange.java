package dev.unjank.fleet.compare;

/** A change from one figure to another as a share (-0.2 is a fifth less), with its 95 % interval. */
public record RelativeChange(double value, double low, double high) {
    /** {@return whether the interval excludes 0} */
    public boolean isEvidence() {
        return low > 0 || high < 0;
    }
}
