package dev.unjank.locks.futex;

import dev.unjank.locks.Tier;
import dev.unjank.locks.handoff.Strategy;

/** A program without native access: it says what is left. */
final class WithoutAccess {
    private WithoutAccess() {}

    /** Says it. */
    public static void main(String[] args) {
        try {
            System.out.println(new FutexMutex());
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Strategy.best());
        System.out.println(Tier.current());
    }
}
