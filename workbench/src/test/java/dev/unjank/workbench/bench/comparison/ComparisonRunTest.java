package dev.unjank.workbench.bench.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.workbench.bench.comparison.BenchmarkQuestion.Row;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ComparisonRunTest {

    private enum Lock implements Candidate {
        OURS,
        REALTIME;

        @Override
        public String label() {
            return name();
        }

        @Override
        public String description() {
            return name();
        }

        @Override
        public @Nullable String obstacle() {
            return this == REALTIME ? "needs CAP_SYS_NICE" : null;
        }
    }

    private static final class Question extends BenchmarkQuestion<Lock> {
        Question(Lock first, BenchmarkTarget target) {
            super("question", "title", List.of(first), List.of(new Row("row", target)));
        }

        @Override
        public Subject open(Lock peer) {
            throw new UnsupportedOperationException();
        }
    }

    private static int targets(Lock first, BenchmarkTarget target) {
        return ComparisonRun.judgements(new Question(first, target), new QuestionResults(first))
                .size();
    }

    @Test
    void aTargetOfAnImplementationThatThisUserCannotMeasureHasNoResult() {
        BenchmarkTarget ofTheFirst = BenchmarkTarget.atMost(1, " ns");

        assertThat(targets(Lock.OURS, ofTheFirst)).isEqualTo(1);
        assertThat(targets(Lock.REALTIME, ofTheFirst)).isZero();
        assertThat(targets(Lock.OURS, ofTheFirst.of(Lock.REALTIME))).isZero();
        assertThat(targets(Lock.REALTIME, ofTheFirst.of(Lock.OURS))).isEqualTo(1);
    }
}
