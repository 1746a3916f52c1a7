package dev.unjank.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.workbench.WorkbenchRun;
import org.junit.jupiter.api.Test;

class VerifyCommandTest {
    @Test
    void aShortSoakFindsNothingAndSaysHowMuchItTried() {
        WorkbenchRun run = WorkbenchRun.of("verify", "--minutes", "0.05", "--seed", "20");

        assertThat(run.out())
                .startsWith("seed 20\n")
                .containsPattern(
                        "[0-9,]+ operations in [0-9,]+ rounds, [0-9]+ s, [0-9,]+ operations/s: nothing found\n$");
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
    }

    @Test
    void aReplayOfADeterministicRoundEndsByItself() {
        WorkbenchRun run = WorkbenchRun.of("verify", "--minutes", "100", "--replay", "20", "--queue", "lockfree");

        assertThat(run.out()).contains(" operations in 1 rounds, ");
        assertThat(run.code()).isZero();
    }
}
