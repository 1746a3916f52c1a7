package dev.unjank.lab.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.lab.load.Privilege;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class TierTest {
    @Test
    void theUiThreadIsARealTimeOneWhereThatIsWantedAndPermitted() throws IOException {
        assertThat(Tier.here(true).realTime()).isEqualTo(Privilege.mayBeRealTime());
        assertThat(Tier.here(false).realTime()).isFalse();
    }

    @Test
    void theCameraIsBetweenTheOthers() throws IOException {
        Tier tier = Tier.here(false);

        assertThat(tier.ui()).isLessThan(tier.camera());
        assertThat(tier.camera()).isLessThan(tier.executor());
    }
}
