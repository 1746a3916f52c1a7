package dev.unjank.fleet.compare;

/**
 * A change from one figure to another as a share: -0.2 is a fifth less.
 *
 * @param value the change that was measured
 * @param low where the 95 % interval begins
 * @param high where it ends
 */
public record RelativeChange(double value, double low, double high) {
    /**
     * {@return whether the interval leaves no change out}
     */
    public boolean isEvidence() {
        return low > 0 || high < 0;
    }
}
