package dev.unjank.looper;

import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** The executors under the contract; a JUnit configuration parameter may replace them by a faulty one. */
final class ExecutorSubjects implements ArgumentsProvider {
    /** The configuration parameter that names an {@link FaultyExecutor}. */
    static final String BUG = "dev.unjank.looper.executorBug";

    @Override
    public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        ExecutorSubject spoilt =
                context.getConfigurationParameter(BUG, FaultyExecutor::valueOf).orElse(null);
        return spoilt == null ? Stream.of(RealExecutor.values()).map(Arguments::of) : Stream.of(Arguments.of(spoilt));
    }
}
