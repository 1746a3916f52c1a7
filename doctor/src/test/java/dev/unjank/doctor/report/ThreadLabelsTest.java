package dev.unjank.doctor.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.CodeOrigin;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.trace.model.ThreadStates;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a thread is called, also one of which no name was recorded. */
class ThreadLabelsTest {

    @ParameterizedTest
    @CsvSource({
        "worker, 7, worker, 'in app, tid 7'",
        ", 7, thread 7, in app",
        "'', 7, thread 7, in app",
        ", -1, an unknown thread, in app",
        ", 1073741824, a thread without a recorded name, in app",
        ", 1073741846, virtual thread #22, in app",
        "handler, 1073741846, handler, 'in app, virtual thread #22'",
    })
    void names(String recorded, int tid, String name, String identity) {
        ThreadRef thread = new ThreadRef(
                5,
                tid,
                recorded,
                1,
                "app",
                false,
                ThreadStates.NO_PRIORITY,
                ThreadStates.NO_PRIORITY,
                CodeOrigin.PROGRAM);
        assertThat(ThreadLabels.name(thread)).isEqualTo(name);
        assertThat(ThreadLabels.identity(thread)).isEqualTo(identity);
        assertThat(ThreadLabels.identity(thread.withPriority(120, ThreadStates.NO_PRIORITY), null))
                .isEqualTo(identity + ", priority 120");
    }
}
