package dev.unjank.locks;

import dev.unjank.proof.JcstressRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs the stress tests of this package. Its short form takes most of a minute, so it is left to the long profile as
 * well.
 */
class LockStressTest {
    @Test
    @Tag("long")
    void briefly() throws Exception {
        JcstressRunner.briefly("dev.unjank.locks");
    }

    @Test
    @Tag("long")
    void thoroughly() throws Exception {
        JcstressRunner.thoroughly("dev.unjank.locks");
    }
}
