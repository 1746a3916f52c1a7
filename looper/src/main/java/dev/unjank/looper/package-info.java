/**
 * Message loops that no sender can stall.
 *
 * <p>A {@link dev.unjank.looper.Looper} runs messages one after the other on one thread. {@link
 * dev.unjank.looper.Handler}s send them, from any thread. Names and behaviours are those of Android, so what is known
 * there is true here; the differences are listed below.
 *
 * <h2>How to use it</h2>
 *
 * <pre>{@code
 * HandlerThread ui = new HandlerThread("ui");
 * ui.start();
 * Handler handler = new Handler(ui.getLooper(), msg -> {
 *     draw(msg.arg1);
 *     return true;
 * });
 * handler.sendMessage(handler.obtainMessage(DRAW, 42, 0));  // as soon as possible
 * handler.postDelayed(() -> blink(), 500);                  // half a second later
 * handler.removeMessages(DRAW);                             // if it has not been run yet
 * ui.quitSafely();                                          // after what is due now; what is later is dropped
 * }</pre>
 *
 * <p>A thread of your own calls {@link dev.unjank.looper.Looper#prepare()}, makes its handlers, and calls {@link
 * dev.unjank.looper.Looper#loop()}. {@link dev.unjank.looper.Looper#start(java.util.concurrent.ThreadFactory)} does that
 * on a thread that a factory makes, which may be a virtual one: a loop that waits there keeps no thread of the operating
 * system. A test makes a {@link dev.unjank.looper.TestLooper} and moves the clock by hand:
 *
 * <pre>{@code
 * try (TestLooper test = new TestLooper()) {
 *     new Handler(test.looper()).postDelayed(() -> System.out.println("due"), 5);
 *     test.advanceBy(Duration.ofMillis(4));    // nothing is due
 *     test.advanceBy(Duration.ofMillis(1));    // prints
 * }
 * }</pre>
 *
 * <p>Who draws at a steady rate has a {@link dev.unjank.looper.FrameClock} call back for each frame; it knows which of them
 * were late.
 *
 * <p>Code that knows nothing of loopers takes one as an executor, and whoever wants the result of a task, a future:
 *
 * <pre>{@code
 * ScheduledExecutorService service = looper.asScheduledExecutorService();
 * CompletableFuture<String> title = handler.submit(() -> window.getTitle());
 * }</pre>
 *
 * <h2>Two queues</h2>
 *
 * <p>{@link dev.unjank.looper.QueueKind#LOCK_FREE} is the default. A sender adds its message with one compare-and-set
 * and waits for nobody: a sender that loses its processor at any point delays its own message and no other. {@link
 * dev.unjank.looper.QueueKind#MONITOR} is the classic queue with one lock, where everybody waits for whoever is inside.
 * Both pass the same tests. Choose for one looper with {@link dev.unjank.looper.LooperOptions#withQueue}, for all with
 * {@code -Dunjank.queue=monitor} or {@code lockfree}.
 *
 * <h2>Seen from outside</h2>
 *
 * <p>{@link dev.unjank.looper.LooperStats} counts and times what a looper runs, {@link dev.unjank.looper.LooperWatchdog}
 * says why one does not get on, and a recording of the JDK's Flight Recorder may have every delivery as an event {@code
 * dev.unjank.MessageDispatch}. All of it rests on {@link dev.unjank.looper.MessageObserver}; a looper that nobody
 * observes pays for it with one read in sending and one in delivering.
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 *   <li><b>Order.</b> Messages that are due run in the order of their times, and those with the same time in the order
 *       in which they were sent; two threads that do not synchronize with each other have no order. Time 0 is the front
 *       of the queue, where the last one sent runs first. Nothing runs before its time on the looper's clock.
 *   <li><b>Once.</b> A message that was accepted is run once, or removed once, or dropped by quitting: never two of
 *       these, and never none.
 *   <li><b>Visibility.</b> What a thread did before it sent a message is visible when the message runs; what one message
 *       did is visible to those that run after it.
 *   <li><b>Waking.</b> A message that is due earlier than what the looper sleeps for wakes it.
 *   <li><b>Quitting.</b> From the moment quit returns, nothing can be sent and nothing that it dropped is found. After
 *       {@link dev.unjank.looper.Looper#quitSafely()} everything accepted that was due at the call still runs.
 *   <li><b>Memory.</b> A removed message lets go of what it carried at once, also while the looper sleeps; a loop that
 *       has nothing to do keeps nothing alive that it has run. In the lock-free queue removed messages, then empty,
 *       may stay linked until the looper comes by; if more than some hundred gather while it sleeps, and they are not
 *       outnumbered by those that live, it is woken for them. While it runs one message nothing bounds their number.
 *   <li><b>Progress</b>, lock-free queue: sending is lock-free (a sender retries only because another has succeeded),
 *       and takes no Java monitor and no lock of {@code java.util.concurrent}. To wake a sleeping looper the portable
 *       waker calls {@link java.util.concurrent.locks.LockSupport#unpark}, which holds a mutex of the virtual machine
 *       for the length of a system call. On Linux and Java 22 the module {@code looper-linux} has a waker without any
 *       lock, which loopers find by themselves: {@link dev.unjank.looper.spi.WakerProvider}. The exception: a looper that watches
 *       channels, see {@link dev.unjank.looper.MessageQueue#addOnChannelEventListener}, is woken through a selector, which
 *       takes a monitor inside the JDK for as long.
 * </ul>
 *
 * <h2>What is not guaranteed</h2>
 *
 * <ul>
 *   <li>That a message runs at its time: it runs when the messages before it have run and the thread gets a processor.
 *   <li>That {@code true} from a post means that it will run: the looper may quit first.
 *   <li>That removing or asking is fast. The lock-free queue has an index by code and by Runnable of what has waited for a
 *       while, and walks over what came since the looper last slept; by token, or by code 0 where Runnables wait, both
 *       queues visit every message. In the lock-free queue that holds up nobody; in the monitor queue it holds up
 *       everybody. {@link dev.unjank.looper.Message#cancel()} visits nothing in the lock-free queue.
 *   <li>That a message sent while the looper is already taking another goes before that one, even if it is due earlier
 *       or sent to the front.
 *   <li>That asking sees a message that replaced another one during the call: the lock-free queue visits what was there
 *       when the call began, so that no sender can prolong the visit.
 *   <li>That removing many messages is one step: each goes atomically, and what is sent meanwhile stays.
 *   <li>That {@link dev.unjank.looper.Looper#dump} shows one moment of a running looper.
 *   <li>Any bound on how many messages may wait.
 * </ul>
 *
 * <h2>Threads</h2>
 *
 * <p>Handlers, loopers and queues may be used by any thread, except that {@link dev.unjank.looper.Looper#loop()} runs on
 * the looper's own and a {@link dev.unjank.looper.TestLooperManager} is for one thread at a time. A {@link
 * dev.unjank.looper.Message} belongs to its sender until it is sent, to the queue until it is delivered, and to the
 * receiver until the receiver returns.
 *
 * <h2>Where it differs from Android 17</h2>
 *
 * <ul>
 *   <li>Times are compared without overflow, and a delay that overflows never ends; there, messages more than half the
 *       range apart come out in the wrong order, and {@code postDelayed(r, Long.MAX_VALUE)} runs at once.
 *   <li>After {@link dev.unjank.looper.Looper#quit()} nothing is found in the queue; there, {@code hasMessages} goes on
 *       finding what was dropped until the looper has run.
 *   <li>A looper whose loop was left by an exception has quit; there, posts to it go on returning true. So {@code loop()}
 *       cannot be called again after an exception.
 *   <li>{@link dev.unjank.looper.Handler#runWithScissors} returns false if the looper quits, dies or removes the Runnable
 *       after it has accepted it; there, it waits for ever.
 *   <li>The <i>Equal</i> variants of removing and asking call {@code equals} under no lock and not while they go through
 *       the queue, so it may throw, wait, or use the queue.
 *   <li>Null for an argument that is not said to be nullable is a {@link NullPointerException} that names it; there, {@code
 *       post(null)} delivers an empty message, and some methods throw an {@link IllegalArgumentException}.
 *   <li>A message is cleared completely when it is recycled; there, {@code what} and {@code arg1} stay.
 *   <li>Messages are not pooled, and a message that was sent or recycled cannot be made fit for use again by {@link
 *       dev.unjank.looper.Message#copyFrom}.
 *   <li>{@link dev.unjank.looper.HandlerThread#getThreadId()} is Java's identifier of the thread, not the kernel's.
 * </ul>
 *
 * <h2>Where to begin reading</h2>
 *
 * <p>{@code MessageQueue.next()} is the loop's decision what to do next, for both queues. {@code LockFreeQueue} has the
 * map of the lock-free one; its parts are {@code Node} (the life of a message), {@code MessageStack} (the way in), {@code
 * Backlog} (what the looper has drained, and the upkeep), {@code MessageOrder} (a lane, {@code OutOfOrderBatch} and a {@code MessageHeap}: the order),
 * {@code DrainHorizon} (when the looper need not look for news), {@code KeyIndex} (searching), {@code WaitState} and {@code
 * Spinning} (sleeping and waking) and {@code CloseGate} (the end of the waker). {@code MonitorQueue} is the other one, whole.
 * {@code LooperExecutorService} is how tasks become messages, {@code QueuedTask} how they learn of the end of a message.
 */
package dev.unjank.looper;
