package dev.unjank.workbench.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.workbench.bench.fleet.FleetBenchmark.Asked;
import org.junit.jupiter.api.Test;

class FleetTableTest {

    private static Asked asked(int traces, double seconds) {
        return new Asked(traces, seconds, seconds, 1);
    }

    @Test
    void aTargetIsMetOrNot() {
        FleetTable table = new FleetTable(2);
        table.growth(asked(250, 5), asked(500, 10), asked(1_000, 20));
        table.growth(asked(250, 5), asked(500, 10), asked(1_000, 40));
        table.rate(asked(30, 1), asked(130, 2), 2.4e6);

        assertThat(table.lines())
                .containsExactly(
                        "target                                                    measured   met",
                        "pool, CPU per trace, later / first traces         <= 1.1      1.00   yes",
                        "pool, CPU per trace, later / first traces         <= 1.1      3.00   no",
                        "whole traces, query, of 3 MB a second and core     >= 20     40.00   yes");
    }

    @Test
    void whereMoreTracesTookLessTimeNothingIsMet() {
        FleetTable table = new FleetTable(2);
        table.growth(asked(250, 20), asked(500, 47.1), asked(1_000, 46.3));
        table.growth(asked(250, 47.1), asked(500, 46.3), asked(1_000, 50));
        table.growth(asked(250, 20), asked(500, 10), asked(1_000, 9));
        table.overhead("pool", 1.1, asked(30, 2), asked(120, 1), asked(30, 2), asked(120, 1));
        table.rate(asked(30, 2), asked(120, 1), 3e6);

        assertThat(table.lines().subList(1, 6))
                .allSatisfy(line -> assertThat(line).endsWith("-   with nothing else running"));
    }
}
