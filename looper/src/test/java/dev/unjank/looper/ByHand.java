package dev.unjank.looper;

import java.util.ArrayList;
import java.util.List;

/** A looper that a test drives by hand, on a clock that it moves by hand, with a log of what has run. */
final class ByHand {
    final ManualClock clock = new ManualClock();
    final ManualWaker waker = new ManualWaker(clock);
    final Looper looper;
    final MessageQueue queue;
    final TestLooperManager manager;
    final Handler handler;
    final List<String> log = new ArrayList<>();

    ByHand(QueueKind kind) {
        looper = Looper.create(
                LooperOptions.defaults().withQueue(kind).withClock(clock).withWaker(() -> waker));
        queue = looper.getQueue();
        manager = new TestLooperManager(looper);
        handler = loggingHandler("");
    }

    /** A handler that logs each message by its code, after a prefix. */
    Handler loggingHandler(String prefix) {
        return new Handler(looper, m -> log.add(prefix + m.what));
    }

    /** A Runnable that logs a name. */
    Runnable log(String name) {
        return () -> log.add(name);
    }

    long now() {
        return clock.uptimeMillis();
    }

    /** Posts a Runnable that logs a name. */
    boolean post(String name) {
        return handler.post(log(name));
    }

    boolean postAt(String name, long when) {
        return handler.postAtTime(log(name), when);
    }

    boolean postAsyncAt(String name, long when) {
        Message m = Message.obtain(handler, log(name));
        m.setAsynchronous(true);
        return handler.sendMessageAtTime(m, when);
    }

    /** Runs what is due now, without sleeping; returns all that has run so far. */
    List<String> runDue() {
        for (Message m = manager.poll(); m != null; m = manager.poll()) {
            run(m);
        }
        return log;
    }

    /** Runs as a loop does, sleeping by moving the clock, until this many have run in all; returns their names. */
    List<String> runUntil(int count) {
        while (log.size() < count) {
            Message m = manager.next();
            if (m == null) {
                return log;
            }
            run(m);
        }
        return log;
    }

    private void run(Message m) {
        try {
            manager.execute(m);
        } finally {
            manager.recycle(m);
        }
    }
}
