package dev.unjank.workbench.bench.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.locks.PriorityTier;
import dev.unjank.workbench.lab.program.DurationSamples;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The questions come to their ends; how long they take in between is for the benchmark itself to say. */
class LockQuestionsTest {

    @ParameterizedTest
    @EnumSource
    void aCrowdWantsTheLock(LockKind kind) throws Exception {
        assumeTrue(kind.obstacle() == null, kind::obstacle);

        DurationSamples waits =
                new ContendedLockLoad(1_000, 10, 1).run(kind, kind.open(), TimeUnit.MILLISECONDS.toNanos(30));

        assertThat(waits.mean()).isPositive();
        assertThat(waits.longest()).isGreaterThanOrEqualTo(waits.quantile(0.99));
    }

    @ParameterizedTest
    @EnumSource
    void twoThreadsTakeTurns(HandoffMechanism courier) throws Exception {
        assumeTrue(courier.obstacle() == null, courier::obstacle);
        assumeTrue(
                courier != HandoffMechanism.ONE_CARRIER, "needs an option of the JVM that this one has not been given");

        assertThat(new HandoffRoundTrip().open(courier).measure("there and back")[0])
                .isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"no waiter", "nice -20", "real time"})
    void anOwnersShareIsMeasuredWhereTheKernelAllowsTheWaiter(String waiter) throws Exception {
        double share = new PriorityInheritance().open(LockKind.UNFAIR).measure(waiter)[0];

        if (waiter.equals("no waiter") || PriorityTier.current() == PriorityTier.REAL_TIME) {
            assertThat(share).isPositive();
        } else {
            assertThat(share)
                    .as("measured, or refused by the kernel")
                    .satisfiesAnyOf(
                            s -> assertThat(s).isPositive(), s -> assertThat(s).isNaN());
        }
    }

    @Test
    void waitsAreSummedUp() {
        DurationSamples waits = new DurationSamples();
        for (int i = 2_000; i > 0; i--) {
            waits.add(i);
        }

        assertThat(waits.mean()).isEqualTo(1000.5);
        assertThat(waits.total()).isEqualTo(2_001_000);
        assertThat(waits.longest()).isEqualTo(2_000);
        assertThat(waits.between(1_990 + 1, Long.MAX_VALUE)).isEqualTo(10);
        assertThat(waits.quantile(0.99)).isEqualTo(1_980);
        assertThat(waits.quantile(0)).isEqualTo(1);
    }
}
