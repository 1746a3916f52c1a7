package dev.unjank.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SchedulingTest {

    @Test
    void theKernelPrefersThemInThisOrder() {
        int batch = 3;
        List<Scheduling> fromTheWorst = List.of(
                new Scheduling(batch, 0, 0, false),
                new Scheduling(Scheduling.OTHER, 19, 0, false),
                new Scheduling(Scheduling.OTHER, 0, 0, false),
                Scheduling.bestNice(),
                Scheduling.realTime(1),
                new Scheduling(Scheduling.FIFO, 0, 2, false),
                Scheduling.realTime(99),
                new Scheduling(Scheduling.DEADLINE, 0, 0, false));

        for (int better = 0; better < fromTheWorst.size(); better++) {
            for (int worse = 0; worse < fromTheWorst.size(); worse++) {
                assertThat(fromTheWorst.get(better).isBetterThan(fromTheWorst.get(worse)))
                        .isEqualTo(better > worse);
            }
        }
        assertThat(fromTheWorst.stream().filter(Scheduling::isRealTime)).hasSize(4);
    }
}
