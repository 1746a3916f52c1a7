package dev.unjank.looper;

import dev.unjank.looper.util.Nullable;

/** Adapts Android's observer of all loopers, see {@link Looper#setObserver}, to {@link MessageObserver}. */
record AndroidObserverAdapter(Looper.Observer observer) implements MessageObserver {
    // guarded by the class
    private static @Nullable AndroidObserverAdapter current;

    /** Replaces the current observer. */
    static synchronized void set(Looper.@Nullable Observer observer) {
        if (current != null) {
            GlobalObservers.removeObserver(current);
        }
        current = observer == null ? null : new AndroidObserverAdapter(observer);
        if (current != null) {
            GlobalObservers.addObserver(current);
        }
    }

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
