package dev.unjank.record.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.write.TraceWriter.CpuEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpusTest {
    @TempDir
    private Path folder;

    private List<CpuEntry> cpus(String info) throws IOException {
        return Cpus.all(Files.writeString(folder.resolve("cpuinfo"), info), folder);
    }

    private void capacity(int cpu, String value) throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve("cpu" + cpu)).resolve("cpu_capacity"), value + "\n");
    }

    @Test
    void eachHasItsModelAndWhatItCanDo() throws IOException {
        capacity(0, "1024");
        capacity(1, "430");

        assertThat(cpus("""
                        processor : 0
                        model name : Fast 9000
                        cpu MHz : 1

                        processor : 1
                        model name : Slow 3
                        """)).containsExactly(new CpuEntry("Fast 9000", 1024), new CpuEntry("Slow 3", 430));
    }

    @Test
    void oneThatIsOffKeepsItsNumber() throws IOException {
        assertThat(cpus("processor\t: 0\nmodel name\t: A\n\nprocessor\t: 2\nmodel name\t: B\n"))
                .containsExactly(new CpuEntry("A", 0), new CpuEntry("", 0), new CpuEntry("B", 0));
    }

    @Test
    void allListedCpusAreCounted() {
        assertThat(Cpus.count())
                .isEqualTo(Cpus.all().size())
                .isGreaterThanOrEqualTo(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void missingFilesMeanNoCpus() throws IOException {
        assertThat(cpus("")).isEmpty();
        assertThat(cpus("model name\t: before any\nprocessor\t: many\n")).isEmpty();
    }
}
