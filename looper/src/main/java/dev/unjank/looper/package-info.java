/**
 * Message loops that senders cannot stall: Android's Looper, Handler and MessageQueue for any JVM.
 *
 * <p>A {@link dev.unjank.looper.Looper} runs messages one after the other on one thread. {@link
 * dev.unjank.looper.Handler}s send messages from any thread. Names and behaviour match Android; the differences are
 * listed below.
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
 *
 * handler.postDelayed(() -> blink(), 500);                  // half a second later
 * handler.removeMessages(DRAW);                             // unless it has already run
 * ui.quitSafely();                                          // runs what is due now and drops the rest
 * }</pre>
 *
 * <p>To run a loop on an existing thread, call {@link dev.unjank.looper.Looper#prepare()}, create handlers, and call
 * {@link dev.unjank.looper.Looper#loop()}. {@link dev.unjank.looper.Looper#start(java.util.concurrent.ThreadFactory)}
 * does this on a thread from a factory, possibly a virtual thread: a waiting loop on a virtual thread occupies no
 * operating system thread. For tests, a {@link dev.unjank.looper.TestLooper} has a clock that the test advances:
 *
 * <pre>{@code
 * try (TestLooper test = new TestLooper()) {
 *     new Handler(test.looper()).postDelayed(() -> System.out.println("due"), 5);
 *     test.advanceBy(Duration.ofMillis(4));    // nothing is due
 *     test.advanceBy(Duration.ofMillis(1));    // prints
 * }
 * }</pre>
 *
 * <p>To draw at a steady rate, post callbacks to a {@link dev.unjank.looper.FrameClock}, which runs them once per frame
 * and counts missed frames.
 *
 * <p>A looper can be used as an executor, and tasks with results return futures:
 *
 * <pre>{@code
 * ScheduledExecutorService service = looper.asScheduledExecutorService();
 * CompletableFuture<String> title = handler.submit(() -> window.getTitle());
 * }</pre>
 *
 * <h2>Two queues</h2>
 *
 * <p>{@link dev.unjank.looper.QueueKind#LOCK_FREE} is the default. A sender adds its message with one compare-and-set
 * and never waits for another thread: a sender that is preempted at any point delays only its own message. {@link
 * dev.unjank.looper.QueueKind#MONITOR} is the classic queue with one lock, where every thread waits for the lock's
 * owner. Both queues pass the same tests. {@link dev.unjank.looper.LooperOptions#withQueue} chooses the queue of one
 * looper, {@code -Dunjank.queue=monitor} or {@code lockfree} the queue of all others.
 *
 * <h2>Observing</h2>
 *
 * <p>{@link dev.unjank.looper.LooperStats} counts and times the messages of a looper. {@link
 * dev.unjank.looper.LooperWatchdog} reports stalled loopers and the causes. A JFR recording can contain an event {@code
 * dev.unjank.MessageDispatch} for every delivery. All of them use {@link dev.unjank.looper.MessageObserver}; a looper
 * without observers pays one read per send and one per delivery.
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 *   <li><b>Order.</b> Due messages run in the order of their times, and messages with the same time in the order of
 *       sending; the sends of two threads that do not synchronize with each other are unordered. Time 0 is the front of
 *       the queue, where the last message sent runs first. No message runs before its time on the looper's clock.
 *   <li><b>Once.</b> An accepted message is either run once, removed once, or dropped by quitting.
 *   <li><b>Visibility.</b> Actions of a thread before it sends a message happen before the message runs; actions of a
 *       message happen before the messages that run after it.
 *   <li><b>Waking.</b> A message that is due earlier than the end of the looper's sleep wakes the looper.
 *   <li><b>Quitting.</b> After quit has returned, messages cannot be sent, and searches do not find dropped messages.
 *       After {@link dev.unjank.looper.Looper#quitSafely()} every accepted message that was due at the call still runs.
 *   <li><b>Memory.</b> A removed message releases its payload at once, even while the looper sleeps; an idle loop does
 *       not retain messages that it has run. In the lock-free queue, removed messages may stay linked, empty, until the
 *       looper unlinks them. If more than a few hundred of them accumulate while the looper sleeps, and the live
 *       messages do not outnumber them, the looper is woken to unlink them. While the looper runs one message, their
 *       number is unbounded.
 *   <li><b>Progress</b>, lock-free queue: sending is lock-free (a sender retries only if another sender has succeeded),
 *       and takes neither a Java monitor nor a lock of {@code java.util.concurrent}. To wake a sleeping looper, the
 *       portable waker calls {@link java.util.concurrent.locks.LockSupport#unpark}, which holds a native mutex of the
 *       JVM for the duration of a system call. On Linux with Java 22 or later, the module {@code looper-linux} provides
 *       a waker without any lock, which loopers find automatically: {@link dev.unjank.looper.spi.WakerProvider}. The
 *       exception is a looper that watches channels, see {@link
 *       dev.unjank.looper.MessageQueue#addOnChannelEventListener}: it is woken through a selector, which takes a
 *       monitor inside the JDK for the duration of a system call.
 * </ul>
 *
 * <h2>What is not guaranteed</h2>
 *
 * <ul>
 *   <li>Punctuality: a message runs when the messages before it have run and the thread is on a CPU.
 *   <li>Delivery: {@code true} from a post means that the message was accepted; the looper may quit before it runs.
 *   <li>Fast removal or search. The lock-free queue has an index, by code and by Runnable, of messages that have waited
 *       for a while; it visits each message sent since the looper last slept. For a search by token, or by code 0 while
 *       Runnables wait, both queues visit every message. In the lock-free queue the visit does not block other threads;
 *       in the monitor queue it blocks all of them. {@link dev.unjank.looper.Message#cancel()} does not visit other
 *       messages in the lock-free queue.
 *   <li>Preemption of a message that the looper is already taking: a message sent at that moment waits for the next
 *       turn, even if it is due earlier or sent to the front.
 *   <li>Finding a message that replaces another one during the search: the lock-free queue visits the messages that
 *       were present when the call began, so that senders cannot prolong the visit.
 *   <li>Atomic bulk removal: each message is removed atomically, and messages sent meanwhile stay.
 *   <li>A consistent {@link dev.unjank.looper.Looper#dump} of a running looper.
 *   <li>A bound on the number of waiting messages.
 * </ul>
 *
 * <h2>Threads</h2>
 *
 * <p>Any thread may use handlers, loopers and queues. Two exceptions: {@link dev.unjank.looper.Looper#loop()} runs on
 * the looper's own thread, and a {@link dev.unjank.looper.TestLooperManager} is for one thread at a time. A {@link
 * dev.unjank.looper.Message} belongs to its sender until it is sent, to the queue until it is delivered, and to the
 * receiver until the receiver returns.
 *
 * <h2>Differences from Android 17</h2>
 *
 * <ul>
 *   <li>Times are compared without overflow, and a delay that overflows never expires. On Android, messages whose times
 *       differ by more than half the range of a long are delivered in the wrong order, and {@code postDelayed(r,
 *       Long.MAX_VALUE)} runs at once.
 *   <li>After {@link dev.unjank.looper.Looper#quit()} searches do not find any message. On Android, {@code hasMessages}
 *       finds dropped messages until the looper has run.
 *   <li>If a loop ends with an exception, the looper has quit, and {@code loop()} cannot be called again. On Android,
 *       posts to it keep returning true.
 *   <li>{@link dev.unjank.looper.Handler#runWithScissors} returns false if the looper quits, dies or removes the
 *       Runnable after accepting it. On Android, it waits forever.
 *   <li>The <i>Equal</i> variants of removing and searching call {@code equals} without a lock and not during the
 *       traversal of the queue, so {@code equals} may throw, block, or use the queue.
 *   <li>A null argument that is not documented as nullable causes a {@link NullPointerException} that names the
 *       argument. On Android, {@code post(null)} delivers an empty message, and some methods throw an {@link
 *       IllegalArgumentException}.
 *   <li>A message is cleared completely when it is recycled. On Android, {@code what} and {@code arg1} are kept.
 *   <li>Messages are not pooled, and {@link dev.unjank.looper.Message#copyFrom} cannot make a sent or recycled message
 *       usable again.
 *   <li>{@link dev.unjank.looper.HandlerThread#getThreadId()} is Java's identifier of the thread, not the kernel's.
 * </ul>
 *
 * <h2>Reading the source</h2>
 *
 * <p>{@code MessageQueue.next()} chooses the loop's next step, for both queues. The Javadoc of {@code LockFreeQueue}
 * gives an overview of the lock-free queue. Its parts are in the package {@code queue}, which does not depend on
 * handlers or loopers: {@code NodeState} (the life of a message), {@code MessageStack} (the inbox), {@code
 * DrainedMessages} (the drained messages), {@code MessageGenerations} (unlinking dead messages), {@code MessageOrder}
 * (the delivery order: a lane, an {@code OutOfOrderBatch} and a {@code MessageHeap}), {@code DrainHorizon} (when the
 * looper need not check the stack), {@code KeyIndex} (searching), {@code WaitState} and {@code AdaptiveSpin} (sleeping
 * and waking) and {@code CloseGate} (freeing the waker). {@code MonitorQueue} is the complete monitor queue. {@code
 * LooperExecutorService} turns tasks into messages; {@code QueuedTask} notifies tasks of the end of a message.
 *
 * <p>Packages: {@code queue} contains the data structures of the lock-free queue, {@code task} the tasks that messages
 * carry, {@code spi} the interfaces of clocks and wakers, {@code wake} the choice of the waker and the selector for
 * channels, {@code manual} the clock and the message limit of a {@code TestLooper}, and {@code util} helpers.
 */
package dev.unjank.looper;
