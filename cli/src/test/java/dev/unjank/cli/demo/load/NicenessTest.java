package dev.unjank.cli.demo.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class NicenessTest {

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "nice values belong to threads on Linux only")
    void onlyTheCallingThreadIsLowered() throws Exception {
        int before = niceOfThisThread();
        FutureTask<Integer> lowered = new FutureTask<>(() -> {
            assertThat(Niceness.lowerCurrentThread()).isTrue();
            return niceOfThisThread();
        });
        new Thread(lowered).start();

        assertThat(lowered.get()).isEqualTo(Niceness.LOWEST);
        assertThat(niceOfThisThread()).isEqualTo(before);
    }

    /** proc(5): field 19 of stat; the fields are counted from behind the name, which may hold spaces. */
    private static int niceOfThisThread() throws Exception {
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Integer.parseInt(afterName[19 - 3]);
    }
}
