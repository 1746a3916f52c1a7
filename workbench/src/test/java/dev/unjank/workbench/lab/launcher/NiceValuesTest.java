package dev.unjank.workbench.lab.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.workbench.lab.load.SchedulingPrivilege;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class NiceValuesTest {
    @Test
    void theUiThreadIsARealTimeOneWhereThatIsWantedAndPermitted() throws IOException {
        assertThat(NiceValues.here(true).realTime()).isEqualTo(SchedulingPrivilege.mayBeRealTime());
        assertThat(NiceValues.here(false).realTime()).isFalse();
    }

    @Test
    void theCameraIsBetweenTheOthers() throws IOException {
        NiceValues tier = NiceValues.here(false);

        assertThat(tier.ui()).isLessThan(tier.camera());
        assertThat(tier.camera()).isLessThan(tier.executor());
    }
}
