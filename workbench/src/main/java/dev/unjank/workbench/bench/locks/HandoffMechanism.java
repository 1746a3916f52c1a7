package dev.unjank.workbench.bench.locks;

import dev.unjank.linux.LinuxThreads;
import dev.unjank.locks.handoff.Handoff;
import dev.unjank.locks.handoff.HandoffStrategy;
import dev.unjank.locks.handoff.SingleCarrier;
import dev.unjank.locks.handoff.WaitSlot;
import dev.unjank.workbench.bench.comparison.Candidate;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Exchanger;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A mechanism by which two threads alternate. */
enum HandoffMechanism implements Candidate {
    SAME_PROCESSOR("same CPU", "Handoff, both threads bound to one CPU"),
    TWO_PROCESSORS("2 CPUs", "Handoff by futex calls, each thread bound to its own CPU"),
    TWO_CALLS("2 calls", "Handoff, threads not bound: a futex call to wake and one to sleep"),
    PARKING("parking", "Handoff, threads park"),
    ONE_CARRIER("carrier", "Handoff, virtual threads on one carrier"),
    QUEUE("SyncQueue", "java.util.concurrent's SynchronousQueue, one for each direction"),
    EXCHANGER("Exchanger", "java.util.concurrent's Exchanger, which spins for a moment before it sleeps"),
    PARK("park", "LockSupport.park and unpark, and a volatile field");

    private static final String OPEN = "--add-opens=java.base/java.lang=ALL-UNNAMED";

    private final String label;
    private final String description;

    HandoffMechanism(String label, String description) {
        this.label = label;
        this.description = description;
    }

    /**
     * Two threads that alternate: the first one resumes the second and waits, the given number of times; the second one
     * replies.
     */
    interface Pair {
        /** Runs the first thread. */
        void first(int times) throws InterruptedException;

        /** Runs the second thread. */
        void second(int times) throws InterruptedException;
    }

    Pair open() {
        return switch (this) {
            case SAME_PROCESSOR -> ofHandoff(HandoffStrategy.SAME_PROCESSOR);
            case TWO_PROCESSORS -> new Apart(ofHandoff(HandoffStrategy.TWO_CALLS));
            case TWO_CALLS -> ofHandoff(HandoffStrategy.TWO_CALLS);
            case PARKING, ONE_CARRIER -> ofHandoff(HandoffStrategy.PARKING);
            case QUEUE -> ofQueues();
            case EXCHANGER -> ofExchanger();
            case PARK -> new ByPark();
        };
    }

    /** The factory of the two threads. */
    ThreadFactory threads() {
        return this == ONE_CARRIER
                ? new SingleCarrier()
                : Thread.ofPlatform().daemon().factory();
    }

    private static Pair ofHandoff(HandoffStrategy strategy) {
        Handoff handoff = new Handoff(strategy);
        WaitSlot one = handoff.newWaitSlot();
        WaitSlot two = handoff.newWaitSlot();
        return new Pair() {
            @Override
            public void first(int times) {
                try (Handoff.Membership _ = handoff.join()) {
                    for (int i = 0; i < times; i++) {
                        handoff.swap(two, one);
                    }
                }
            }

            @Override
            public void second(int times) {
                try (Handoff.Membership _ = handoff.join()) {
                    two.await();
                    for (int i = 1; i < times; i++) {
                        handoff.swap(one, two);
                    }
                    one.release();
                }
            }
        };
    }

    /** Binds the threads to the first and the last CPU; not undone, since the threads end afterwards. */
    private record Apart(Pair pair) implements Pair {
        @Override
        public void first(int times) throws InterruptedException {
            BitSet all = LinuxThreads.affinity(LinuxThreads.SELF);
            all.clear(all.nextSetBit(0) + 1, all.length());
            LinuxThreads.pinTo(LinuxThreads.SELF, all);
            pair.first(times);
        }

        @Override
        public void second(int times) throws InterruptedException {
            BitSet all = LinuxThreads.affinity(LinuxThreads.SELF);
            all.clear(0, all.length() - 1);
            LinuxThreads.pinTo(LinuxThreads.SELF, all);
            pair.second(times);
        }
    }

    private static Pair ofQueues() {
        SynchronousQueue<Integer> there = new SynchronousQueue<>();
        SynchronousQueue<Integer> back = new SynchronousQueue<>();
        return new Pair() {
            @Override
            public void first(int times) throws InterruptedException {
                for (int i = 0; i < times; i++) {
                    there.put(1);
                    back.take();
                }
            }

            @Override
            public void second(int times) throws InterruptedException {
                for (int i = 0; i < times; i++) {
                    there.take();
                    back.put(1);
                }
            }
        };
    }

    /** A round trip takes two exchanges, since the request and its reply are not available at the same time. */
    private static Pair ofExchanger() {
        Exchanger<Integer> exchanger = new Exchanger<>();
        return new Pair() {
            @Override
            public void first(int times) throws InterruptedException {
                for (int i = 0; i < 2 * times; i++) {
                    exchanger.exchange(1);
                }
            }

            @Override
            public void second(int times) throws InterruptedException {
                first(times);
            }
        };
    }

    /** Handoff with park and unpark; a field contains the thread whose turn it is. */
    private static final class ByPark implements Pair {
        private volatile int turn;
        private volatile @Nullable Thread one;
        private volatile @Nullable Thread two;

        @Override
        public void first(int times) {
            one = Thread.currentThread();
            for (int i = 0; i < times; i++) {
                turn = 1;
                LockSupport.unpark(two);
                await(0);
            }
        }

        @Override
        public void second(int times) {
            two = Thread.currentThread();
            for (int i = 0; i < times; i++) {
                await(1);
                turn = 0;
                LockSupport.unpark(one);
            }
        }

        private void await(int mine) {
            while (turn != mine) {
                LockSupport.park(this);
            }
        }
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public List<String> options() {
        return this == ONE_CARRIER ? List.of(OPEN) : List.of();
    }

    @Override
    public @Nullable String obstacle() {
        return switch (this) {
            case SAME_PROCESSOR -> HandoffStrategy.SAME_PROCESSOR.obstacle();
            case TWO_CALLS -> HandoffStrategy.TWO_CALLS.obstacle();
            case TWO_PROCESSORS ->
                Runtime.getRuntime().availableProcessors() > 1
                        ? HandoffStrategy.SAME_PROCESSOR.obstacle()
                        : "this machine has one CPU";
            default -> null;
        };
    }
}
