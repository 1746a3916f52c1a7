package dev.unjank.looper;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Observers of all loopers of the program, those that there are and those that are to come. It knows the queues weakly,
 * and its lock is taken by who makes a looper or changes the observers, never for a message.
 */
final class GlobalObservers {
    // guarded by the class
    private static final Set<MessageQueue> QUEUES = Collections.newSetFromMap(new WeakHashMap<>());
    private static final List<MessageObserver> OBSERVERS = new ArrayList<>();

    private GlobalObservers() {}

    /** A looper has been made. */
    static synchronized void add(MessageQueue queue) {
        QUEUES.add(queue);
        OBSERVERS.forEach(queue::addObserver);
    }

    /** Puts an observer on all loopers. Does nothing if it is there. */
    static synchronized void addObserver(MessageObserver observer) {
        if (!OBSERVERS.contains(observer)) {
            OBSERVERS.add(observer);
            QUEUES.forEach(queue -> queue.addObserver(observer));
        }
    }

    /** Takes it off. Does nothing if it is not there. */
    static synchronized void removeObserver(MessageObserver observer) {
        OBSERVERS.remove(observer);
        QUEUES.forEach(queue -> queue.removeObserver(observer));
    }
}
