package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.junit.platform.launcher.listeners.TestExecutionSummary.Failure;

/** A test of the tests: the contract tests find injected faults. */
class FaultyExecutorTest {
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void theContractFindsIt(FaultyExecutor bug) {
        TestExecutionSummary result = run(bug, List.of(finder(bug)));
        assertThat(result.getTestsStartedCount()).isEqualTo(1);
        assertThat(result.getFailures()).hasSize(1);
        // an assertion of the test, not an incidental failure
        assertThat(result.getFailures()).extracting(Failure::getException).hasOnlyElementsOfType(AssertionError.class);
    }

    @Test
    void theSameTestsPassWithoutTheBugs() {
        List<DiscoverySelector> finders = Arrays.stream(FaultyExecutor.values())
                .map(FaultyExecutorTest::finder)
                .toList();
        TestExecutionSummary result = run(FaultyExecutor.NONE, finders);
        assertThat(result.getTestsStartedCount()).isEqualTo(finders.size());
        assertThat(result.getFailures()).isEmpty();
        assertThat(result.getTestsSucceededCount()).isEqualTo(finders.size());
    }

    private static DiscoverySelector finder(FaultyExecutor bug) {
        return selectMethod(bug.finder, bug.method);
    }

    private static TestExecutionSummary run(FaultyExecutor bug, List<DiscoverySelector> tests) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(tests)
                .configurationParameter(ExecutorSubjects.BUG, bug.name())
                .build();
        LauncherFactory.create().execute(request, listener);
        return listener.getSummary();
    }
}
