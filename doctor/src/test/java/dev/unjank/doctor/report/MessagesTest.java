package dev.unjank.doctor.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.unjank.doctor.find.thread.JvmThreads;
import dev.unjank.doctor.find.thread.KernelThreads;
import dev.unjank.doctor.model.AppStartup;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Platform;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The catalogue contains each message that depends on a value of an enum, and no message that no report uses. */
class MessagesTest {
    private static Stream<String> keysOfValues() {
        return Stream.of(
                        keys("state.", OwnerState.values()),
                        keys("did.", OwnerState.values()),
                        keys("kind.", WaitKind.values()),
                        keys("effect.", Platform.values()),
                        keys("frame.", Platform.values()),
                        keys("frames.", Platform.values()),
                        keys("label.frame.", Platform.values()),
                        keys("label.frames.", Platform.values()),
                        keys("evidence.", Evidence.values()),
                        keys("startup.", AppStartup.Cause.values()),
                        keys("kernel.", KernelThreads.Role.values()),
                        keys("component.jvm.", JvmThreads.Role.values()),
                        keys("verdict.", Verdict.values()).filter(key -> !key.endsWith("PRIORITY_INVERSION")))
                .flatMap(keys -> keys);
    }

    private static Stream<String> keys(String prefix, Enum<?>... values) {
        return Stream.of(values).map(value -> prefix + value);
    }

    @ParameterizedTest
    @MethodSource("keysOfValues")
    void everyValueHasItsMessage(String key) {
        assertThat(Messages.contains(key)).isTrue();
    }

    @Test
    void everyMessageIsUsed() throws IOException {
        Properties catalogue = new Properties();
        try (InputStreamReader in = new InputStreamReader(
                Messages.class.getResourceAsStream("messages.properties"), StandardCharsets.UTF_8)) {
            catalogue.load(in);
        }
        String sources = sources("src/main/java/dev/unjank/doctor/report", ".java")
                + sources("src/main/resources/dev/unjank/doctor/report/html", ".js")
                + sources("src/main/resources/dev/unjank/doctor/report/html", ".html");
        assertThat(catalogue.stringPropertyNames()).allMatch(key -> isUsed(key, sources));
    }

    private static String sources(String folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of(folder))) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .map(MessagesTest::read)
                    .collect(Collectors.joining());
        }
    }

    /** A key is written whole, or begins with a string to which a value is added. */
    private static boolean isUsed(String key, String sources) {
        String name = key.startsWith("label.") ? key.substring("label.".length()) : key;
        if (sources.contains('"' + name + '"') || sources.contains("{message:" + key + '}')) {
            return true;
        }
        for (int dot = key.lastIndexOf('.'); dot > 0; dot = key.lastIndexOf('.', dot - 1)) {
            if (sources.contains('"' + key.substring(0, dot + 1) + '"')
                    || sources.contains('"' + key.substring(0, dot) + '"')) {
                return true;
            }
        }
        return false;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void argumentsAreInsertedAsTheyAre() {
        assertThat(Messages.of("workload.slice", "{1} a'b", "5 ms")).isEqualTo("{1} a'b (5 ms)");
    }

    @Test
    void aKeyThatIsMissingIsAMistake() {
        assertThatIllegalArgumentException().isThrownBy(() -> Messages.of("no.such.key"));
    }
}
