package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Model checking of the locks: for every interleaving of the steps of two or three threads, mutual exclusion holds and
 * no thread is left asleep. The checker has no timeouts and no interrupts, and a donation is one step for it: the
 * package page says which tests cover these.
 */
class LockLinearizabilityTest {
    private static final int INTERLEAVINGS = 50;
    private static final int MANY_INTERLEAVINGS = 2_000;

    static {
        System.setProperty(
                "unjank.locks.tier", PriorityTier.ORDERING.name()); // system calls take long and show nothing here
        assertThat(PriorityTier.current())
                .isEqualTo(PriorityTier.ORDERING); // and the trial's thread is not the checker's
    }

    @ParameterizedTest
    @Tag("slow")
    @CsvSource({
        "Lock, ordinary | ordinary | ordinary; barging | vip | ordinary; again | vip ordinary; await | awaitAsVip | signalAll",
        "GivenToAll, ordinary | ordinary | vip; barging | barging | ordinary",
        "ReadWrite, read | ordinary | readAsVip; vip | ordinary | read; downgrade | vip | readTwice",
        "Passing, one | ordinary | vip",
        "Permits, acquire-3 | acquireAsVip-1 | release-1 release-1; acquireAsVip-3 | acquire-2 | release-2 release-1"
    })
    void mutualExclusionAndProgress(String model, String scenarios) throws ClassNotFoundException {
        options(INTERLEAVINGS, model, scenarios)
                .iterations(1)
                .threads(2)
                .actorsPerThread(2)
                .check(model(model));
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource({
        "Lock, ordinary ordinary | ordinary vip | ordinary; vip ordinary | again | vip ordinary; barging vip | vip barging | ordinary",
        "Lock, await | await | signal signal; await | awaitAsVip | ordinary signalAll; await | ordinary | vip signal vip",
        "GivenToAll, ordinary barging | ordinary ordinary | vip",
        "ReadWrite, read ordinary | ordinary readTwice | readAsVip; vip read | ordinary read | read",
        "ReadWrite, downgrade | vip read | readTwice downgrade",
        "Passing, one ordinary | ordinary one | vip",
        "Permits, acquire-3 | acquireAsVip-1 acquire-1 | release-1 release-1 release-1",
        "Permits, acquireAsVip-3 acquire-1 | acquire-2 | release-2 release-2"
    })
    void norInLongerScenarios(String model, String scenarios) throws ClassNotFoundException {
        options(MANY_INTERLEAVINGS, model, scenarios)
                .iterations(20)
                .threads(3)
                .actorsPerThread(2)
                .check(model(model));
    }

    @ParameterizedTest
    @CsvSource({
        "DoesNotAnswer, ordinary | ordinary | ordinary",
        "LosesTheSignal, await | signal",
        "WritesBesideReaders, read | vip | read",
        "TakesTooMany, acquire-3 | tryAcquire-2 release-1 available release-2"
    })
    void aFaultIsFound(String model, String scenario) {
        assertThatExceptionOfType(LincheckAssertionError.class)
                .isThrownBy(() -> options(MANY_INTERLEAVINGS, model, scenario)
                        .iterations(0)
                        .minimizeFailedScenario(false)
                        .check(model(model)));
    }

    /** Not as the checker has them interleaved, but as the machine does. */
    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"Lock", "GivenToAll", "ReadWrite", "Passing", "Permits"})
    void norOnTheMachine(String model) throws ClassNotFoundException {
        new StressOptions()
                .sequentialSpecification(LockModels.Sequential.class)
                .iterations(20)
                .invocationsPerIteration(2_000)
                .threads(3)
                .actorsPerThread(3)
                .check(model(model));
    }

    /** With scenarios that are written by hand, with semicolons between. */
    private static ModelCheckingOptions options(int interleavings, String model, String scenarios)
            throws ClassNotFoundException {
        ModelCheckingOptions options = new ModelCheckingOptions()
                .sequentialSpecification(LockModels.Sequential.class)
                .invocationsPerIteration(interleavings)
                // all calls from here are one step, and a thread that parks in it sleeps for ever: so no callbacks
                .addGuarantee(
                        ManagedStrategyGuaranteeKt.forClasses(LockThread.class.getName(), PriorityTier.class.getName())
                                .allMethods()
                                .ignore());
        for (String scenario : scenarios.split("; ", -1)) {
            options.addCustomScenario(scenario(model(model), scenario));
        }
        return options;
    }

    private static Class<?> model(String name) throws ClassNotFoundException {
        return Class.forName(LockModels.class.getName() + "$" + name);
    }

    /** The calls of each thread, one after the other; an argument stands behind a hyphen. */
    private static ExecutionScenario scenario(Class<?> model, String threads) {
        List<List<Actor>> actors = Arrays.stream(threads.split(" \\| ", -1))
                .map(calls -> Arrays.stream(calls.split(" ", -1))
                        .map(call -> actor(model, call.split("-", -1)))
                        .toList())
                .toList();
        return new ExecutionScenario(List.of(), actors, List.of(), null);
    }

    private static Actor actor(Class<?> model, String... call) {
        Method method = Arrays.stream(model.getMethods())
                .filter(m -> m.getName().equals(call[0]) && m.getParameterCount() == call.length - 1)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(call[0]));
        return new Actor(
                method, Arrays.stream(call).skip(1).map(Integer::valueOf).toList());
    }
}
