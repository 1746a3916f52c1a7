package dev.unjank.record.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CleanupTest {
    private final List<String> done = new ArrayList<>();

    private Cleanup.Step step(String name, Exception failure) {
        return () -> {
            done.add(name);
            if (failure != null) {
                throw failure;
            }
        };
    }

    @Test
    void eachStepIsTakenWhateverTheOthersThrow() {
        Cleanup ending = new Cleanup()
                .then(step("one", new IOException("a disk")))
                .then(step("two", null))
                .then(step("three", new IllegalStateException("a mistake")))
                .then(() -> {
                    throw new StackOverflowError();
                })
                .then(step("five", null));

        assertThat(done).containsExactly("one", "two", "three", "five");
        assertThatThrownBy(ending::finish)
                .isInstanceOf(IOException.class)
                .hasMessage("a disk; java.lang.IllegalStateException: a mistake; java.lang.StackOverflowError")
                .hasCauseInstanceOf(IOException.class)
                .satisfies(all -> assertThat(all.getSuppressed()).hasSize(2));
    }

    @Test
    void whereAllIsWellNothingIsThrown() {
        assertThatCode(() -> new Cleanup().then(step("one", null)).finish()).doesNotThrowAnyException();
    }

    @Test
    void theOnlyFailureOfAFileIsThrownAsItIs() {
        IOException only = new IOException("a disk");
        Cleanup ending = Cleanup.after(only).then(step("one", null)).then(step("two", only));

        assertThat(ending.failure()).isSameAs(only);
    }
}
