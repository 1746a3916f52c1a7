package dev.unjank.doctor.judge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadGroupNameTest {
    @ParameterizedTest
    @CsvSource({
        "http-worker-3, http-worker-#",
        "http-nio-8080-exec-12, http-nio-#-exec-#",
        "pool-2-thread-7, pool-2-thread-#",
        "ForkJoinPool-1-worker-3, ForkJoinPool-1-worker-#",
        "ForkJoinPool.commonPool-worker-1, ForkJoinPool.commonPool-worker-#",
        "binder:3363_2, binder:#_#",
        "main, main"
    })
    void numbersAreRemovedExceptThatOfAFactory(String thread, String group) {
        assertThat(ThreadGroupName.of(thread)).isEqualTo(group);
    }

    @ParameterizedTest
    @CsvSource({"http-worker-3, true", "main, false", "G1 Main Marker, false", "'', false"})
    void aPoolsThreadsEndWithANumber(String thread, boolean ofPool) {
        assertThat(ThreadGroupName.isOfPool(thread)).isEqualTo(ofPool);
    }
}
