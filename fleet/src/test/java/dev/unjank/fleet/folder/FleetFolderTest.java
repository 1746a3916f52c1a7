package dev.unjank.fleet.folder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fleet.run.FleetTestRuns;
import dev.unjank.fleet.task.TraceTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FleetFolderTest {

    @TempDir
    private Path folder;

    /** Records the calls, and the sizes of files at that time. */
    private static final class NotingDisk implements DurableFiles {
        private final Path folder;
        private final List<String> notes = new ArrayList<>();
        private final Map<String, Long> sizes = new HashMap<>();

        NotingDisk(Path folder) {
            this.folder = folder;
        }

        @Override
        public void sync(Path path) throws IOException {
            DurableFiles.REAL.sync(path);
            notes.add("sync " + folder.relativize(path));
            if (Files.isRegularFile(path)) {
                sizes.put(path.getFileName().toString(), Files.size(path));
            }
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            DurableFiles.REAL.rename(from, to);
            notes.add("rename " + folder.relativize(from) + " to " + folder.relativize(to));
        }
    }

    @Test
    void allOfAPartIsOnTheDiskBeforeItHasItsNameAndThenTheName() throws Exception {
        TraceTask task = FleetTestRuns.sql("SELECT 1 AS one");
        Path out = folder.toRealPath().resolve("out");
        NotingDisk disk = new NotingDisk(out);
        try (FleetFolder fleet = FleetFolder.open(out, task, false, disk);
                ParquetPartWriter writer = new ParquetPartWriter(out)) {
            assertThat(disk.notes).containsExactly("sync .fleet.json", "rename .fleet.json to fleet.json", "sync ");
            disk.notes.clear();
            Path trace = FleetTestRuns.example(folder, "a.pftrace");

            fleet.add(List.of(task.run(FleetTestRuns.file(trace))), writer);
        }

        assertThat(disk.notes.subList(0, 2))
                .containsExactlyInAnyOrder("sync .part-000000/traces.parquet", "sync .part-000000/result.parquet");
        assertThat(disk.notes.subList(2, disk.notes.size()))
                .containsExactly("sync .part-000000", "rename .part-000000 to part=000000", "sync ");
        for (String table : new String[] {"traces.parquet", "result.parquet"}) {
            assertThat(disk.sizes.get(table)).as(table).isEqualTo(Files.size(out.resolve("part=000000/" + table)));
        }
    }
}
