package dev.unjank.workbench.lab.gc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class InstalledJdkTest {

    @Test
    void theOneThatRunsThisTakesItsOwnOptionsOnly() throws IOException {
        InstalledJdk ours = InstalledJdk.ours();

        assertThat(ours.feature()).isEqualTo(Runtime.version().feature());
        assertThat(ours.takes("-XX:+UseSerialGC")).isTrue();
        assertThat(ours.takes("-XX:+UseNoSuchGC")).isFalse();
    }

    @Test
    void aVersionThatNobodyHasIsNotInstalled() throws IOException {
        assertThat(InstalledJdk.installed(3)).isEmpty();
    }
}
