package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The registry of observers of all present and future loopers of the program. It refers to the queues weakly. Its lock
 * is taken when a looper is created or the observers change, never for a message.
 */
final class GlobalObservers {
    // guarded by the class
    private static final Set<MessageQueue> QUEUES = Collections.newSetFromMap(new WeakHashMap<>());
    private static final List<MessageObserver> OBSERVERS = new ArrayList<>();

    private static @Nullable AndroidObserver androidObserver;

    private GlobalObservers() {}

    /** Adapts Android's observer of all loopers, see {@link Looper#setObserver}, to {@link MessageObserver}. */
    private record AndroidObserver(Looper.Observer observer) implements MessageObserver {
        @Override
        public @Nullable Object starting(Message message, @Nullable Object note) {
            return observer.messageDispatchStarting();
        }

        @Override
        public void finished(Message message, @Nullable Object token, @Nullable Throwable thrown) {
            if (thrown == null) {
                observer.messageDispatched(token, message);
            } else {
                observer.dispatchingThrewException(token, message, thrown);
            }
        }
    }

    /** Replaces Android's observer. */
    static synchronized void setAndroidObserver(Looper.@Nullable Observer observer) {
        if (androidObserver != null) {
            removeObserver(androidObserver);
        }
        androidObserver = observer == null ? null : new AndroidObserver(observer);
        if (androidObserver != null) {
            addObserver(androidObserver);
        }
    }

    /** Registers the queue of a new looper. */
    static synchronized void add(MessageQueue queue) {
        QUEUES.add(queue);
        OBSERVERS.forEach(queue::addObserver);
    }

    /** Adds an observer to all loopers. Does nothing if it has already been added. */
    static synchronized void addObserver(MessageObserver observer) {
        if (!OBSERVERS.contains(observer)) {
            OBSERVERS.add(observer);
            QUEUES.forEach(queue -> queue.addObserver(observer));
        }
    }

    /** Removes an observer. Does nothing if it was not added. */
    static synchronized void removeObserver(MessageObserver observer) {
        OBSERVERS.remove(observer);
        QUEUES.forEach(queue -> queue.removeObserver(observer));
    }
}
