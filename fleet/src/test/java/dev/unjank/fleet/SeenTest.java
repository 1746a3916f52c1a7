package dev.unjank.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeenTest {

    @Test
    void aNameIsNewOnce() {
        Seen seen = new Seen();
        for (int i = 0; i < 20_000; i++) {
            assertThat(seen.add("/traces/" + i + ".pftrace")).as("%s", i).isTrue();
        }
        for (int i = 0; i < 20_000; i++) {
            assertThat(seen.add("/traces/" + i + ".pftrace")).as("%s", i).isFalse();
        }
        assertThat(seen.size()).isEqualTo(20_000);
        assertThat(seen.add("")).isTrue();
        assertThat(seen.add("")).isFalse();
    }
}
