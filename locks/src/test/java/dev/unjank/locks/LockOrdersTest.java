package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.locks.Interleavings.Scene;
import dev.unjank.locks.SteppedLocks.Bound;
import dev.unjank.locks.SteppedLocks.Fault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * In every order of their steps with two preemptions at most, nobody meets anybody inside, no wake-up is lost, and nobody keeps what it
 * was lent: also where a limit of time is over at any moment, or an interrupt comes. And the mistakes that would are found.
 */
@Timeout(600)
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // what throws ends the scene
class LockOrdersTest {
    private static final int FEW = 2;
    private static final int MANY = 3;

    /** What threads do with locks, and what has to be so at the end. */
    enum Situation {
        THREE_ORDINARY {
            @Override
            Scene scene(Interleavings all, Fault fault) {
                return new Play(all, fault, Bound.NEVER)
                        .of(Play::pass, Play::pass, Play::pass)
                        .scene(3);
            }
        },
        TWO_AND_A_VIP {
            @Override
            Scene scene(Interleavings all, Fault fault) {
                return new Play(all, fault, Bound.NEVER)
                        .of(Play::pass, Play::passAsVip, Play::pass)
                        .scene(3);
            }
        },
        ALL_HAVE_WAITED_TOO_LONG {
            @Override
            Scene scene(Interleavings all, Fault fault) {
                return new Play(all, fault, Bound.AT_ONCE)
                        .of(Play::pass, Play::pass, Play::passAsVip)
                        .scene(3);
            }
        },
        ONE_WAITS_TOO_LONG {
            @Override
            Scene scene(Interleavings all, Fault fault) {
                return new Play(all, fault, Bound.AFTER_A_LIMIT)
                        .of(
                                play -> {
                                    play.pass();
                                    play.pass();
                                },
                                Play::pass,
                                Play::passInTime)
                        .scene(3);
            }
        },
        ONE_COMES_BETWEEN {
            @Override
            Scene scene(Interleavings all, Fault fault) {
                return new Play(all, fault, Bound.NEVER)
                        .of(Play::pass, Play::passAsVip, Play::passAtOnce)
                        .scene(2);
            }
        },
        AN_IMPORTANT_ONE_GIVES_UP {
            @Override
            Scene scene(Interleavings all, Fault fault) {
                return new Play(all, fault, Bound.NEVER)
                        .of(Play::pass, play -> Importance.VIP.run(play::passInTime), Play::pass)
                        .scene(2);
            }
        },
        AN_ORDINARY_ONE_GIVES_UP {
            @Override
            Scene scene(Interleavings all, Fault fault) {
                return new Play(all, fault, Bound.NEVER)
                        .of(Play::pass, Play::passInTime, Play::pass)
                        .scene(2);
            }
        },
        ONE_IS_INTERRUPTED {
            @Override
            Scene scene(Interleavings all, Fault fault) {
                return new Play(all, fault, Bound.NEVER)
                        .of(Play::pass, Play::passUnlessInterrupted, Play::pass, play -> all.interrupt(1))
                        .scene(2);
            }
        },
        ONE_IS_SIGNALLED {
            @Override
            Scene scene(Interleavings all, Fault fault) {
                return new Play(all, fault, Bound.NEVER)
                        .of(Play::awaitPermit, Play::givePermit)
                        .scene(2);
            }
        },
        ONE_GIVES_UP_BEFORE_THE_SIGNAL {
            @Override
            Scene scene(Interleavings all, Fault fault) {
                return new Play(all, fault, Bound.NEVER)
                        .of(Play::awaitPermitInTime, Play::awaitPermit, Play::givePermit)
                        .scene(3);
            }
        },
        AN_IMPORTANT_ONE_WAITS {
            @Override
            Scene scene(Interleavings all, Fault fault) {
                return new Play(all, fault, Bound.NEVER)
                        .of(Play::passAndSeeWhatIsLent, Play::passAsVip)
                        .scene(2);
            }
        },
        AN_IMPORTANT_ONE_WAITS_FOR_ONE_THAT_WAITS {
            @Override
            Scene scene(Interleavings all, Fault fault) {
                return new Play(all, fault, Bound.NEVER)
                        .of(Play::pass, Play::passBoth, Play::passOtherAsVip)
                        .scene(2);
            }
        },
        TWO_READ_AND_ONE_WRITES {
            @Override
            Scene scene(Interleavings all, Fault fault) {
                return new Play(all, fault, Bound.NEVER)
                        .of(Play::read, Play::write, Play::readAsVip)
                        .scene(3);
            }
        },
        A_WRITER_GIVES_UP {
            @Override
            Scene scene(Interleavings all, Fault fault) {
                return new Play(all, fault, Bound.NEVER)
                        .of(Play::read, Play::writeInTime, Play::read)
                        .scene(2);
            }
        },
        AN_IMPORTANT_WRITER_WAITS_FOR_READERS {
            @Override
            Scene scene(Interleavings all, Fault fault) {
                return new Play(all, fault, Bound.NEVER)
                        .of(Play::read, play -> Importance.VIP.run(play::write))
                        .scene(2);
            }
        },
        PERMITS_COME_ONE_BY_ONE {
            @Override
            Scene scene(Interleavings all, Fault fault) {
                return new Play(all, fault, Bound.NEVER)
                        .of(play -> play.acquire(2), play -> Importance.VIP.run(() -> play.acquire(1)), Play::release)
                        .scene(0);
            }
        },
        ONE_THAT_WANTS_MANY_GIVES_UP {
            @Override
            Scene scene(Interleavings all, Fault fault) {
                return new Play(all, fault, Bound.NEVER)
                        .of(Play::acquireInTime, play -> play.acquire(1), Play::release)
                        .scene(0);
            }
        };

