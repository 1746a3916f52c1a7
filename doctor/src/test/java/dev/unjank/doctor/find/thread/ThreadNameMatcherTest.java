package dev.unjank.doctor.find.thread;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadNameMatcherTest {
    @ParameterizedTest
    @CsvSource({
        "binder:3363_2, binder:3363_2, true",
        "NetworkPolicy.uid, tworkPolicy.uid, true",
        "User-Facing Sharded, User-Facing Sha, true",
        "netscheduler-queue-handler, netscheduler-qu, true",
        "com.google.android.gms.persistent, .gms.persistent, true",
        "android.display, android.display, true",
        "Grüße-aus-Köln, Grüße-aus-Kö, true",
        "Grüße-aus-Köln, Grüße-aus-K, false",
        "binder:3363_2, binder:3363_, false",
        "Thread-63, Thread-6, false",
        "pool(a)(b), pool (a) (b), true",
        "main, n, false",
        "abc, '', false",
        ", main, false",
        "main, , false",
    })
    void agree(String name, String comm, boolean agree) {
        assertThat(ThreadNameMatcher.agree(name, comm)).isEqualTo(agree);
    }
}
