package dev.unjank.record.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WaiterFinderTest {

    private final Object monitor = new Object();
    private final AtomicBoolean isEnough = new AtomicBoolean();
    private final CountDownLatch held = new CountDownLatch(1);

    private void hold() {
        synchronized (monitor) {
            held.countDown();
            while (!isEnough.get()) {
                Thread.onSpinWait();
            }
        }
    }

    private void take() {
        synchronized (monitor) {
            assertThat(isEnough).isTrue();
        }
    }

    /** The names of the lock owners that a sample finds for the test's thread. */
    private List<String> ownersWhile(Thread owner) throws Exception {
        held.await();
        Thread waiter = Thread.ofPlatform().name("waiter").start(this::take);
        List<String> owners = new ArrayList<>();
        try {
            while (waiter.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            new WaiterFinder().find((who, of, _, _, _) -> {
                if (who.equals(waiter)) {
                    owners.add(of.getName());
                }
            });
        } finally {
            isEnough.set(true);
            waiter.join();
            owner.join();
        }
        return owners;
    }

    @Test
    void theOwnerOfAMonitorIsFound() throws Exception {
        assertThat(ownersWhile(Thread.ofPlatform().name("owner").start(this::hold)))
                .containsExactly("owner");
    }

    @Test
    void aCarrierIsNotReportedAsTheOwner() throws Exception {
        assertThat(ownersWhile(Thread.ofVirtual().name("virtual").start(this::hold)))
                .isEmpty();
    }
}
