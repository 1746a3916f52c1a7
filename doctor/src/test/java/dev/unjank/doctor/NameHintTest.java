package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.TraceBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of a name that is not there: names that are like it, and no others. */
class NameHintTest {
    private static final String QUERY = "unjank query 'a trace'";

    private static String mistake(String thread, String query) {
        try (TraceBuilder builder = new TraceBuilder("names")) {
            builder.process(0, 10, 1, builder.intern("com.example.app"));
            String[] names = {"RenderThread", "Binder:10_1", "Binder:10_2", "Binder:10_3", "HeapTaskDaemon", "worker"};
            for (int i = 0; i < names.length; i++) {
                builder.thread(0, 11 + i, 10, builder.intern(names[i]));
            }
            return Doctor.mistake(builder.build(), DoctorOptions.defaults().withThread(thread), query);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "renderthraed, RenderThread",
        "wroker, worker",
        "daemon, HeapTaskDaemon",
        "binder, 'Binder:10_1, Binder:10_2, Binder:10_3'"
    })
    void namesThatAreNearAreTold(String wanted, String near) {
        assertThat(mistake(wanted, QUERY))
                .isEqualTo("the trace shows no thread \"" + wanted + "\"; there is something like it: " + near);
    }

    @ParameterizedTest
    @CsvSource({"nosuch", "x", "worrying-thing"})
    void whereNoneIsNearItIsSaidHowToListThem(String wanted) {
        assertThat(mistake(wanted, QUERY))
                .isEqualTo(
                        "the trace shows no thread \"" + wanted + "\"; none of its 6 names is like that, and this lists"
                                + " them: unjank query 'a trace' \"SELECT DISTINCT name FROM thread\"");
    }

    @Test
    void withoutAFileNothingCanBeListed() {
        assertThat(mistake("nosuch", null)).endsWith("; none of its 6 names is like that");
    }
}
