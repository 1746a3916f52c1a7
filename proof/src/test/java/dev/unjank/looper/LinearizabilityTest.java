package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Model checking: whichever way the steps of the threads are interleaved, it must look as if one operation had happened
 * after another, as in {@link SequentialQueue}. First the scenarios of each {@link Claim}, then scenarios at random.
 */
class LinearizabilityTest {
    /** Of a scenario. Each fault is found in fewer; the long form tries more. */
    private static final int INTERLEAVINGS = 200;

    @ParameterizedTest
    @EnumSource
    void theQueueKeepsIts(Claim claim) {
        check(OrderModel.OfTheRealQueue.class, claim.scenario(OrderModel.OfTheRealQueue.class));
    }

    @ParameterizedTest
    @EnumSource
    void aQueueWithoutFaultKeepsIts(Claim claim) {
        check(OrderModel.WithoutFault.class, claim.scenario(OrderModel.WithoutFault.class));
    }

    @ParameterizedTest
    @EnumSource
    void aFaultIsFoundAgainst(Claim claim) {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> check(claim.broken, claim.scenario(claim.broken)));
    }

    /**
     * Not promised: the looper settles which message it will take and then takes it, and in between others may still see
     * it there though something has been sent that goes first.
     */
    @Test
    void askingIsNotLinearizableBesideOvertaking() {
        isNotLinearizable(new Scenario(OrderModel.OfTheRealQueue.class)
                .before("send 1 2")
                .thread("take 2")
                .thread("send 2 1", "has 1"));
    }

    /** Not promised: asking for any of several messages visits those that were there when it began. */
    @Test
    void askingForAnyIsNotLinearizableBesideReplacement() {
        isNotLinearizable(new Scenario(OrderModel.OfTheRealQueue.class)
                .before("send 1 1")
                .thread("isIdle 1")
                .thread("send 2 1", "take 1"));
    }

    private static void isNotLinearizable(Scenario scenario) {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> check(OrderModel.OfTheRealQueue.class, scenario.build()));
    }

    @ParameterizedTest
    @ValueSource(classes = {OrderModel.OfTheRealQueue.class, AskModel.class})
    void scenariosAtRandom(Class<?> model) {
        random(8, 100, 2).check(model);
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(classes = {OrderModel.OfTheRealQueue.class, OrderModel.WithoutFault.class, AskModel.class})
    void manyScenariosAtRandom(Class<?> model) {
        random(100, 1_000, 2).check(model);
        random(50, 1_000, 3).check(model);
    }

    private static void check(Class<? extends OrderModel> model, ExecutionScenario scenario) {
        options(INTERLEAVINGS)
                .iterations(0)
                .minimizeFailedScenario(false)
                .addCustomScenario(scenario)
                .check(model);
    }

    private static ModelCheckingOptions random(int scenarios, int interleavings, int threads) {
        return options(interleavings)
                .iterations(scenarios)
                .threads(threads)
                .actorsBefore(2)
                .actorsPerThread(3)
                .actorsAfter(2);
    }

    private static ModelCheckingOptions options(int interleavings) {
        return new ModelCheckingOptions()
                .sequentialSpecification(SequentialQueue.class)
                .invocationsPerIteration(interleavings)
                // belongs to the looper: no other thread can come in between
                .addGuarantee(
                        ManagedStrategyGuaranteeKt.forClasses(MessageHeap.class.getName(), MessageOrder.class.getName())
                                .allMethods()
                                .ignore());
    }
}
