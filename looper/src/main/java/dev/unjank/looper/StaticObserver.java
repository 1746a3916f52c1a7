package dev.unjank.looper;

/** Android's observer of all loopers, see {@link Looper#setObserver}, in the form of ours. */
record StaticObserver(Looper.Observer observer) implements MessageObserver {
    // guarded by the class
    private static @Nullable StaticObserver current;

    /** Puts one in the place of the one before. */
    static synchronized void set(Looper.@Nullable Observer observer) {
        if (current != null) {
            EveryLooper.removeObserver(current);
        }
        current = observer == null ? null : new StaticObserver(observer);
        if (current != null) {
            EveryLooper.addObserver(current);
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
