package dev.unjank.doctor.find.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.report.WarningMessages;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.trace.build.TraceBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The suggestions for a name that is not in the trace: similar names only. */
class NameSuggestionsTest {
    private static final StubQueries QUERY = new StubQueries("unjank query 'a trace'");

    private static final List<String> NAMES =
            List.of("RenderThread", "Binder:10_1", "Binder:10_2", "Binder:10_3", "HeapTaskDaemon", "worker");

    private static String mistake(String thread, StubQueries query) {
        return mistake(NAMES, DoctorOptions.defaults().withThread(thread), query);
    }

    /** The suggestions in a trace with one process and threads of these names, and another process with one thread. */
    private static String mistake(List<String> names, DoctorOptions options, StubQueries query) {
        try (TraceBuilder builder = new TraceBuilder("names")) {
            builder.kernel().process(0, 10, 1, builder.intern("com.example.app"));
            for (int i = 0; i < names.size(); i++) {
                builder.kernel().thread(0, 11 + i, 10, builder.intern(names.get(i)));
            }
            if (options.process() != null) {
                builder.kernel().process(0, 99, 1, builder.intern("com.example.other"));
                builder.kernel().thread(0, 100, 99, builder.intern("elsewhere"));
            }
            return WarningMessages.of(Doctor.explainEmptySelection(builder.build(), options), query);
        }
    }

    private static String process(String process, String thread, List<String> names) {
        return mistake(names, DoctorOptions.defaults().withProcess(process).withThread(thread), QUERY);
    }

    @ParameterizedTest
    @CsvSource({
        "renderthraed, RenderThread",
        "wroker, worker",
        "daemon, HeapTaskDaemon",
        "binder, 'Binder:10_1, Binder:10_2, Binder:10_3'"
    })
    void similarNamesAreSuggested(String wanted, String near) {
        assertThat(mistake(wanted, QUERY))
                .isEqualTo("the trace has no thread \"" + wanted + "\"; similar names: " + near);
    }

    @ParameterizedTest
    @CsvSource({"nosuch", "x", "worrying-thing"})
    void withoutASimilarNameTheCommandThatListsThemIsShown(String wanted) {
        assertThat(mistake(wanted, QUERY))
                .isEqualTo("the trace has no thread \"" + wanted + "\"; none of its 6 names is similar. List them with:"
                        + " unjank query 'a trace' \"SELECT names of thread\"");
    }

    /** Up to five names are all listed; of more, only three similar ones. */
    @Test
    void fewNamesAreAllListed() {
        List<String> five = List.of("worker-a", "worker-b", "worker-c", "worker-d", "z");
        assertThat(mistake(five, DoctorOptions.defaults().withThread("worker-dd"), QUERY))
                .endsWith("; existing names: worker-d, worker-a, worker-b, worker-c, z");
        List<String> six = List.of("worker-a", "worker-b", "worker-c", "worker-d", "z", "y");
        assertThat(mistake(six, DoctorOptions.defaults().withThread("worker-dd"), QUERY))
                .endsWith("; similar names: worker-d, worker-a, worker-b");
        assertThat(mistake(List.of(), DoctorOptions.defaults().withThread("a"), QUERY))
                .endsWith("; the trace contains no names");
    }

    /** One edit per three characters, and at most three. */
    @ParameterizedTest
    @CsvSource({
        "HeapXXXkDaemon, true",
        "HeapXXXXDaemon, false",
        "Worker,         true", // capitals are no slips
        "wXrXer,         true",
        "wXrXeX,         false",
        "wor,            true", // whatever holds it
        "orkXr,          false",
    })
    void maximumEditDistance(String wanted, boolean isLike) {
        assertThat(mistake(wanted, QUERY).contains("similar names")).isEqualTo(isLike);
    }

    /** Names that contain the wanted one come before similar ones. */
    @Test
    void theNearestComesFirst() {
        List<String> names = List.of("pool-9-thread-99-of-the-service-that-answers-all", "poll", "a", "b", "c", "d");
        assertThat(mistake(names, DoctorOptions.defaults().withThread("pool"), QUERY))
                .endsWith("similar names: pool-9-thread-99-of-the-service-that-answers-all, poll");
    }

    @Test
    void onlyNamesOfTheProcessAreListed() {
        assertThat(process("com.example.app", "elsewhere", NAMES)).contains("none of its 6 names is similar");
        assertThat(process("10", "wroker", NAMES))
                .isEqualTo("process \"10\" has no thread \"wroker\"; similar names: worker");
    }

    @Test
    void aThreadIsNoProcess() {
        assertThat(process("worker", null, NAMES))
                .isEqualTo("the trace has no process \"worker\"; a thread has this name: --thread \"worker\"");
        assertThat(process("nosuch", null, NAMES)).endsWith("; existing names: com.example.app, com.example.other");
    }

    /** A name may be long, and contain control characters. */
    @Test
    void namesAreShortAndPrintable() {
        String wanted = "x".repeat(61) + "y";
        assertThat(mistake(List.of("\u001b[2Jred", ""), DoctorOptions.defaults().withThread(wanted), QUERY))
                .isEqualTo("the trace has no thread \"" + "x".repeat(60) + "…\"; existing names: \\u001b[2Jred");
    }

    @Test
    void withoutAFileNothingCanBeListed() {
        assertThat(mistake("nosuch", null)).endsWith("; none of its 6 names is similar");
    }
}
