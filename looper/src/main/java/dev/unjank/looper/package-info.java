/**
 * Message loops that no sender can stall: Android's Looper, Handler and MessageQueue for any JVM.
 *
 * <p>A {@link dev.unjank.looper.Looper} runs messages one after the other on one thread. {@link
 * dev.unjank.looper.Handler}s send them, from any thread. Names and behaviours are those of Android; the differences
 * are listed below.
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
 * handler.sendMessage(handler.obtainMessage(DRAW, 42, 0));  // as soon as possible
 * handler.postDelayed(() -> blink(), 500);                  // half a second later
 * handler.removeMessages(DRAW);                             // unless it has already run
 * ui.quitSafely();                                          // runs what is due now and drops the rest
 * }</pre>
 *
 * <p>To use a thread of your own, call {@link dev.unjank.looper.Looper#prepare()}, make handlers, and call {@link
 * dev.unjank.looper.Looper#loop()}. {@link dev.unjank.looper.Looper#start(java.util.concurrent.ThreadFactory)} does
 * that on a thread of a factory, which may be a virtual one: a waiting loop on a virtual thread occupies no operating
 * system thread. For tests, a {@link dev.unjank.looper.TestLooper} has a clock that the test advances:
 *
 * <pre>{@code
 * try (TestLooper test = new TestLooper()) {
 *     new Handler(test.looper()).postDelayed(() -> System.out.println("due"), 5);
 *     test.advanceBy(Duration.ofMillis(4));    // nothing is due
 *     test.advanceBy(Duration.ofMillis(1));    // prints
 * }
 * }</pre>
 *
 * <p>To draw at a steady rate, post callbacks to a {@link dev.unjank.looper.FrameClock}: it runs them once per frame
 * and counts missed frames.
 *
 * <p>Code that expects an executor takes a looper as one; tasks with results return futures:
 *
 * <pre>{@code
 * ScheduledExecutorService service = looper.asScheduledExecutorService();
 * CompletableFuture<String> title = handler.submit(() -> window.getTitle());
 * }</pre>
 *
 * <h2>Two queues</h2>
 *
 * <p>{@link dev.unjank.looper.QueueKind#LOCK_FREE} is the default. A sender adds its message with one compare-and-set
 * and blocks on no other thread: a sender that is preempted at any point delays its own message and no other. {@link
 * dev.unjank.looper.QueueKind#MONITOR} is the classic queue with one lock, where every thread waits for the lock's
 * owner. Both pass the same tests. Choose for one looper with {@link dev.unjank.looper.LooperOptions#withQueue}, for
 * all with {@code -Dunjank.queue=monitor} or {@code lockfree}.
 *
 * <h2>Observing</h2>
 *
 * <p>{@link dev.unjank.looper.LooperStats} counts and times the messages of a looper. {@link
 * dev.unjank.looper.LooperWatchdog} reports stalled loopers and the cause. A JDK Flight Recorder recording can contain
 * an event {@code dev.unjank.MessageDispatch} for every delivery. All of them use {@link
 * dev.unjank.looper.MessageObserver}; a looper without observers pays one read per send and one per delivery.
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 *   <li><b>Order.</b> Due messages run in the order of their times, and those with the same time in the order in which
 *       they were sent; the sends of two threads that do not synchronize with each other are unordered. Time 0 is the
 *       front of the queue, where the last message sent runs first. No message runs before its time on the looper's
 *       clock.
 *   <li><b>Once.</b> An accepted message is run once, or removed once, or dropped by quitting: exactly one of these.
 *   <li><b>Visibility.</b> Actions of a thread before it sends a message happen before the message runs; actions of a
 *       message happen before the messages that run after it.
 *   <li><b>Waking.</b> A message that is due earlier than the end of the looper's sleep wakes the looper.
 *   <li><b>Quitting.</b> Once quit has returned, no message can be sent and no dropped message is found. After {@link
 *       dev.unjank.looper.Looper#quitSafely()} every accepted message that was due at the call still runs.
 *   <li><b>Memory.</b> A removed message releases its payload at once, even while the looper sleeps; an idle loop keeps
 *       alive nothing that it has run. In the lock-free queue removed messages, then empty, may stay linked until the
 *       looper unlinks them. If more than some hundred of them accumulate while it sleeps, and the live messages do not
 *       outnumber them, it is woken to do so. While the looper runs one message their number is unbounded.
 *   <li><b>Progress</b>, lock-free queue: sending is lock-free (a sender retries only because another has succeeded),
 *       and takes no Java monitor and no lock of {@code java.util.concurrent}. To wake a sleeping looper the portable
 *       waker calls {@link java.util.concurrent.locks.LockSupport#unpark}, which holds a mutex of the virtual machine
 *       for the duration of a system call. On Linux and Java 22 the module {@code looper-linux} provides a waker
 *       without any lock, which loopers find by themselves: {@link dev.unjank.looper.spi.WakerProvider}. The exception
 *       is a looper that watches channels, see {@link dev.unjank.looper.MessageQueue#addOnChannelEventListener}: it is
 *       woken through a selector, which takes a monitor inside the JDK for the duration of a system call.
 * </ul>
 *
 * <h2>What is not guaranteed</h2>
 *
 * <ul>
 *   <li>Punctuality: a message runs when the messages before it have run and the thread is on a CPU.
 *   <li>Delivery: {@code true} from a post means that the message was accepted; the looper may quit before it runs.
 *   <li>Fast removal or search. The lock-free queue has an index by code and by Runnable of the messages that have
 *       waited for a while, and walks over those sent since the looper last slept; by token, or by code 0 where
 *       Runnables wait, both queues visit every message. In the lock-free queue the visit blocks no thread; in the
 *       monitor queue it blocks all. {@link dev.unjank.looper.Message#cancel()} visits nothing in the lock-free queue.
 *   <li>Preemption of a message that the looper is already taking: a message sent at that moment waits for the next
 *       turn, even if it is due earlier or sent to the front.
 *   <li>Seeing a message that replaced another one during the search: the lock-free queue visits the messages that were
 *       there when the call began, so that no sender can prolong the visit.
 *   <li>Atomic bulk removal: each message goes atomically, and messages sent meanwhile stay.
 *   <li>A consistent {@link dev.unjank.looper.Looper#dump} of a running looper.
 *   <li>Any bound on the number of waiting messages.
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
 *   <li>Times are compared without overflow, and a delay that overflows never ends. On Android, messages more than half
 *       the range apart come out in the wrong order, and {@code postDelayed(r, Long.MAX_VALUE)} runs at once.
 *   <li>After {@link dev.unjank.looper.Looper#quit()} no message is found in the queue. On Android, {@code hasMessages}
 *       finds dropped messages until the looper has run.
 *   <li>A looper has quit when its loop has ended with an exception, and {@code loop()} cannot be called again. On Android,
 *       posts to it keep returning true.
 *   <li>{@link dev.unjank.looper.Handler#runWithScissors} returns false if the looper quits, dies or removes the
 *       Runnable after accepting it. On Android, it waits for ever.
 *   <li>The <i>Equal</i> variants of removing and searching call {@code equals} outside any lock and outside the walk
 *       over the queue, so it may throw, block, or use the queue.
 *   <li>Null for an argument that is not documented as nullable is a {@link NullPointerException} that names the
 *       argument. On Android, {@code post(null)} delivers an empty message, and some methods throw an {@link
 *       IllegalArgumentException}.
 *   <li>A message is cleared completely when it is recycled. On Android, {@code what} and {@code arg1} stay.
 *   <li>Messages are not pooled, and {@link dev.unjank.looper.Message#copyFrom} cannot make a sent or recycled message
 *       usable again.
 *   <li>{@link dev.unjank.looper.HandlerThread#getThreadId()} is Java's identifier of the thread, not the kernel's.
 * </ul>
 *
 * <h2>Reading the source</h2>
 *
 * <p>{@code MessageQueue.next()} decides the loop's next step, for both queues. {@code LockFreeQueue} has the map of
 * the lock-free one. Its parts are in the package {@code queue}, which knows neither handlers nor loopers: {@code
 * NodeState} (the life of a message), {@code MessageStack} (the inbox), {@code
 * DrainedMessages} (the drained messages), {@code MessageGenerations} (unlinking the dead ones), {@code MessageOrder} (the delivery order: a lane, an {@code
 * OutOfOrderBatch} and a {@code MessageHeap}), {@code DrainHorizon} (when the looper need not check the stack), {@code
 * KeyIndex} (searching), {@code WaitState} and {@code AdaptiveSpin} (sleeping and waking) and {@code CloseGate} (the
 * end of the waker). {@code MonitorQueue} is the complete other queue. {@code LooperExecutorService} turns tasks into
 * messages, {@code QueuedTask} notifies them of the end of a message.
 *
 * <p>Packages: {@code queue} has the data structures of the lock-free queue, {@code task} the tasks that travel in
 * messages, {@code spi} the interfaces of clocks and wakers, {@code wake} the choice of the waker and the selector for
 * channels, {@code manual} what a {@code TestLooper} drives its messages with, {@code util} helpers.
 */
package dev.unjank.looper;
