package dev.unjank.record.agent;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * The agent's sampling thread. It sleeps until a thread blocks on a monitor, or until the next check for parked threads
 * is due. Then it samples all threads, sends blocked threads with the lock owners to the recorder, and takes the
 * owners' stacks within a budget.
 *
 * <p><b>Bounds of the cost.</b> Two samples are at least {@link #REST_NANOS} apart, and at least a hundred times the
 * CPU time of a sample, including wake-up and sleep ({@link DutyCycle}). No samples are taken while the program is
 * idle. After an alarm the JVM reports no contended monitors until the next sample, so threads run no code of the
 * agent. Stacks have a budget of their own. A wait is reported when it is first seen, when the owner changes, and every
 * {@link #AGAIN_NANOS} while it lasts.
 *
 * <p>The thread ends when the connection ends, even if the recorder was killed, and reverts all of its settings.
 */
public final class LockOwnerSampler extends StackSampler.Carrier {
    /** The thread's name. */
    public static final String NAME = "unjank-observer";

    private static final long SECOND = 1_000_000_000;
    private static final long ACCEPT_NANOS = 20 * SECOND;
    private static final long REST_NANOS = 10_000_000;
    private static final long LONGEST_REST_NANOS = SECOND;
    private static final long IDLE_NANOS = 40_000_000;

    /** The pause while the whole program is idle. */
    private static final long RESTING_NANOS = 100_000_000;

    private static final long AGAIN_NANOS = 100_000_000;
    private static final int STACKS_PER_SECOND = 50;

    private final RecorderConnection link;
    private final DutyCycle pace = new DutyCycle(REST_NANOS, LONGEST_REST_NANOS);
    private final TokenBucket stackBudget = new TokenBucket(STACKS_PER_SECOND, SECOND);
    private final Map<Long, Reported> reported = new HashMap<>();
    private @Nullable StackSampler stacks;
    private @Nullable MonitorContentionCallback alarm;
    private long samples;
    private long withoutStack;

    /**
     * The number of waits for a lock held by this thread. It should be 0, since this thread holds no locks; the
     * recording contains it as evidence.
     */
    private long waitsForAgent;

    /** The last report on a waiting thread. */
    private record Reported(long owner, byte how, long times, long since, long ns, long round) {}

    private long round;
    private boolean last;

    private LockOwnerSampler(RecorderConnection link) {
        super(NAME);
        this.link = link;
    }

    /** Listens for the recorder, and starts sampling when it has connected. Called through {@link AgentMain}. */
    public static void begin(Path socket) throws IOException, ReflectiveOperationException {
        enableNativeAccess();
        LockOwnerSampler observer = new LockOwnerSampler(new RecorderConnection(socket));
        observer.setDaemon(true);
        observer.start();
    }

    /**
     * Enables native access, like the option {@code --enable-native-access} for modules of the boot layer. The module
     * does this itself, because {@link AgentMain} opens the JDK's package only to it.
     */
    private static void enableNativeAccess() throws ReflectiveOperationException {
        Method enable = Module.class.getDeclaredMethod("implAddEnableNativeAccess");
        enable.setAccessible(true);
        enable.invoke(LockOwnerSampler.class.getModule());
    }

    @Override
    public void run() {
        try (link) {
            if (link.accept(ACCEPT_NANOS)) {
                FlightRecorder.register(ClockEvent.class);
                try {
                    observe();
                } finally {
                    FlightRecorder.unregister(ClockEvent.class);
                }
            }
        } catch (IOException e) {
            // the recorder has ended
        }
        String leftovers = link.leftovers();
        if (!leftovers.isEmpty()) {
            AbandonedJfrRecordings.close(leftovers); // the recorder does not wait for the agent's end
        }
    }

    private void observe() {
        try (Jvmti jvmti = open()) {
            if (jvmti == null) {
                rounds(null);
                return;
            }
            StackSampler opened = new StackSampler(jvmti, this);
            stacks = opened;
            try {
                rounds(jvmti);
            } finally {
                opened.close();
            }
        } catch (RuntimeException e) {
            link.trouble("lock sampling ended: " + e);
            link.flush();
        }
    }

    private @Nullable Jvmti open() {
        try {
            alarm = MonitorContentionCallback.create();
            return new Jvmti(alarm);
        } catch (RuntimeException | LinkageError e) {
            alarm = null;
            link.trouble("stacks of lock owners are not available: " + e.getMessage());
            return null;
        }
    }

    private void rounds(@Nullable Jvmti jvmti) {
        WaiterFinder waiters = new WaiterFinder();
        ProcessActivity activity = ProcessActivity.create();
        long nextClock = System.nanoTime();
        long lastFound = nextClock;
        long cpuTime = cpuTime(activity);
        while (!link.isOver()) {
            long now = System.nanoTime();
            if (now - nextClock >= 0) {
                nextClock = ClockEvent.emit() ? now + SECOND : now + SECOND / 20; // the recording may start soon
                link.counts(samples, withoutStack, waitsForAgent);
            }
            boolean mayHaveChanged = !last && (!reported.isEmpty() || activity == null || activity.isThere());
            if (mayHaveChanged && sample(waiters) > 0) {
                lastFound = now;
            }
            if (link.isEnding()) {
                takeLastSample(waiters);
            }
            link.flush();
            long cpuTimeBefore = cpuTime;
            cpuTime = cpuTime(activity);
            if (mayHaveChanged) {
                pace.worked(now, cpuTime - cpuTimeBefore); // falling asleep and waking up before this round are in it
            }
            long rest = pace.rest();
            long pause =
                    last || now - lastFound < SECOND ? 2 * REST_NANOS : mayHaveChanged ? IDLE_NANOS : RESTING_NANOS;
            await(jvmti, Math.max(rest, pause));
            LockSupport.parkNanos(this, now + rest - System.nanoTime()); // if a thread has blocked early
        }
        takeLastSample(waiters); // if both lines came together
        link.counts(samples, withoutStack, waitsForAgent);
        link.drain(SECOND);
    }

    /**
     * Takes the last sample, of waits that last beyond the end of the recording. Later waits are not part of the
     * recording.
     */
    private void takeLastSample(WaiterFinder waiters) {
        if (!last) {
            last = true;
            sample(waiters);
            link.lastSampleTaken();
        }
    }

    /** Waits for a thread to block, with a timeout. Afterwards the JVM reports no more contended monitors. */
    private void await(@Nullable Jvmti jvmti, long nanos) {
        MonitorContentionCallback bell = alarm;
        if (jvmti == null || bell == null) {
            LockSupport.parkNanos(this, nanos);
            return;
        }
        if (!bell.isArmed()) {
            bell.arm();
            jvmti.watchMonitors(true);
        }
        bell.await(nanos);
        if (!bell.isArmed()) {
            jvmti.watchMonitors(false);
        }
    }

    /** This thread's CPU time. */
    private static long cpuTime(@Nullable ProcessActivity activity) {
        return activity == null ? ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() : activity.ownNanos();
    }

    private int sample(WaiterFinder waiters) {
        round++;
        int found = waiters.find(this::waits);
        reported.entrySet().removeIf(each -> {
            boolean isOver = each.getValue().round != round;
            if (isOver) {
                link.over(each.getKey());
            }
            return isOver;
        });
        return found;
    }

    private void waits(Thread waiter, Thread owner, byte how, String lock, long times) {
        if (owner == this) {
            waitsForAgent++;
        }
        if (waiter == this || owner == this) {
            return;
        }
        long now = System.nanoTime();
        long since = now;
        Reported before = reported.get(waiter.threadId());
        if (before != null && before.how == how && before.times == times) {
            since = before.since;
            if (before.owner == owner.threadId() && now - before.ns < AGAIN_NANOS && !last) {
                reported.put(waiter.threadId(), new Reported(before.owner, how, times, since, before.ns, round));
                return;
            }
        }
        reported.put(waiter.threadId(), new Reported(owner.threadId(), how, times, since, now, round));
        samples++;
        StackSampler taken = null;
        if (stacks != null && stackBudget.take(now)) {
            stacks.take(owner);
            taken = stacks;
        } else {
            withoutStack++;
        }
        link.sample(now, since, waiter.threadId(), owner.threadId(), how, lock, last, taken);
    }
}
