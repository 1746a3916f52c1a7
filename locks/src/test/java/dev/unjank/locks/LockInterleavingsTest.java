package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.locks.InterleavingExplorer.Scene;
import dev.unjank.locks.SteppedLocks.Bound;
import dev.unjank.locks.SteppedLocks.Fault;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * In every order of their steps with at most two preemptions: mutual exclusion, no lost wake-up, and every donation is
 * returned, also with timeouts and interrupts at any moment. And the seeded faults are found.
 */
class LockInterleavingsTest {
    private static final int FEW = 2;
    private static final int MANY = 3;

    /** The parts of the threads, and the condition at the end. */
    enum Situation {
        THREE_ORDINARY {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(LockScenarioRun::pass, LockScenarioRun::pass, LockScenarioRun::pass)
                        .scene(3);
            }
        },
        TWO_AND_A_VIP {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(LockScenarioRun::pass, LockScenarioRun::passAsVip, LockScenarioRun::pass)
                        .scene(3);
            }
        },
        ALL_HAVE_WAITED_TOO_LONG {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.AT_ONCE)
                        .of(LockScenarioRun::pass, LockScenarioRun::pass, LockScenarioRun::passAsVip)
                        .scene(3);
            }
        },
        ONE_WAITS_TOO_LONG {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.AFTER_A_LIMIT)
                        .of(
                                play -> {
                                    play.pass();
                                    play.pass();
                                },
                                LockScenarioRun::pass,
                                LockScenarioRun::passInTime)
                        .scene(3);
            }
        },
        ONE_COMES_BETWEEN {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(LockScenarioRun::pass, LockScenarioRun::passAsVip, LockScenarioRun::passAtOnce)
                        .scene(2);
            }
        },
        AN_IMPORTANT_ONE_GIVES_UP {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(LockScenarioRun::pass, play -> Importance.VIP.run(play::passInTime), LockScenarioRun::pass)
                        .scene(2);
            }
        },
        AN_ORDINARY_ONE_GIVES_UP {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(LockScenarioRun::pass, LockScenarioRun::passInTime, LockScenarioRun::pass)
                        .scene(2);
            }
        },
        ONE_IS_INTERRUPTED {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(
                                LockScenarioRun::pass,
                                LockScenarioRun::passUnlessInterrupted,
                                LockScenarioRun::pass,
                                play -> all.interrupt(1))
                        .scene(2);
            }
        },
        ONE_IS_SIGNALLED {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(LockScenarioRun::awaitPermit, LockScenarioRun::givePermit)
                        .scene(2);
            }
        },
        ONE_GIVES_UP_BEFORE_THE_SIGNAL {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(
                                LockScenarioRun::awaitPermitInTime,
                                LockScenarioRun::awaitPermit,
                                LockScenarioRun::givePermit)
                        .scene(3);
            }
        },
        AN_IMPORTANT_ONE_WAITS {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(LockScenarioRun::passAndSeeWhatIsLent, LockScenarioRun::passAsVip)
                        .scene(2);
            }
        },
        AN_IMPORTANT_ONE_WAITS_FOR_ONE_THAT_WAITS {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(LockScenarioRun::pass, LockScenarioRun::passBoth, LockScenarioRun::passOtherAsVip)
                        .scene(2);
            }
        },
        THE_ONLY_IMPORTANT_ONE_GIVES_UP {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(LockScenarioRun::passAndSeeThatNothingIsLeft, LockScenarioRun::waitInTimeAsVip)
                        .scene(1);
            }
        },
        THE_ONLY_IMPORTANT_ONE_IS_INTERRUPTED {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(
                                LockScenarioRun::passAndSeeThatNothingIsLeft,
                                LockScenarioRun::waitInTimeAsVip,
                                play -> all.interrupt(1))
                        .scene(1);
            }
        },
        ONE_GIVES_UP_WHILE_THE_OWNER_CHANGES {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(
                                LockScenarioRun::pass,
                                LockScenarioRun::waitInTimeAsVip,
                                LockScenarioRun::passAtOnceAndSeeThatNothingIsLeft)
                        .scene(1);
            }
        },
        ONE_OF_TWO_IMPORTANT_ONES_GIVES_UP {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(
                                LockScenarioRun::pass,
                                LockScenarioRun::passAsVip,
                                LockScenarioRun::waitInTimeAsVip,
                                LockScenarioRun::passAtOnceAndSeeWhatTheOtherLends)
                        .scene(2);
            }
        },
        ONE_GIVES_UP_AT_THE_END_OF_A_CHAIN {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(
                                LockScenarioRun::passAndSeeThatNothingIsLeft,
                                LockScenarioRun::passBoth,
                                LockScenarioRun::waitForOtherInTimeAsVip)
                        .scene(2);
            }
        },
        TWO_READ_AND_ONE_WRITES {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(LockScenarioRun::read, LockScenarioRun::write, LockScenarioRun::readAsVip)
                        .scene(3);
            }
        },
        A_WRITER_GIVES_UP {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(LockScenarioRun::read, LockScenarioRun::writeInTime, LockScenarioRun::read)
                        .scene(2);
            }
        },
        AN_IMPORTANT_WRITER_WAITS_FOR_READERS {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(LockScenarioRun::read, play -> Importance.VIP.run(play::write))
                        .scene(2);
            }
        },
        PERMITS_COME_ONE_BY_ONE {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(
                                play -> play.acquire(2),
                                play -> Importance.VIP.run(() -> play.acquire(1)),
                                LockScenarioRun::release)
                        .scene(0);
            }
        },
        ONE_THAT_WANTS_MANY_GIVES_UP {
            @Override
            Scene scene(InterleavingExplorer all, Fault fault) {
                return new LockScenarioRun(all, fault, Bound.NEVER)
                        .of(LockScenarioRun::acquireInTime, play -> play.acquire(1), LockScenarioRun::release)
                        .scene(0);
            }
        };

        abstract Scene scene(InterleavingExplorer all, Fault fault);

        /** One preemption less for the scenarios with the most steps. */
        int preemptions(int wanted) {
            return this == ONE_OF_TWO_IMPORTANT_ONES_GIVES_UP || this == ONE_GIVES_UP_AT_THE_END_OF_A_CHAIN
                    ? wanted - 1
                    : wanted;
        }
    }

    @ParameterizedTest
    @EnumSource
    void mutualExclusionProgressAndReturnOfDonations(Situation situation) {
        assertThat(InterleavingExplorer.explore(situation.preemptions(FEW), all -> situation.scene(all, Fault.NONE)))
                .isGreaterThan(50);
    }

    @ParameterizedTest
    @Tag("long")
    @EnumSource
    void theSameWithMorePreemptions(Situation situation) {
        assertThat(InterleavingExplorer.explore(situation.preemptions(MANY), all -> situation.scene(all, Fault.NONE)))
                .isGreaterThan(100);
    }

    @ParameterizedTest
    @Tag("slow")
    @CsvSource({
        "TWO_AND_A_VIP, LEAVES_NO_NOTE, lost",
        "PERMITS_COME_ONE_BY_ONE, LEAVES_NO_NOTE, lost",
        "TWO_READ_AND_ONE_WRITES, LEAVES_NO_NOTE, lost",
        "THREE_ORDINARY, DOES_NOT_ANSWER, lost",
        "AN_IMPORTANT_ONE_GIVES_UP, CANCELS_WHAT_IS_CLAIMED, locked",
        "ONE_WAITS_TOO_LONG, TRIES_WHAT_IS_CLAIMED, lost",
        "AN_ORDINARY_ONE_GIVES_UP, WAKES_NOBODY, lost",
        "ONE_GIVES_UP_BEFORE_THE_SIGNAL, SIGNALS_WHO_HAS_GONE, lost",
        "AN_IMPORTANT_ONE_WAITS, LENDS_TO_WHO_HAS_GONE, donated importance",
        "AN_IMPORTANT_ONE_WAITS, KEEPS_THE_LOAN, donated importance",
        "AN_IMPORTANT_ONE_WAITS, LENDS_NOTHING, sleeps",
        "THE_ONLY_IMPORTANT_ONE_GIVES_UP, LEAVES_ITS_LOAN_BEHIND, given up",
        "THE_ONLY_IMPORTANT_ONE_IS_INTERRUPTED, LEAVES_ITS_LOAN_BEHIND, given up",
        "ONE_GIVES_UP_AT_THE_END_OF_A_CHAIN, LEAVES_ITS_LOAN_BEHIND, given up",
        "ONE_GIVES_UP_WHILE_THE_OWNER_CHANGES, LENDS_FOR_WHO_GAVE_UP, given up",
        "ONE_OF_TWO_IMPORTANT_ONES_GIVES_UP, FORGETS_THE_NEXT, is left",
        "TWO_READ_AND_ONE_WRITES, TAKES_TOO_MUCH, inside",
        "PERMITS_COME_ONE_BY_ONE, TAKES_TOO_MUCH, permits"
    })
    void aMistakeIsFound(Situation situation, Fault fault, String words) {
        assertThatThrownBy(() -> {
                    // most need one preemption, and more have many more orders
                    for (int preemptions = 0; preemptions <= MANY; preemptions++) {
                        InterleavingExplorer.explore(preemptions, all -> situation.scene(all, fault));
                    }
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(words);
    }
}
