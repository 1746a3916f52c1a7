package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.SourceAvailability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class JvmAttachClientTest {
    @Test
    void aProgramThatIsNoVirtualMachineGetsNoSignal() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "attaching to a process needs Linux here");
        Process cat = new ProcessBuilder("cat").start(); // it would end at the first signal
        try {
            int pid = Math.toIntExact(cat.pid());

            assertThatThrownBy(() -> JvmAttachClient.attach(pid, new TargetJvm(pid).deadline()))
                    .isInstanceOf(IOException.class)
                    .hasMessage("process " + pid + " is not a JVM");
            for (RecordingSource source : new TargetJvm(pid).sources(Duration.ofMillis(1), Duration.ofSeconds(1))) {
                assertThat(source.probe().isOn()).isFalse();
                assertThat(source.probe().detail()).contains("is not a JVM");
                assertThat(source.probe().remedy()).as("nothing helps").isNull();
            }
            assertThat(cat.isAlive()).isTrue();
        } finally {
            cat.destroyForcibly();
        }
    }

    @Test
    void propertiesThatCannotBeParsedAreAFailureOfTheTarget() throws IOException {
        assertThat(JvmAttachClient.properties("a=\\u0062\n")).containsEntry("a", "b");
        for (String malformed : List.of("a=\\uwxyz", "a=\\u12", "\\u")) {
            assertThatThrownBy(() -> JvmAttachClient.properties(malformed))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("the target's system properties cannot be read: ");
        }
    }

    @Test
    void ofALongRefusalOnlyTheBeginningIsSaid() {
        assertThatThrownBy(() -> JvmAttachClient.output("1\n" + "x".repeat(1 << 20), "JFR.start"))
                .isInstanceOf(IOException.class)
                .message()
                .startsWith("xxx")
                .endsWith("... (1048576 characters)")
                .hasSizeLessThan(1_100);
        assertThatThrownBy(() -> JvmAttachClient.output("1\nno such recording", "JFR.stop"))
                .hasMessage("no such recording");
    }

    @Test
    void whatIsInTheWayOfTheSocketIsSaidToBeInTheTargetsFolder() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "attaching to a process needs Linux here");
        try (JvmTargetProcess target = JvmTargetProcess.start()) {
            String name = "/tmp/.java_pid" + target.pid();
            Files.deleteIfExists(Path.of(name)); // of an earlier process with this number
            Path inTheWay = Files.createFile(Path.of(name));
            try {
                SourceAvailability found = new LockOwnerSource(new TargetJvm(target.pid())).probe();

                assertThat(found.toString())
                        .isEqualTo("off  lock owners: " + name + " is not a socket of the target's user; delete it"
                                + " from the target's /tmp; the target's JVM creates it again");
            } finally {
                Files.delete(inTheWay);
            }
            assertThat(new LockOwnerSource(new TargetJvm(target.pid())).probe().isOn())
                    .isTrue();
        }
    }
}
