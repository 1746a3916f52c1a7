package dev.unjank.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.ArbitraryNames;
import dev.unjank.trace.text.TerminalText;
import dev.unjank.workbench.WorkbenchRun;
import dev.unjank.workbench.lab.Experiments;
import dev.unjank.workbench.lab.run.Experiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line of the experiments; they themselves are tested in their module. */
class LabCommandTest {

    @TempDir
    private Path folder;

    @Test
    void withoutANameTheyAreListedWithTheirTime() {
        WorkbenchRun run = WorkbenchRun.of("lab");

        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
        for (Experiment experiment : Experiments.ALL) {
            assertThat(run.out())
                    .containsPattern(experiment.name() + " +" + experiment.seconds() + " s +" + experiment.summary());
        }
    }

    @Test
    void aNameThatIsNoneIsAnsweredWithThoseThatAre() {
        WorkbenchRun run = WorkbenchRun.of("lab", "launcher-junk");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .startsWith("unjank lab: unknown experiment 'launcher-junk' (expected one of: launcher-jank, ");
    }

    @Test
    void filesAreNotPutWhereAFileIs() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        WorkbenchRun run = WorkbenchRun.of("lab", "launcher-jank", "--out", file.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).isEqualTo("unjank lab: " + file + ": not a directory\n");
    }

    @Test
    void anUnknownNameIsPrintedWithoutControlCharacters() {
        for (String name : ArbitraryNames.HOSTILE) {
            String err = WorkbenchRun.of("lab", name).err();

            assertThat(err.replace("\n", "").codePoints()).as(err).allMatch(TerminalText::isPrintable);
        }
    }
}
