package dev.unjank.fleet.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TraceNameSetTest {

    @Test
    void aNameIsNewOnce() {
        TraceNameSet seen = new TraceNameSet();
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
