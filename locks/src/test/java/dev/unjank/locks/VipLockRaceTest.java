package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.linux.Scheduling;
import dev.unjank.linux.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Everything at once on a few locks: two threads must never be inside, nobody may sleep beside a free lock, and nobody may keep what
 * it was lent. What a thread does comes from a seed; how they meet does not.
 */
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // of a test that fails nobody uses the locks any more
class VipLockRaceTest {
    private static final int LOCKS = 3;

    /** A lock, and what it guards. */
    private static final class Guarded {
        final VipLock lock = new VipLock();
        final Condition condition = lock.newCondition();
        int inside;
        long entries;

        void enter() {
            assertThat(inside++).as("others inside").isZero();
            entries++;
        }

        void leave() {
            inside--;
        }
    }

    private final List<Guarded> all = new ArrayList<>();

    VipLockRaceTest() {
        for (int i = 0; i < LOCKS; i++) {
            all.add(new Guarded());
        }
    }

    @Test
    void nobodyMeetsNobodyStaysAndNobodyKeepsALoan() {
        race(8, 6_000);
    }

    @Test
    @Tag("long")
    void norInMinutes() {
        race(16, 500_000);
    }

    private void race(int count, int rounds) {
        List<Thread> members = new ArrayList<>();
        try (Threads threads = new Threads()) {
            for (int i = 0; i < count; i++) {
                Random random = new Random(i);
                Thread.Builder builder = i % 4 == 3 ? Thread.ofVirtual() : Thread.ofPlatform();
                members.add(threads.start(builder.name("racer " + i), Importance.ORDINARY, () -> {
                            for (int round = 0; round < rounds; round++) {
                                importance(random).run(() -> act(random));
                                Thread.interrupted();
                            }
                            return isAsBefore();
                        })
                        .thread());
            }
            threads.start(() -> {
                Random random = new Random(count);
                while (members.stream().anyMatch(Thread::isAlive)) {
                    members.get(random.nextInt(count)).interrupt();
                    LockSupport.parkNanos(1_000);
                }
            });
        }

        assertThat(all).allSatisfy(guarded -> {
            assertThat(guarded.entries).isPositive();
            assertThat(guarded.lock.isLocked()).isFalse();
            assertThat(guarded.lock.hasQueuedThreads()).isFalse();
        });
    }

    private static Importance importance(Random random) {
        int dice = random.nextInt(20);
        return dice == 0 ? Importance.REAL_TIME : dice < 6 ? Importance.VIP : Importance.ORDINARY;
    }

    private static boolean isAsBefore() {
        if (!Thread.currentThread().isVirtual() && Tasks.obstacle() == null) {
            assertThat(Tasks.scheduling(Tasks.SELF)).isEqualTo(new Scheduling(Scheduling.OTHER, 0, 0, false));
        }
        return true;
    }

    private void act(Random random) {
        int which = random.nextInt(LOCKS);
        Guarded guarded = all.get(which);
        try {
            if (!take(guarded.lock, random)) {
                return;
            }
            try {
                guarded.enter();
                if (which + 1 < LOCKS && random.nextInt(20) == 0) {
                    Guarded next = all.get(which + 1); // always in this order
                    next.lock.lock();
                    next.enter();
                    next.leave();
                    next.lock.unlock();
                }
                if (random.nextInt(50) == 0) {
                    await(guarded, random);
                }
                if (random.nextInt(30) == 0) {
                    guarded.condition.signal();
                } else if (random.nextInt(100) == 0) {
                    guarded.condition.signalAll();
                }
                guarded.leave();
            } finally {
                guarded.lock.unlock();
            }
        } catch (InterruptedException e) {
            // somebody wanted that; what it interrupted has not happened
        }
    }

    private static boolean take(VipLock lock, Random random) throws InterruptedException {
        switch (random.nextInt(8)) {
            case 0 -> {
                return lock.tryLock(random.nextInt(200), TimeUnit.MICROSECONDS);
            }
            case 1 -> {
                return lock.tryLock();
            }
            case 2 -> lock.lockInterruptibly();
            default -> lock.lock();
        }
        return true;
    }

    private static void await(Guarded guarded, Random random) {
        guarded.leave();
        guarded.lock.lock(); // twice, which is to be twice afterwards
        try {
            long ignored = guarded.condition.awaitNanos(random.nextInt(300_000));
        } catch (InterruptedException e) {
            // as good an end as any
        } finally {
            guarded.lock.unlock();
        }
        guarded.enter();
    }
}
