package dev.unjank.lab.gc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class JavaVmTest {

    @Test
    void theOneThatRunsThisTakesItsOwnOptionsOnly() throws IOException {
        JavaVm ours = JavaVm.ours();

        assertThat(ours.feature()).isEqualTo(Runtime.version().feature());
        assertThat(ours.takes("-XX:+UseSerialGC")).isTrue();
        assertThat(ours.takes("-XX:+UseNoSuchGC")).isFalse();
    }

    @Test
    void aVersionThatNobodyHasIsNotInstalled() throws IOException {
        assertThat(JavaVm.installed(3)).isEmpty();
    }
}
