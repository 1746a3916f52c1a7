package dev.unjank.locks.handoff;

import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A channel to a server thread that computes a function: a client hands over a request and sleeps; the server computes,
 * hands over the reply and sleeps. One client at a time.
 *
 * {@snippet :
 * try (RequestChannel<Path, Image> decoder = RequestChannel.start(HandoffStrategy.best(), this::decode);
 *         RequestChannel<Path, Image>.Client client = decoder.connect()) {
 *     Image image = client.call(path);
 * }
 * }
 *
 * <p>While a client is connected, both threads run on the processors that the {@link HandoffStrategy} determines.
 *
 * @param <Q> the type of requests
 * @param <A> the type of replies
 */
public final class RequestChannel<Q, A> implements AutoCloseable {
    private final Handoff handoff;
    private final Function<? super Q, ? extends A> function;
    private final Thread server;
    private final WaitSlot serverSlot;
    private final AtomicReference<@Nullable Client> client = new AtomicReference<>();
    private volatile boolean isClosed;

    /** The server's next task. Written by the client before it releases the server. */
    private Runnable order = () -> {};

    /** The wait slot that the server releases after its task. Written like {@link #order}. */
    private @Nullable WaitSlot next;

    // accessed only by the server

    private Handoff.@Nullable Membership membership;
    private boolean hasEnded;

    private RequestChannel(HandoffStrategy strategy, ThreadFactory threads, Function<? super Q, ? extends A> function) {
        handoff = new Handoff(strategy);
        this.function = function;
        serverSlot = handoff.newWaitSlot();
        server = threads.newThread(this::serve);
    }

    /**
     * Starts a server on a platform thread.
     *
     * @param <Q> the type of requests
     * @param <A> the type of replies
     * @param strategy the way in which the threads hand over
     * @param function the function that the server computes
     * @return the channel to the server
     * @throws UnsupportedOperationException if the strategy is not available here
     */
    public static <Q, A> RequestChannel<Q, A> start(
            HandoffStrategy strategy, Function<? super Q, ? extends A> function) {
        return start(
                strategy, Thread.ofPlatform().daemon().name("request-server").factory(), function);
    }

    /**
     * Starts a server on a thread of the given factory.
     *
     * @param <Q> the type of requests
     * @param <A> the type of replies
     * @param strategy the way in which the threads hand over
     * @param threads creates the server's thread; for example a {@link SingleCarrier}
     * @param function the function that the server computes
     * @return the channel to the server
     * @throws UnsupportedOperationException if the strategy is not available here
     */
    public static <Q, A> RequestChannel<Q, A> start(
            HandoffStrategy strategy, ThreadFactory threads, Function<? super Q, ? extends A> function) {
        RequestChannel<Q, A> channel = new RequestChannel<>(strategy, threads, function);
        channel.server.start();
        return channel;
    }

    private void serve() {
        serverSlot.await();
        while (true) {
            order.run();
            WaitSlot answerTo = Objects.requireNonNull(next);
            if (hasEnded) {
                answerTo.release();
                return;
            }
            handoff.swap(answerTo, serverSlot);
        }
    }

    /** Runs a task on the server, and sleeps until it is done. */
    private void runOnServer(Runnable wanted, WaitSlot mine) {
        order = wanted;
        next = mine;
        handoff.swap(serverSlot, mine);
    }

    /**
     * Makes the calling thread the client.
     *
     * @return the client, which the same thread must close before another thread can connect
     * @throws IllegalStateException if another client is connected, or the channel is closed
     * @throws UnsupportedOperationException if a thread is virtual and the strategy does not support that
     */
    public Client connect() {
        Client mine = new Client();
        acquireClient(mine);
        try {
            mine.arrive();
        } catch (RuntimeException e) {
            client.set(null);
            throw e;
        }
        return mine;
    }

    private void acquireClient(Client mine) {
        Client seen = client.get();
        if (isClosed) {
            throw new IllegalStateException("the channel is closed");
        }
        // a client whose thread has ended is no longer connected
        if ((seen != null && seen.thread.isAlive()) || !client.compareAndSet(seen, mine)) {
            throw new IllegalStateException("another client is connected");
        }
    }

    /**
     * Ends the server. Closing again has no effect.
     *
     * @throws IllegalStateException if a client is connected
     */
    @Override
    public void close() {
        if (!isClosed) {
            Client last = new Client();
            acquireClient(last);
            isClosed = true;
            runOnServer(this::end, last.seat);
        }
    }

    private void end() {
        hasEnded = true;
        leave();
    }

    private void leave() {
        if (membership != null) {
            membership.close();
            membership = null;
        }
    }

    /** The client's end of the channel. Only the connected thread may use it. */
    public final class Client implements AutoCloseable {
        private final Thread thread = Thread.currentThread();
        private final WaitSlot seat = handoff.newWaitSlot();
        private final Runnable computing = this::compute;
        private Handoff.@Nullable Membership myMembership;
        private @Nullable Q request;
        private @Nullable A reply;
        private @Nullable Throwable failure;

        private Client() {}

        private void arrive() {
            myMembership = handoff.join();
            runOnServer(this::haveServerJoin, seat);
            try {
                throwFailure();
            } catch (CompletionException e) {
                myMembership.close();
                throw new UnsupportedOperationException("the server cannot join", e.getCause());
            }
        }

        private void haveServerJoin() {
            try {
                leave(); // from the processor to which a client that ended without leaving has bound the server
                membership = handoff.join();
            } catch (RuntimeException e) {
                failure = e;
            }
        }

        /**
         * Sends a request to the server and waits for the reply. An interrupt does not end the wait.
         *
         * @param request the argument of the function; not null
         * @return its result; not null
         * @throws CompletionException if the function throws an exception, which is the cause
         * @throws NullPointerException if the request is null; it is not sent then
         * @throws IllegalStateException if another thread has connected, or the client is closed
         */
        public A call(Q request) {
            checkThread();
            this.request = Objects.requireNonNull(request, "request");
            runOnServer(computing, seat);
            throwFailure();
            A answer = Objects.requireNonNull(reply);
            reply = null;
            return answer;
        }

        private void compute() {
            Q wanted = Objects.requireNonNull(request);
            request = null;
            try {
                reply = Objects.requireNonNull(function.apply(wanted), "the function returned null");
            } catch (Throwable t) { // passed to the client; the server continues
                failure = t;
            }
        }

        private void throwFailure() {
            Throwable thrown = failure;
            if (thrown != null) {
                failure = null;
                throw new CompletionException(thrown);
            }
        }

        private void checkThread() {
            if (!thread.equals(Thread.currentThread()) || !equals(client.get())) {
                throw new IllegalStateException(
                        "only thread " + thread.getName() + " can use this client, and only until it closes it");
            }
        }

        /**
         * Disconnects the client. Both threads regain their former affinity. Closing again has no effect.
         *
         * @throws IllegalStateException if the calling thread is not the connected thread
         */
        @Override
        public void close() {
            if (myMembership == null) {
                return;
            }
            checkThread();
            runOnServer(RequestChannel.this::leave, seat);
            myMembership.close();
            myMembership = null;
            client.set(null);
        }
    }
}
