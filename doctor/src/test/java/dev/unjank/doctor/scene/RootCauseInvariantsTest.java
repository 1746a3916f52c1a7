package dev.unjank.doctor.scene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.judge.RootCauseFinder;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.cause.CostMeasure;
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.doctor.model.cause.RootCauses;
import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The invariants of root causes find wrong root causes; of an example with missed frames. */
class RootCauseInvariantsTest {
    private static Diagnosis diagnosis;
    private static RootCauses right;

    @BeforeAll
    static void diagnose() throws IOException, UnusableTraceException {
        Path file = Path.of(System.getProperty("unjank.root", ".."), "examples", "launcher-jank.pftrace");
        diagnosis = Doctor.diagnose(TraceReader.read(file), DoctorOptions.defaults());
        right = RootCauseFinder.of(diagnosis);
    }

    @Test
    void theRootCausesOfTheExampleAreRight() {
        assertThat(right.measure()).isEqualTo(CostMeasure.MISSED_FRAMES);
        RootCauseInvariants.check(diagnosis, right);
    }

    @Test
    void anIncidentInTwoRootCausesIsFound() {
        int twice = right.causes().get(1).incidents().getFirst();
        List<Integer> ids = Stream.concat(right.causes().getFirst().incidents().stream(), Stream.of(twice))
                .sorted()
                .toList();
        assertFound(withFirst(ids, 0, 0), "each incident in one root cause");
    }

    @Test
    void anIncidentInNoRootCauseIsFound() {
        List<Integer> ids = right.causes().getFirst().incidents();
        assertFound(withFirst(ids.subList(1, ids.size()), 0, 0), "each incident in one root cause");
    }

    @Test
    void aRootCauseThatIsMissingIsFound() {
        List<RootCause> causes = right.causes().subList(0, right.causes().size() - 1);
        assertFound(new RootCauses(right.measure(), causes), "each incident in one root cause");
    }

    @Test
    void aWrongTotalIsFound() {
        assertFound(withFirst(right.causes().getFirst().incidents(), 1, 0), "the sum of its waits");
    }

    @Test
    void aWrongCostIsFound() {
        assertFound(withFirst(right.causes().getFirst().incidents(), 0, 1), "missed frames, each moment once");
    }

    private static void assertFound(RootCauses wrong, String invariant) {
        assertThatThrownBy(() -> RootCauseInvariants.check(diagnosis, wrong))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(invariant);
    }

    /** The root causes, the first of them with other incidents, and with more ns in its total and its cost. */
    private static RootCauses withFirst(List<Integer> incidents, long moreNs, long moreCostNs) {
        List<RootCause> causes = new ArrayList<>(right.causes());
        RootCause it = causes.getFirst();
        causes.set(
                0,
                new RootCause(
                        it.rank(),
                        it.key(),
                        it.verdict(),
                        it.verdicts(),
                        it.example(),
                        it.kind(),
                        it.resource(),
                        it.pauses(),
                        it.process(),
                        it.waiters(),
                        it.owners(),
                        it.waiterSite(),
                        it.ownerSite(),
                        it.ownerActivity(),
                        it.stacks(),
                        it.ownerStates(),
                        incidents,
                        it.meanwhile(),
                        it.partOf(),
                        it.occurrences(),
                        it.totalNs() + moreNs,
                        it.p50Ns(),
                        it.p95Ns(),
                        it.maxNs(),
                        it.costNs() + moreCostNs,
                        it.samples()));
        return new RootCauses(right.measure(), causes);
    }
}
