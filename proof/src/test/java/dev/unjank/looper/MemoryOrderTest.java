package dev.unjank.looper;

import dev.unjank.proof.JcstressRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the stress tests of this package. */
class MemoryOrderTest {
    @Test
    @Tag("slow")
    void briefly() throws Exception {
        JcstressRunner.briefly("dev.unjank.looper");
    }

    @Test
    @Tag("long")
    void thoroughly() throws Exception {
        JcstressRunner.thoroughly("dev.unjank.looper");
    }
}
