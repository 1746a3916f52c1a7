package dev.unjank.doctor;

import static dev.unjank.doctor.Stage.APP;
import static dev.unjank.doctor.Stage.SERVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.SchedState;
import org.junit.jupiter.api.Test;

/** What the answer must not claim. */
class AnswerTest {

    /** Who works in a frame and who waits in it look the same without the scheduler's events. */
    @Test
    void thatALateFrameWasWorkIsNotSaidWithoutScheduling() {
        Diagnosis diagnosis = new Stage()
                .process(APP, "com.example.app")
                .slice(APP, "Choreographer#doFrame 1", 1, 40)
                .diagnose(DoctorOptions.defaults());
        assertThat(Words.answer(diagnosis))
                .startsWith(
                        "One of 1 frame was late, and no main thread was seen waiting for 1 ms or longer. This trace"
                                + " cannot tell who ran, waited or was preempted when")
                .doesNotContain("itself", "Talk to");
        assertThat(SummaryWords.of(diagnosis).getFirst()).startsWith("No wait was found. Android records");
    }

    @Test
    void whoWaitedForNothingIsNotSaidToHaveWorkedAllTheTime() {
        Stage stage = new Stage()
                .process(APP, "com.example.app")
                .slice(APP, "Choreographer#doFrame 1", 1, 40)
                .runs(APP, 1, 40, SchedState.SLEEPING);
        assertThat(Words.answer(stage.diagnose(DoctorOptions.defaults())))
                .isEqualTo(
                        "What made the screen stutter: com.example.app itself: its worst late frame took 39.000 ms, none"
                                + " of it in waits of at least 1 ms; the rest was its own work, sleep or shorter waits. Talk"
                                + " to whoever wrote com.example.app.");
    }

    /** A thread waits for a CPU from 5 to 17 ms, on which others take turns. */
    private static Diagnosis starved(double firstUntil, double secondUntil) {
        return new Stage()
                .process(APP, "com.example.app")
                .process(SERVER, "server")
                .thread(2010, SERVER, "one", 120)
                .thread(2020, SERVER, "two", 120)
                .thread(2030, SERVER, "three", 120)
                .slice(APP, "work", 1, 20)
                .runs(APP, 1, 2, SchedState.SLEEPING)
                .runs(2010, 3, firstUntil, SchedState.SLEEPING)
                .wakes(2010, 5, APP)
                .runs(2020, firstUntil, secondUntil, SchedState.SLEEPING)
                .runs(2030, secondUntil, 17, SchedState.SLEEPING)
                .runs(APP, 17, 20, SchedState.SLEEPING)
                .diagnose(DoctorOptions.defaults());
    }

    @Test
    void whoRanLongestOfManyIsNotToBlame() {
        assertThat(Words.answer(starved(10, 14)))
                .contains("got no CPU for 12.000 ms; what ran instead was 3 threads, longest one in server (#1).")
                .doesNotContain("Talk to");
        assertThat(Words.answer(starved(12, 14)))
                .contains("what ran instead was mostly one in server")
                .endsWith("Talk to whoever wrote server, about its thread one.");
    }
}
