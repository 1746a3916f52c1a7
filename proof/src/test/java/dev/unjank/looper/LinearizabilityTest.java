package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unjank.looper.queue.MessageHeap;
import dev.unjank.looper.queue.MessageOrder;
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
 * Model checking: for every interleaving of the threads' steps there must be a sequential execution of {@link
 * SequentialSpecification} with the same results. First the scenarios of each {@link QueueClaim}, then random
 * scenarios.
 */
class LinearizabilityTest {
    /** Of a scenario. */
    private static final int INTERLEAVINGS = 100;

    /** Also those in which a fault is found, in most of them much earlier. */
    private static final int MANY_INTERLEAVINGS = 2_000;

    /** In the long form. */
    private static final int THOROUGHLY = 1_000;

    private static final int LONGEST_WALK = 200;

    @ParameterizedTest
    @Tag("slow")
    @EnumSource
    void theQueueKeepsIts(QueueClaim claim) {
        check(INTERLEAVINGS, DeliveryModel.OfTheRealQueue.class, claim.scenario(DeliveryModel.OfTheRealQueue.class));
    }

    @ParameterizedTest
    @Tag("long")
    @EnumSource
    void theQueueAlwaysKeepsIts(QueueClaim claim) {
        check(THOROUGHLY, DeliveryModel.OfTheRealQueue.class, claim.scenario(DeliveryModel.OfTheRealQueue.class));
    }

    @ParameterizedTest
    @Tag("long")
    @EnumSource
    void aQueueWithoutFaultKeepsIts(QueueClaim claim) {
        check(THOROUGHLY, SeededBugModels.WithoutFault.class, claim.scenario(SeededBugModels.WithoutFault.class));
    }

    @ParameterizedTest
    @Tag("slow")
    @EnumSource
    void aFaultIsFoundAgainst(QueueClaim claim) {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> check(MANY_INTERLEAVINGS, claim.broken, claim.scenario(claim.broken)));
    }

    /**
     * Not guaranteed: the looper decides which message it will take and then takes it. In between others may still see
     * it, though a message has been sent that goes first.
     */
    @Test
    void askingIsNotLinearizableBesideOvertaking() {
        isNotLinearizable(new LincheckScenario(DeliveryModel.OfTheRealQueue.class)
                .before("send 1 2")
                .thread("take 2")
                .thread("send 2 1", "has 1"));
    }

    /** Not guaranteed: searching for any of several messages visits those that were there when it began. */
    @Test
    void askingForAnyIsNotLinearizableBesideReplacement() {
        isNotLinearizable(new LincheckScenario(DeliveryModel.OfTheRealQueue.class)
                .before("send 1 1")
                .thread("isIdle 1")
                .thread("send 2 1", "take 1"));
    }

    /** Not guaranteed: counting visits those that were there when it began. */
    @Test
    void countingIsNotLinearizableBesideReplacement() {
        isNotLinearizable(new LincheckScenario(DeliveryModel.OfTheRealQueue.class)
                .before("send 1 1")
                .thread("depth")
                .thread("send 2 1", "take 1"));
    }

    /** Not guaranteed: many are removed one after the other, and messages sent meanwhile stay. */
    @Test
    void removingManyIsNotLinearizable() {
        isNotLinearizable(new LincheckScenario(DeliveryModel.OfTheRealQueue.class)
                .before("send 1 1", "send 2 1")
                .thread("removeAll")
                .thread("send 3 1", "take 1")
                .after("take 1"));
    }

    private static void isNotLinearizable(LincheckScenario scenario) {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> check(MANY_INTERLEAVINGS, DeliveryModel.OfTheRealQueue.class, scenario.build()));
    }

    @Test
    @Tag("slow")
    void scenariosAtRandom() {
        random(10, 100, 2).check(DeliveryModel.OfTheRealQueue.class);
    }

    @Test
    @Tag("slow")
    void questionsAtRandom() {
        random(4, 50, 2).check(SearchModel.class);
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(classes = {DeliveryModel.OfTheRealQueue.class, SeededBugModels.WithoutFault.class})
    void manyScenariosAtRandom(Class<?> model) {
        random(60, 300, 2).check(model);
        random(30, 300, 3).check(model);
    }

    /** Fewer, since each takes seven times as long: this many timers must settle before there is an index. */
    @Test
    @Tag("long")
    void manyQuestionsAtRandom() {
        random(20, 100, 2).check(SearchModel.class);
        random(10, 100, 3).check(SearchModel.class);
    }

    private static void check(int interleavings, Class<? extends DeliveryModel> model, ExecutionScenario scenario) {
        options(interleavings)
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
                .sequentialSpecification(SequentialSpecification.class)
                .invocationsPerIteration(interleavings)
                // more than there are messages: walking over them is no spinning
                .loopBound(LONGEST_WALK)
                .loopIterationsBeforeThreadSwitch(LONGEST_WALK)
                // belongs to the looper, or to the test: no other thread can come in between
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(
                                MessageHeap.class.getName(),
                                MessageOrder.class.getName(),
                                MessageHandles.class.getName(),
                                FarTimers.class.getName())
                        .allMethods()
                        .ignore());
    }
}
