package dev.unjank.workbench.soak;

import dev.unjank.looper.Handler;
import dev.unjank.looper.Looper;
import dev.unjank.looper.LooperOptions;
import dev.unjank.looper.Message;
import dev.unjank.looper.QueueKind;
import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.spi.Waker;
import java.util.concurrent.atomic.AtomicInteger;

/** What a broken queue might do, and the words with which the soak reports it. */
enum SoakFault {
    LOSES_EVERY_FIFTH_WAKE_UP("(?s).*asleep (past|after quit).*", "(?s)not within .*|.*does not end.*") {
        @Override
        LooperOperations door() {
            AtomicInteger wakes = new AtomicInteger();
            return new LooperOperations() {
                @Override
                LooperOptions options(QueueKind kind) {
                    return super.options(kind).withWaker(() -> faulty(Waker.parking()));
                }

                @Override
                LooperOptions options(QueueKind kind, Clock clock, Waker waker) {
                    return super.options(kind, clock, faulty(waker));
                }

                private Waker faulty(Waker right) {
                    return new Waker() {
                        @Override
                        public void await(long nanos) {
                            right.await(nanos);
                        }

                        @Override
                        public void wake() {
                            if (wakes.incrementAndGet() % 5 != 0) {
                                right.wake();
                            }
                        }
                    };
                }
            };
        }
    },
    CANCELS_NOTHING(SoakFault.SOMETHING, "(?s).*cancelled, but run.*|.*cancelled twice.*") {
        @Override
        LooperOperations door() {
            return new LooperOperations() {
                @Override
                boolean cancel(Message message) {
                    return message.getTarget() != null;
                }
            };
        }
    },
    REMOVES_EVERY_OTHER_TIME(SoakFault.SOMETHING, "(?s).*removed by .*, but still there.*") {
        @Override
        LooperOperations door() {
            AtomicInteger removals = new AtomicInteger();
            return new LooperOperations() {
                @Override
                void removeMessages(Handler handler, int what, Object token) {
                    if (removals.incrementAndGet() % 2 == 0) {
                        super.removeMessages(handler, what, token);
                    }
                }
            };
        }
    },
    REMOVES_TOO_MUCH(SoakFault.SOMETHING, "(?s).*lost: .*|.*not found by.*") {
        @Override
        LooperOperations door() {
            return new LooperOperations() {
                @Override
                void removeMessages(Handler handler, int what, Object token) {
                    handler.removeMessages(what, null);
                }
            };
        }
    },
    LETS_SOME_OVERTAKE(SoakFault.SOMETHING, "(?s).*out of order: .*") {
        @Override
        LooperOperations door() {
            AtomicInteger sent = new AtomicInteger();
            return new LooperOperations() {
                @Override
                boolean send(Send rightly, Message message, long when) {
                    boolean due = when <= Clock.system().uptimeMillis();
                    return rightly.at(message, due && sent.incrementAndGet() % 7 == 0 ? Math.min(when, 1) : when);
                }
            };
        }
    },
    LOSES_SOME(SoakFault.SOMETHING, "(?s).*lost: .*|not within .*this is run.*") {
        @Override
        LooperOperations door() {
            AtomicInteger sent = new AtomicInteger();
            return new LooperOperations() {
                @Override
                boolean send(Send rightly, Message message, long when) {
                    boolean accepted = rightly.at(message, when);
                    if (sent.incrementAndGet() % 50 == 0) {
                        message.cancel();
                    }
                    return accepted;
                }
            };
        }
    },
    RUNS_SOME_TWICE("nothing", "(?s).*run twice: .*") {
        @Override
        LooperOperations door() {
            AtomicInteger runs = new AtomicInteger();
            return new LooperOperations() {
                @Override
                void deliver(Runnable rightly) {
                    rightly.run();
                    if (runs.incrementAndGet() % 50 == 0) {
                        rightly.run();
                    }
                }
            };
        }
    },
    RUNS_TOO_EARLY(SoakFault.SOMETHING, "(?s).*run before its time: .*") {
        @Override
        LooperOperations door() {
            return new LooperOperations() {
                @Override
                boolean send(Send rightly, Message message, long when) {
                    return rightly.at(message, when > 2 ? when - 2 : when);
                }
            };
        }
    },
    HAS_BARRIERS_THAT_HOLD_NOTHING(SoakFault.SOMETHING, "(?s).*passed Barrier.*") {
        @Override
        LooperOperations door() {
            AtomicInteger posts = new AtomicInteger();
            return new LooperOperations() {
                @Override
                int postBarrier(Looper looper) {
                    return posts.incrementAndGet();
                }

                @Override
                void removeBarrier(Looper looper, int token) {
                    if (token > posts.get()) {
                        super.removeBarrier(looper, token);
                    }
                }
            };
        }
    },
    ANSWERS_AT_RANDOM("(?s).*hasMessages.*", "(?s).*(found a missing message|not found by).*") {
        @Override
        LooperOperations door() {
            AtomicInteger questions = new AtomicInteger();
            return new LooperOperations() {
                @Override
                boolean has(Handler handler, int what, Object token) {
                    return super.has(handler, what, token) != (questions.incrementAndGet() % 5 == 0);
                }
            };
        }
    },
    QUITS_SAFELY_WHATEVER_IS_ASKED(SoakFault.SOMETHING, "(?s).*run after quit.*") {
        @Override
        LooperOperations door() {
            return new LooperOperations() {
                @Override
                void quit(Looper looper, boolean safely) {
                    looper.quitSafely();
                }
            };
        }
    },
    DROPS_ALL_WHATEVER_IS_ASKED(SoakFault.SOMETHING, "(?s).*lost: .*") {
        @Override
        LooperOperations door() {
            return new LooperOperations() {
                @Override
                void quit(Looper looper, boolean safely) {
                    looper.quit();
                }
            };
        }
    };

    /** The model is exact, so the wording of the finding does not matter. */
    private static final String SOMETHING = "(?s)(?!nothing$).*";

    final String toOneThread;
    final String toManyThreads;

    SoakFault(String toOneThread, String toManyThreads) {
        this.toOneThread = toOneThread;
        this.toManyThreads = toManyThreads;
    }

    abstract LooperOperations door();

    /** Enough for any wake-up on a busy machine, but where it is those that do not come. */
    long patienceNanos() {
        return this == LOSES_EVERY_FIFTH_WAKE_UP ? 1_500_000_000L : 20_000_000_000L;
    }
}
