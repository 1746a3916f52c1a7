package dev.unjank.record.agent;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("restricted") // the signature is that of a callback with four pointers
class MonitorContentionCallbackTest {
    private MonitorContentionCallback alarm;
    private MethodHandle contended;

    @BeforeEach
    void create() {
        alarm = MonitorContentionCallback.create();
        assumeTrue(alarm != null, "there are no instructions for this machine");
        contended = Linker.nativeLinker()
                .downcallHandle(alarm.code(), FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    }

    @Test
    void nothingHappensBeforeItIsArmed() throws Throwable {
        assertThat(alarm.isArmed()).isFalse();

        contended.invokeExact(1L, 2L, 3L, 4L);

        assertThat(alarm.isArmed()).isFalse();
        alarm.await(TimeUnit.MINUTES.toNanos(10)); // does not wait, or this hangs
    }

    @Test
    void theFirstThatComesTakesItBack() throws Throwable {
        alarm.arm();
        assertThat(alarm.isArmed()).isTrue();

        contended.invokeExact(1L, 2L, 3L, 4L);

        assertThat(alarm.isArmed()).isFalse();
    }

    @Test
    void theOneThatSleepsIsWoken() throws Throwable {
        CountDownLatch armed = new CountDownLatch(1);
        Thread observer = new Thread(() -> {
            alarm.arm();
            armed.countDown();
            while (alarm.isArmed()) {
                alarm.await(TimeUnit.MINUTES.toNanos(10));
            }
        });
        observer.setDaemon(true);
        observer.start();
        armed.await();

        contended.invokeExact(1L, 2L, 3L, 4L);

        assertThat(observer.join(Duration.ofMinutes(5))).isTrue();
    }

    @Test
    void itWaitsForAsLongAsIsSaid() {
        alarm.arm();
        long before = System.nanoTime();
        int waits = 0;

        while (System.nanoTime() - before < 30_000_000) {
            alarm.await(30_000_000);
            waits++; // a signal to the process may end one early
        }

        assertThat(waits).isLessThan(10);
        assertThat(alarm.isArmed()).isTrue();
    }
}
