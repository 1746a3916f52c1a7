package dev.unjank.record.helper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.linux.FileCalls;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.linux.ProcessCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders of killed helpers are found among any number of folders that are none. */
class TargetTmpFolderTest {
    private static final int TARGET = 999_999_999; // larger than any pid
    private static final int ENDED = TARGET - 1;
    private static final int RUNNING = 1;
    private static final int ANOTHER_USER = 12345;
    private static final int STALE = 20;
    private static final int CROWD = 3_000;

    @TempDir
    private Path temporary;

    @BeforeEach
    void isLinux() {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "a helper needs Linux");
    }

    private Path folder(int pid, int number) throws IOException {
        return Files.createDirectory(temporary.resolve("unjank-%d-%016x".formatted(pid, number)));
    }

    private int taken() throws IOException {
        for (int i = 0; i < STALE; i++) {
            folder(TARGET, i);
        }
        int directory = FileCalls.open(temporary.toString(), FileCalls.PATH | FileCalls.DIRECTORY);
        try {
            TargetTmpFolder tested = new TargetTmpFolder(
                    directory, TARGET, ProcessCredentials.own().uid());
            int taken = tested.takeStale().size();
            tested.removeAll();
            return taken;
        } finally {
            FileCalls.close(directory);
        }
    }

    @Test
    void manyFoldersOfAnotherRunningTargetHideNoStaleFolder() throws IOException {
        for (int i = 0; i < CROWD; i++) {
            folder(RUNNING, i);
        }
        assertThat(taken()).isEqualTo(STALE);
        assertThat(temporary.toFile().list()).hasSize(CROWD);
    }

    @Test
    void manyFoldersOfAnotherUserHideNoStaleFolder() throws IOException {
        assumeTrue(Proc.isRoot(), "needs root, to make folders of another user");
        for (int i = 0; i < CROWD; i++) {
            Files.setAttribute(folder(ENDED, i), "unix:uid", ANOTHER_USER);
        }
        assertThat(taken()).isEqualTo(STALE);
        assertThat(temporary.toFile().list()).hasSize(CROWD);
    }
}
