package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.helper.HelperProcess;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.linux.ProcessCredentials;
import dev.unjank.record.session.Recording;
import dev.unjank.record.session.RecordingSource;
import dev.unjank.record.session.Rotation;
import dev.unjank.record.session.SourceAvailability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A target that answers so as to harm the recorder: the source that asks it ends with a reason, the recording goes on
 * to its end, and the file is whole. As root the target is another user's; otherwise it is one's own.
 */
@Tag("slow")
class HostileTargetTest {
    private static final Duration PIECE = Duration.ofMillis(500);
    private static final Duration END = Duration.ofSeconds(1);

    /** Much longer than it takes; without limits it does not end at all. */
    private static final Duration HANG = Duration.ofSeconds(30);

    private static final Duration LONGEST = Duration.ofMinutes(2);

    @TempDir
    Path directory;

    static JvmTargetProcess hostile(String... ways) throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "attaching to a process needs Linux here");
        List<String> asAnother =
                Proc.isRoot() ? List.of("setpriv", "--reuid=12345", "--regid=12345", "--clear-groups") : List.of();
        JvmTargetProcess target = JvmTargetProcess.within(
                asAnother, HostileTarget.class, List.of("-XX:+DisableAttachMechanism"), List.of(ways));
        try {
            target.expect("ready");
            return target;
        } catch (IOException e) {
            target.close();
            return abort("needs setpriv, and classes that every user may read: " + e.getMessage());
        }
    }

    private static SourceAvailability of(Recording recording, String source) {
        return recording.availability().stream()
                .filter(each -> each.source().equals(source))
                .findFirst()
                .orElseThrow();
    }

    /** Records until something is so, or for a time. */
    private Recording recorded(JvmTargetProcess target, Duration most, Predicate<Recording> until) throws IOException {
        List<RecordingSource> sources = new TargetJvm(target.pid(), END, END).sources(Duration.ofMillis(1), PIECE);
        Recording recording =
                Recording.start(directory.resolve("hostile.pftrace"), Rotation.NONE, target.pid(), sources);
        long begun = System.nanoTime();
        try (recording) {
            while (System.nanoTime() - begun < most.toNanos() && !until.test(recording)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            begun = System.nanoTime();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).as("the end").isLessThan(HANG);
        assertThat(target.process().isAlive()).isTrue();
        return recording;
    }

    private void assertNothingIsLeft(JvmTargetProcess target) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/tmp"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("unjank-" + target.pid() + "-"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "endless properties, lock owners, the target's reply is longer than 1 MB",
        "endless load,       lock owners, the target's reply is longer than 1 MB",
        "endless JFR.start,  Flight Recorder, the target's reply is longer than 1 MB",
        "malformed properties, lock owners, the target's system properties cannot be read",
        "refused properties, lock owners, [31mxxx",
        "refused load,       lock owners, [31mxxx",
        "refused JFR.start,  Flight Recorder, [31mxxx",
        "flood of texts,     lock owners, more than 8192 strings or frames",
        "long text,          lock owners, a string of 60000 bytes",
        "linked piece,       Flight Recorder, is not a readable regular file",
    })
    void anAnswerWithoutEndEndsTheSource(String way, String source, String reason) throws IOException {
        try (JvmTargetProcess target = hostile(way)) {
            Recording recording =
                    recorded(target, LONGEST, made -> !of(made, source).isOn());

            SourceAvailability said = of(recording, source);
            assertThat(said.isOn()).as("%s", said).isFalse();
            assertThat(said.toString()).contains(reason).hasSizeLessThan(2_000);
            assertNothingIsLeft(target);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sparse piece", "garbage", "endless JFR.stop"})
    void aFileThatCannotBeReadIsALoss(String way) throws IOException {
        try (JvmTargetProcess target = hostile(way)) {
            Recording recording =
                    recorded(target, LONGEST, made -> made.progress().lost() > 3);

            assertThat(recording.progress().lost()).isPositive();
            assertThat(RecordedTarget.read(directory.resolve("hostile.pftrace")).slices())
                    .extracting(RecordedTarget.Slice::name)
                    .contains("Flight Recorder file not read");
            assertNothingIsLeft(target);
        }
    }

    /** More than the helper carries out at once. */
    private static final int MANY = 80;

    /**
     * A command that is given up leaves no thread in the helper: one of them would be there as long as the target is.
     */
    @Test
    void commandsThatAreGivenUpDoNotUseTheHelperUp() throws Exception {
        try (JvmTargetProcess target = hostile("silent VM.version");
                HelperProcess helper = HelperProcess.start(target.pid(), ProcessCredentials.of(target.pid()))) {
            helper.listen();
            for (int i = 0; i < MANY; i++) {
                Thread asks = Thread.ofPlatform().start(() -> {
                    try {
                        String _ = helper.command("jcmd", "VM.version");
                    } catch (IOException e) {
                        // given up
                    }
                });
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                asks.interrupt();
                asks.join();
            }
            assertThat(helper.command("properties")).contains("25+hostile");
            helper.removeFolder(helper.makeFolder());
        }
    }

    @Test
    void aFileThatShrinksWhileItIsReadIsHarmless() throws IOException {
        try (JvmTargetProcess target = hostile("shrinking piece")) {
            recorded(target, Duration.ofSeconds(2), _ -> false);
            assertNothingIsLeft(target);
        }
    }

    @ParameterizedTest
    @CsvSource({"silent load", "silent JFR.stop", "silent JFR.start"})
    void oneThatDoesNotAnswerIsGivenUpWhenTheUserWantsToEnd(String way) throws Exception {
        try (JvmTargetProcess target = hostile(way)) {
            TargetJvm recorded = new TargetJvm(target.pid(), END, END);
            List<RecordingSource> sources = recorded.sources(Duration.ofMillis(1), PIECE);
            Thread.ofPlatform().daemon().start(() -> {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
                recorded.hurry();
            });
            long begun = System.nanoTime();
            Recording.start(directory.resolve("silent.pftrace"), Rotation.NONE, target.pid(), sources)
                    .close();

            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(HANG);
            assertNothingIsLeft(target);
        }
    }
}
