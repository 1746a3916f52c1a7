package dev.unjank.looper;

import java.util.List;
import java.util.Set;

/** An observer that records where each message and each barrier was posted. */
final class PostSiteObserver implements BarrierObserver {
    /** Stateless, so one instance serves every queue. */
    static final PostSiteObserver OBSERVER = new PostSiteObserver();

    /**
     * The classes between the caller of a handler or a queue and this class; their frames are omitted from the stack.
     */
    private static final Set<Class<?>> MACHINERY =
            Set.of(PostSiteObserver.class, WatchedLooper.class, ObserverList.class, MessageQueue.class);

    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private PostSiteObserver() {}

    /** Returns the stack of the sender as a {@code List<StackTraceElement>}, the innermost call first. */
    @Override
    public Object sending(Message message) {
        return callerStack();
    }

    @Override
    public Object postingBarrier() {
        return callerStack();
    }

    /** Returns the stack of the caller of a handler or a queue, the innermost call first. */
    static List<StackTraceElement> callerStack() {
        return WALKER.walk(frames -> frames.dropWhile(f -> MACHINERY.contains(f.getDeclaringClass()))
                .map(StackWalker.StackFrame::toStackTraceElement)
                .toList());
    }

    /** Returns the recorded stack of a message, or an empty list. */
    @SuppressWarnings("unchecked") // only this observer creates these notes
    static List<StackTraceElement> of(Message message) {
        Object note = ObserverList.noteOf(message, OBSERVER);
        return note == null ? List.of() : (List<StackTraceElement>) note;
    }
}
