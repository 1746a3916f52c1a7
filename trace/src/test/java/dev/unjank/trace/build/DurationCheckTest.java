package dev.unjank.trace.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.model.Trace;
import dev.unjank.trace.model.TraceNote;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of {@link DurationCheck} with damaged and with sparse traces. */
class DurationCheckTest {
    private static final long MS = 1_000_000;
    private static final long S = 1_000 * MS;

    /** Events 1 ms apart; then others, all at once or spread over the rest of the duration. */
    @ParameterizedTest
    @CsvSource({
        "a few damaged times,             20000, 50,    false, 400000, true",
        "a single one,                     1000, 1,     false, 400000, true",
        "a damaged bundle,                20000, 1000,  false, 400000, true",
        "half of it later by an offset,   20000, 20000, false, 400000, true",
        "some damaged times spread out,   20000, 50,    true,  400000, true",
        "too few to decide,                 500, 1,     false, 400000, false",
        "one that is too short,           500, 500,    false, 59,     false",
        "one just long enough,            500, 500,    false, 60,     true",
        "not far longer than the rest,    20000, 50,    false, 400,    false",
        "a busy start and then not much,  20000, 200,   true,  400000, false",
        "as busy at all times,                0, 20000, true,  400000, false",
        "all at once,                         0, 20000, false, 0,      false",
    })
    void doubts(String what, int inARow, int others, boolean spread, long lengthS, boolean doubtful) {
        try (TraceBuilder builder = new TraceBuilder("test")) {
            int name = builder.intern("work");
            for (int i = 0; i < inARow; i++) {
                builder.program().instant(i * MS, 7, 7, name);
            }
            for (int i = 1; i <= others; i++) {
                builder.program().instant(spread ? lengthS * S / others * i : lengthS * S, 7, 7, name);
            }
            Trace trace = builder.build();

            assertThat(trace.isDurationImplausible()).as(what).isEqualTo(doubtful);
            assertThat(trace.warningNotes().contains(TraceNote.of("duration"))).isEqualTo(doubtful);
            assertThat(trace.endNs()).as("is not modified").isEqualTo(lengthS * S);
        }
    }
}
