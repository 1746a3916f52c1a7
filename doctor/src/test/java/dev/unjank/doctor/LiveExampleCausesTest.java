package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.trace.read.TraceReader;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The programs in {@code examples/causes}, run and recorded by Flight Recorder alone: the first root cause and its
 * code.
 */
@Tag("slow")
class LiveExampleCausesTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "SlowJournal, SLEEPING_OWNER, SlowJournal.writeJournal",
        "ExhaustedPool, RESOURCE_EXHAUSTED, ExhaustedPool.borrow",
        "CollectorUnderLock, GC_BLOCKED, CollectorUnderLock.rebuild",
        "SleepingHandler, SLEPT, SleepingHandler.save",
        "BusyPool, WAITED_FOR_RESULT, BusyPool.request",
        "PinnedThreads, PINNED, .<clinit>",
        "Deadlock, DEADLOCK, Deadlock.transfer",
        "SlowSocket, SLOW_IO, SlowSocket.readPrice",
        "LongHandler, LONG_HANDLER, LongHandler.recalculate"
    })
    void theFirstRootCauseAndItsCode(String program, Verdict verdict, String site) throws Exception {
        Path recording = folder.resolve(program + ".jfr");
        Path source = Path.of(System.getProperty("unjank.root", ".."), "examples", "causes", program + ".java");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.awt.headless=true",
                        "-Djdk.virtualThreadScheduler.parallelism=4",
                        "-Xmx600m",
                        "-XX:+UseSerialGC",
                        "-XX:StartFlightRecording:settings=profile,thread-dump=1s,filename=" + recording,
                        "-Xlog:jfr*=off",
                        source.toString())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
        RootCause first = RootCauseFinder.of(Doctor.diagnose(TraceReader.read(recording), DoctorOptions.defaults()))
                .causes()
                .getFirst();
        assertThat(first.verdict()).isEqualTo(verdict);
        assertThat(Stream.of(first.waiterSite(), first.ownerSite())
                        .filter(place -> place != null)
                        .map(CodeLocation::method))
                .anyMatch(method -> method.endsWith(site));
    }
}
