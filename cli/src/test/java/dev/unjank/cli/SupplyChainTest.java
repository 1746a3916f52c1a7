package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whether a build with this project's settings of Maven refuses artifacts that are not those recorded. It is a small
 * build, without a network, of a project that needs one plugin.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "runs the shell script mvnw")
@Tag("slow")
class SupplyChainTest {
    private static final Pattern PLUGIN =
            Pattern.compile("[0-9a-f]{64} {2}(org/apache/maven/plugins/maven-resources-plugin/([^/]+)/[^/]+[.]jar)");
    private static final String SUMS = ".mvn/checksums/checksums.sha256";

    @TempDir
    private Path project;

    @TempDir
    private Path repository;

    private Path root;
    private Path known;
    private String line;
    private String file;
    private String version;

    @BeforeEach
    void copySettings() throws Exception {
        root = Path.of(Objects.requireNonNull(System.getProperty("unjank.root")));
        known = Path.of(System.getProperty(
                "localRepository",
                Path.of(System.getProperty("user.home"), ".m2", "repository").toString()));
        for (String name : List.of(
                "mvnw",
                ".mvn/find-jdk.sh",
                ".mvn/jvm.config",
                ".mvn/maven.config",
                SUMS,
                ".mvn/wrapper/maven-wrapper.properties")) {
            Path copy = project.resolve(name);
            Files.createDirectories(copy.getParent());
            Files.copy(root.resolve(name), copy);
        }
        assertThat(project.resolve("mvnw").toFile().setExecutable(true)).isTrue();
        Matcher plugin = PLUGIN.matcher(Files.readString(root.resolve(SUMS)));
        assertThat(plugin.find()).isTrue();
        line = plugin.group();
        file = plugin.group(1);
        version = plugin.group(2);
        assumeTrue(Files.exists(known.resolve(file)), "the plugin is not in the local repository " + known);
        Files.writeString(project.resolve("pom.xml"), """
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>dev.unjank.test</groupId>
                  <artifactId>small</artifactId>
                  <version>1</version>
                  <packaging>pom</packaging>
                </project>
                """);
    }

    /** Changes what is recorded. */
    private void record(UnaryOperator<String> change) throws IOException {
        Path sums = project.resolve(SUMS);
        String before = Files.readString(sums);
        String after = change.apply(before);
        assertThat(after).isNotEqualTo(before);
        Files.writeString(sums, after);
    }

    private String build(int expected, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("./mvnw", "-B", "-o"));
        command.addAll(List.of(options));
        command.add("org.apache.maven.plugins:maven-resources-plugin:" + version + ":resources");
        ProcessBuilder builder = new ProcessBuilder(command).directory(project.toFile());
        builder.environment().remove("MAVEN_ARGS");
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor() == 0 ? 0 : 1).as(said).isEqualTo(expected);
        return said;
    }

    private String[] ofKnown() {
        return new String[] {"-Dmaven.repo.local=" + known};
    }

    @Test
    void whatIsRecordedIsAccepted() throws Exception {
        assertThat(build(0, ofKnown())).contains("BUILD SUCCESS");
    }

    @Test
    void anArtifactWithAnotherChecksumIsRefused() throws Exception {
        record(sums -> sums.replace(line, "0".repeat(64) + line.substring(64)));

        assertThat(build(1, ofKnown()))
                .contains("maven-resources-plugin:jar:" + version)
                .contains("trusted checksum")
                .contains("0".repeat(64));
    }

    @Test
    void anArtifactThatIsNotRecordedIsRefused() throws Exception {
        record(sums -> sums.replace(line + "\n", ""));

        assertThat(build(1, ofKnown()))
                .contains("maven-resources-plugin:jar:" + version)
                .contains("Missing from");
    }

    @Test
    void anArtifactThatWasReplacedInTheLocalRepositoryIsRefused() throws Exception {
        Path jar = repository.resolve(file);
        Files.createDirectories(jar.getParent());
        byte[] bytes = Files.readAllBytes(known.resolve(file));
        bytes[bytes.length - 1] ^= 1;
        Files.write(jar, bytes);

        assertThat(build(1, "-Dmaven.repo.local=" + repository, "-Dmaven.repo.local.tail=" + known))
                .contains("maven-resources-plugin:jar:" + version)
                .contains("trusted checksum");
    }

    @Test
    void theDistributionOfMavenIsPinned() throws Exception {
        assertThat(Files.readString(root.resolve(".mvn/wrapper/maven-wrapper.properties")))
                .containsPattern("(?m)^distributionSha256Sum=[0-9a-f]{64}$");
    }
}
