package dev.unjank.fleet.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputsTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void fill() throws Exception {
        for (String name :
                List.of("a.pftrace", "deep/er/b", "deep/c.jfr", "labels.csv", ".hidden", ".git/d", "x[1].pftrace")) {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, name);
        }
    }

    private List<String> all(Inputs inputs) throws Exception {
        List<String> files = new ArrayList<>();
        inputs.forEach((file, _) -> files.add(folder.relativize(file).toString()));
        return files;
    }

    @Test
    void whatIsNamedIsToldFromWhatIsFound() throws Exception {
        Map<String, Boolean> found = new TreeMap<>();
        new Inputs(
                        List.of(folder + "/a.pftrace", folder + "/deep", folder + "/x*"),
                        new BufferedReader(new StringReader(folder + "/labels.csv\n" + folder + "/no\0pe")))
                .forEach((file, isFound) -> found.put(folder.relativize(file).toString(), isFound));

        assertThat(found)
                .isEqualTo(Map.of(
                        "a.pftrace",
                        false,
                        "deep/er/b",
                        true,
                        "deep/c.jfr",
                        true,
                        "x[1].pftrace",
                        true,
                        "labels.csv",
                        false,
                        "no?pe",
                        false));
    }

    private Inputs named(String... names) {
        return new Inputs(List.of(names), null);
    }

    @Test
    void aFolderHasAllThatIsNotHiddenOrSomethingElse() throws Exception {
        Inputs inputs = named(folder.toString());

        assertThat(all(inputs)).containsExactlyInAnyOrder("a.pftrace", "deep/er/b", "deep/c.jfr", "x[1].pftrace");
        assertThat(inputs.count()).isEqualTo(4);
    }

    @Test
    void whatIsNamedCountsWhateverItsName() throws Exception {
        assertThat(all(named(folder + "/labels.csv", folder + "/deep/../.hidden", folder + "/x[1].pftrace")))
                .containsExactly("labels.csv", ".hidden", "x[1].pftrace");
    }

    @Test
    void patternsReachBelow() throws Exception {
        assertThat(all(named(folder + "/**.{jfr,pftrace}")))
                .containsExactlyInAnyOrder("a.pftrace", "deep/c.jfr", "x[1].pftrace");
        assertThat(all(named(folder + "/d?ep/*"))).containsExactly("deep/c.jfr");
    }

    @Test
    void aPatternMayStandAnywhereAndNamesWhatIsHiddenOnlyByTheDot() throws Exception {
        Path here = Path.of("").toAbsolutePath();
        Path way = here.relativize(folder);

        assertThat(all(named(folder + "/./*.pftrace"))).containsExactlyInAnyOrder("a.pftrace", "x[1].pftrace");
        assertThat(all(named(folder + "/deep/../*.pftrace"))).hasSize(2);
        assertThat(all(named("./" + way + "/a*"))).containsExactly("a.pftrace");
        assertThat(all(named(folder + "/**")))
                .doesNotContain(".hidden", ".git/d")
                .contains("deep/er/b", "labels.csv");
        assertThat(all(named(folder + "/.h*"))).containsExactly(".hidden");
    }

    @Test
    void aLinkToAFolderIsFollowedIfItIsNamedAndNotIfItIsFound() throws Exception {
        Files.createSymbolicLink(folder.resolve("deep/latest"), Path.of("er"));
        Files.createSymbolicLink(folder.resolve("deep/round"), Path.of(".."));
        Files.createSymbolicLink(folder.resolve("deep/c-too.jfr"), Path.of("c.jfr"));

        assertThat(all(named(folder + "/deep/latest"))).containsExactly("deep/latest/b");
        assertThat(all(named(folder + "/deep"))).containsExactlyInAnyOrder("deep/er/b", "deep/c.jfr", "deep/c-too.jfr");
    }

    /** As a shell takes it. */
    @Test
    void behindALinkTwoDotsAreAboveWhereItLeads() throws Exception {
        Files.createSymbolicLink(folder.resolve("link"), Path.of("deep/er"));

        for (String name : List.of("link/../c.jfr", "deep/./er/.././c.jfr", "link/../*.jfr", "link/../../deep/c.*")) {
            List<String> files = new ArrayList<>();
            named(folder + "/" + name).forEach((file, _) -> files.add(file.toString()));
            assertThat(files).as(name).containsExactly(folder.toRealPath() + "/deep/c.jfr");
        }
        assertThat(all(named(folder + "/link/.."))).containsExactlyInAnyOrder("deep/c.jfr", "deep/er/b");
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> named(folder + "/nope/../a.pftrace").check());
    }

    @Test
    void aLinkToNothingIsHandedOverAsItCannotBeAsked() throws Exception {
        Files.createSymbolicLink(folder.resolve("deep/gone.pftrace"), Path.of("nowhere"));
        Files.createSymbolicLink(folder.resolve("deep/gone.csv"), Path.of("nowhere"));

        assertThat(all(named(folder + "/deep")))
                .containsExactlyInAnyOrder("deep/er/b", "deep/c.jfr", "deep/gone.pftrace");
    }

    @Test
    void whatAFleetWroteIsNoTrace() throws Exception {
        Files.writeString(folder.resolve("deep/fleet.json"), "{}");

        assertThat(all(named(folder.toString()))).containsExactlyInAnyOrder("a.pftrace", "x[1].pftrace");
    }

    @Test
    void aFolderThatCannotBeLookedIntoIsAFailureAndTheOthersAreNotLost() throws Exception {
        Path closed = folder.resolve("deep/er");
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        try {
            assumeThat(Files.isReadable(closed)).as("is not root").isFalse();
            Map<String, Boolean> found = new TreeMap<>();
            named(folder + "/deep")
                    .forEach(
                            (file, isFound) -> found.put(folder.relativize(file).toString(), isFound));

            assertThat(found).isEqualTo(Map.of("deep/c.jfr", true, "deep/er", false));
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void whatIsNotThereIsAMistakeButOnAListAFailure() throws Exception {
        for (String name :
                List.of(folder + "/nope", folder + "/*.nope", folder + "/nope/*.x", folder + "/a[b", folder + "/{")) {
            assertThatExceptionOfType(NoSuchFileException.class)
                    .isThrownBy(() -> named(name).check())
                    .withMessage(name);
        }
        Inputs listed = new Inputs(
                List.of(),
                new BufferedReader(new StringReader(String.join(
                        "\r\n",
                        folder + "/nope",
                        "",
                        " ",
                        folder + "/no*pe",
                        folder + "/a[b",
                        folder + "/a.pftrace"))));

        assertThat(listed.count()).isEqualTo(-1);
        assertThat(all(listed)).containsExactly("nope", "no*pe", "a[b", "a.pftrace");
    }
}
