package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.session.Availability;
import dev.unjank.record.session.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TargetVmTest {
    @Test
    void aProgramThatIsNoVirtualMachineGetsNoSignal() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "attaching to a process needs Linux here");
        Process cat = new ProcessBuilder("cat").start(); // it would end at the first signal
        try {
            int pid = Math.toIntExact(cat.pid());

            assertThatThrownBy(() -> TargetVm.attach(pid, new Target(pid).patience()))
                    .isInstanceOf(IOException.class)
                    .hasMessage("process " + pid + " is no Java virtual machine");
            for (Source source : new Target(pid).sources(Duration.ofMillis(1), Duration.ofSeconds(1))) {
                assertThat(source.probe().isOn()).isFalse();
                assertThat(source.probe().detail()).contains("is no Java virtual machine");
                assertThat(source.probe().remedy()).as("nothing helps").isNull();
            }
            assertThat(cat.isAlive()).isTrue();
        } finally {
            cat.destroyForcibly();
        }
    }

    @Test
    void whatIsInTheWayOfTheSocketIsSaidToBeInTheTargetsFolder() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "attaching to a process needs Linux here");
        try (TargetProcess target = TargetProcess.start()) {
            String name = "/tmp/.java_pid" + target.pid();
            Path inTheWay = Files.createFile(Path.of(name));
            try {
                Availability found = new LockOwnerSource(new Target(target.pid())).probe();

                assertThat(found.toString())
                        .isEqualTo("off  lock owners: " + name + " is not a socket of the target's user; it is in the"
                                + " target's /tmp: remove it there, the target's JVM makes it anew");
            } finally {
                Files.delete(inTheWay);
            }
            assertThat(new LockOwnerSource(new Target(target.pid())).probe().isOn())
                    .isTrue();
        }
    }
}