        abstract Scene scene(Interleavings all, Fault fault);
    }

    @ParameterizedTest
    @EnumSource
    void nobodyMeetsNobodyStaysAndNobodyKeepsALoan(Situation situation) {
        assertThat(Interleavings.explore(FEW, all -> situation.scene(all, Fault.NONE)))
                .isGreaterThan(50);
    }

    @ParameterizedTest
    @Tag("long")
    @EnumSource
    void norWithMorePreemptions(Situation situation) {
        assertThat(Interleavings.explore(MANY, all -> situation.scene(all, Fault.NONE)))
                .isGreaterThan(200);
    }

    @ParameterizedTest
    @CsvSource({
        "TWO_AND_A_VIP, LEAVES_NO_NOTE, lost",
        "PERMITS_COME_ONE_BY_ONE, LEAVES_NO_NOTE, lost",
        "TWO_READ_AND_ONE_WRITES, LEAVES_NO_NOTE, lost",
        "THREE_ORDINARY, DOES_NOT_ANSWER, lost",
        "AN_IMPORTANT_ONE_GIVES_UP, CANCELS_WHAT_IS_CLAIMED, locked",
        "ONE_WAITS_TOO_LONG, TRIES_WHAT_IS_CLAIMED, lost",
        "AN_ORDINARY_ONE_GIVES_UP, WAKES_NOBODY, lost",
        "ONE_GIVES_UP_BEFORE_THE_SIGNAL, SIGNALS_WHO_HAS_GONE, lost",
        "AN_IMPORTANT_ONE_WAITS, LENDS_TO_WHO_HAS_GONE, keeps",
        "AN_IMPORTANT_ONE_WAITS, KEEPS_THE_LOAN, keeps",
        "AN_IMPORTANT_ONE_WAITS, LENDS_NOTHING, sleeps",
        "TWO_READ_AND_ONE_WRITES, TAKES_TOO_MUCH, inside",
        "PERMITS_COME_ONE_BY_ONE, TAKES_TOO_MUCH, permits"
    })
    void aMistakeIsFound(Situation situation, Fault fault, String words) {
        assertThatThrownBy(() -> Interleavings.explore(MANY, all -> situation.scene(all, fault)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(words);
    }

    /** One run: the locks, who is inside, and who takes part. Only one thread of a scene runs at a time. */
    private static final class Play {
        private static final int PERMITS = 3;

        private final Interleavings all;
        private final VipLock lock;
        private final VipLock other;
        private final Condition condition;
        private final VipReadWriteLock both;
        private final VipSemaphore semaphore;
        private final List<Standing> standings = new ArrayList<>();
        private List<Runnable> threads = List.of();
        private int writers;
        private int readers;
        private int entries;
        private int extra;
        private int permits;
        private int released;
        private int acquired;

        Play(Interleavings all, Fault fault, Bound bound) {
            this.all = all;
            SteppedLocks locks = new SteppedLocks(all, fault, bound);
            lock = locks.lock();
            other = locks.lock();
            condition = lock.newCondition();
            both = locks.readWriteLock();
            semaphore = locks.semaphore(0);
        }

        /** What a thread does. */
        interface Part {
            void play(Play play) throws InterruptedException;
        }

        Play of(Part... parts) {
            threads = Arrays.stream(parts)
                    .<Runnable>map(part -> () -> perform(part))
                    .toList();
            return this;
        }

        private void perform(Part part) {
            standings.add(Standing.current());
            try {
                part.play(this);
            } catch (InterruptedException e) {
                // as it was to be
            }
        }

        /** The scene, at the end of which so many have been inside, and those that were lucky. */
        Scene scene(int entered) {
            return new Scene(threads, () -> {
                assertThat(entries).as("entries").isEqualTo(entered + extra);
                for (VipLock each : List.of(lock, other, both.writeLock())) {
                    assertThat(each.isLocked()).as("locked").isFalse();
                    assertThat(each.hasQueuedThreads()).as("waited for").isFalse();
                }
                assertThat(both.getReadLockCount()).isZero();
                assertThat(semaphore.availablePermits()).as("permits").isEqualTo(released - acquired);
                assertThat(standings)
                        .allSatisfy(standing -> assertThat(standing.lent())
                                .as("what somebody keeps")
                                .isEqualTo(Importance.ORDINARY));
            });
        }

        private void enter() {
            assertThat(writers++ + readers).as("others inside").isZero();
            entries++;
            all.step("inside");
        }

        private void leave(Lock left) {
            writers--;
            left.unlock();
        }

        void pass() {
            lock.lock();
            enter();
            leave(lock);
        }

        void passAsVip() {
            Importance.VIP.run(this::pass);
        }

        void passAtOnce() {
            if (lock.tryLock()) {
                extra++;
                enter();
                leave(lock);
            }
        }

        void passInTime() {
            try {
                if (lock.tryLock(1, TimeUnit.SECONDS)) {
                    extra++;
                    enter();
                    leave(lock);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        void passUnlessInterrupted() throws InterruptedException {
            lock.lockInterruptibly();
            extra++;
            enter();
            leave(lock);
        }

        /** The important thread is the second. */
        void passAndSeeWhatIsLent() {
            lock.lock();
            enter();
            if (all.sleeps(1)) {
                assertThat(Standing.current().lent())
                        .as("what the owner is lent while an important thread sleeps")
                        .isEqualTo(Importance.VIP);
            }
            leave(lock);
        }

        void passBoth() {
            other.lock();
            pass();
            other.unlock();
        }

        void passOtherAsVip() {
            Importance.VIP.run(other::lock);
            other.unlock();
        }

        void awaitPermit() {
            lock.lock();
            entries++;
            while (permits == 0) {
                condition.awaitUninterruptibly();
            }
            permits--;
            lock.unlock();
        }

        /** And hands the permit on, if it got one. */
        void awaitPermitInTime() throws InterruptedException {
            lock.lock();
            entries++;
            if (condition.await(1, TimeUnit.SECONDS) && permits > 0) {
                condition.signal();
            }
            lock.unlock();
        }

        void givePermit() {
            lock.lock();
            entries++;
            permits++;
            condition.signal();
            lock.unlock();
        }

        void read() {
            both.readLock().lock();
            assertThat(writers).as("writers inside").isZero();
            readers++;
            entries++;
            all.step("inside");
            readers--;
            both.readLock().unlock();
        }

        void readAsVip() {
            Importance.VIP.run(this::read);
        }

        void write() {
            both.writeLock().lock();
            enter();
            leave(both.writeLock());
        }

        void writeInTime() throws InterruptedException {
            if (both.writeLock().tryLock(1, TimeUnit.SECONDS)) {
                extra++;
                enter();
                leave(both.writeLock());
            }
        }

        private void acquired(int wanted) {
            acquired += wanted;
            assertThat(acquired).as("permits acquired").isLessThanOrEqualTo(released);
        }

        void acquire(int wanted) {
            semaphore.acquireUninterruptibly(wanted);
            acquired(wanted);
        }

        void acquireInTime() throws InterruptedException {
            if (semaphore.tryAcquire(2, 1, TimeUnit.SECONDS)) {
                acquired(2);
            }
        }

        void release() {
            for (int i = 0; i < PERMITS; i++) {
                released++;
                semaphore.release();
            }
        }
    }
}
