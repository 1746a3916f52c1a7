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
 * The observer's thread. It sleeps until a thread begins to wait for a monitor, or until it is time to look for parked ones; then
 * it looks at all threads, tells the recorder who waits for whom, and takes the owners' stacks as far as its budget allows.
 *
 * <p><b>What bounds the cost.</b> Two looks are at least {@link #REST_NANOS} apart, and a hundred times as long as the observer runs
 * for one, waking up and falling asleep included ({@link DutyCycle}), and there is none while the program rests. Once a thread has given the
 * alarm, the virtual machine does not tell of contended monitors until the next look: threads then run no code of the observer's.
 * Stacks have a budget of their own. A wait
 * is told when it is first seen, when the lock changes hands, and every {@link #AGAIN_NANOS} while it lasts.
 *
 * <p>It ends when the connection does, be it that the recorder was killed, and takes with it all that it has switched on.
 */
public final class LockOwnerSampler extends StackSampler.Carrier {
    /** The thread's name. */
    public static final String NAME = "unjank-observer";

    private static final long SECOND = 1_000_000_000;
    private static final long ACCEPT_NANOS = 20 * SECOND;
    private static final long REST_NANOS = 10_000_000;
    private static final long LONGEST_REST_NANOS = SECOND;
    private static final long IDLE_NANOS = 40_000_000;

    /** While the whole program rests. */
    private static final long RESTING_NANOS = 100_000_000;

    private static final long AGAIN_NANOS = 100_000_000;
    private static final int STACKS_PER_SECOND = 50;

    private final RecorderConnection link;
    private final DutyCycle pace = new DutyCycle(REST_NANOS, LONGEST_REST_NANOS);
    private final TokenBucket stackBudget = new TokenBucket(STACKS_PER_SECOND, SECOND);
    private final Map<Long, Told> told = new HashMap<>();
    private @Nullable StackSampler stacks;
    private @Nullable ContentionAlarm alarm;
    private long sightings;
    private long withoutStack;

    /** How often somebody waited for a lock of this thread's, which has none: told, so that it can be believed. */
    private long inTheWay;

    /** What was told last of a thread that waits. */
    private record Told(long owner, byte how, long times, long since, long ns, long round) {}

    private long round;
    private boolean last;

    private LockOwnerSampler(RecorderConnection link) {
        super(NAME);
        this.link = link;
    }

    /**
     * Begins to listen for the recorder, and to look once it has come. Called through {@link AgentMain}.
     *
     * @param socket where to listen
     * @throws IOException if that cannot be
     * @throws ReflectiveOperationException if this JDK does not let the module call native functions
     */
    public static void begin(Path socket) throws IOException, ReflectiveOperationException {
        enableNativeAccess();
        LockOwnerSampler observer = new LockOwnerSampler(new RecorderConnection(socket));
        observer.setDaemon(true);
        observer.start();
    }

    /**
     * What the option {@code --enable-native-access} does for a module that is there from the start. The module does it to itself: it is
     * the only one that {@link AgentMain} opens the JDK's package to.
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
            // The recorder has gone.
        }
        String leftovers = link.leftovers();
        if (!leftovers.isEmpty()) {
            AbandonedJfrRecordings.close(leftovers); // the recorder need not wait for that
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
            link.trouble("looking at locks ended: " + e);
            link.flush();
        }
    }

    private @Nullable Jvmti open() {
        try {
            alarm = ContentionAlarm.create();
            return new Jvmti(alarm);
        } catch (RuntimeException | LinkageError e) {
            alarm = null;
            link.trouble("owners are seen, their stacks are not: " + e.getMessage());
            return null;
        }
    }

    private void rounds(@Nullable Jvmti jvmti) {
        WaiterFinder waiters = new WaiterFinder();
        ProcessActivity activity = ProcessActivity.create();
        long nextClock = System.nanoTime();
        long lastFound = nextClock;
        long worked = worked(activity);
        while (!link.isOver()) {
            long now = System.nanoTime();
            if (now - nextClock >= 0) {
                nextClock = ClockEvent.emit() ? now + SECOND : now + SECOND / 20; // the recording may be about to begin
                link.counts(sightings, withoutStack, inTheWay);
            }
            boolean mayHaveChanged = !last && (!told.isEmpty() || activity == null || activity.isThere());
            if (mayHaveChanged && look(waiters) > 0) {
                lastFound = now;
            }
            if (link.isEnding()) {
                lookForTheLastTime(waiters);
            }
            link.flush();
            long workedBefore = worked;
            worked = worked(activity);
            if (mayHaveChanged) {
                pace.worked(now, worked - workedBefore); // falling asleep and waking up before this round are in it
            }
            long rest = pace.rest();
            long pause =
                    last || now - lastFound < SECOND ? 2 * REST_NANOS : mayHaveChanged ? IDLE_NANOS : RESTING_NANOS;
            await(jvmti, Math.max(rest, pause));
            LockSupport.parkNanos(this, now + rest - System.nanoTime()); // if a thread has blocked early
        }
        lookForTheLastTime(waiters); // if it was said together with this
        link.counts(sightings, withoutStack, inTheWay);
        link.drain(SECOND);
    }

    /** Once: who waits now does so across the end of the recording. Whoever waits later is none of its business. */
    private void lookForTheLastTime(WaiterFinder waiters) {
        if (!last) {
            last = true;
            look(waiters);
            link.looked();
        }
    }

    /** Waits for a thread to block, or for a while. Once one has, the virtual machine does not tell of more. */
    private void await(@Nullable Jvmti jvmti, long nanos) {
        ContentionAlarm bell = alarm;
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

    /** How long this thread has run. */
    private static long worked(@Nullable ProcessActivity activity) {
        return activity == null ? ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() : activity.ownNanos();
    }

    private int look(WaiterFinder waiters) {
        round++;
        int found = waiters.look(this::waits);
        told.entrySet().removeIf(each -> {
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
            inTheWay++;
        }
        if (waiter == this || owner == this) {
            return;
        }
        long now = System.nanoTime();
        long since = now;
        Told before = told.get(waiter.threadId());
        if (before != null && before.how == how && before.times == times) {
            since = before.since;
            if (before.owner == owner.threadId() && now - before.ns < AGAIN_NANOS && !last) {
                told.put(waiter.threadId(), new Told(before.owner, how, times, since, before.ns, round));
                return;
            }
        }
        told.put(waiter.threadId(), new Told(owner.threadId(), how, times, since, now, round));
        sightings++;
        StackSampler taken = null;
        if (stacks != null && stackBudget.take(now)) {
            stacks.look(owner);
            taken = stacks;
        } else {
            withoutStack++;
        }
        link.sighting(now, since, waiter.threadId(), owner.threadId(), how, lock, last, taken);
    }
}
