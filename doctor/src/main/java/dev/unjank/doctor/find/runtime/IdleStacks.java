package dev.unjank.doctor.find.runtime;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides by its stack whether a waiting thread is idle: whether it waits for work rather than in the middle of it. In
 * this order:
 *
 * <ol>
 *   <li>a method of the options decides;
 *   <li>a method that is on a stack only while an executor, an event loop or a server waits for its next task means
 *       idle;
 *   <li>a stack without a method of the program is that of a thread of the JDK: idle;
 *   <li>below a method that runs a task of an executor or an event, a wait is in the middle of work;
 *   <li>otherwise a thread of its own is idle if the wait is in its outermost method of the program, its own loop, and
 *       not for the result of a task;
 *   <li>otherwise {@link NextItemWaits} decides by all waits of the thread, if {@link #mayWaitForItem}.
 * </ol>
 */
final class IdleStacks {
    /** Methods that are on the stack only while a thread waits for its next task; prefixes of {@code CLASS.METHOD}. */
    static final List<String> IDLE_METHODS = List.of(
            "java.util.concurrent.ThreadPoolExecutor.getTask",
            "java.util.concurrent.ForkJoinPool.awaitWork",
            "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.",
            "java.lang.ref.ReferenceQueue.remove",
            "java.awt.EventQueue.getNextEvent",
            "sun.awt.X11.XToolkit.waitForEvents",
            "sun.java2d.Disposer.run",
            "sun.nio.ch.EPollPort$EventHandlerTask.poll",
            "sun.nio.ch.KQueuePort$EventHandlerTask.poll",
            "sun.net.httpserver.Request.<init>",
            "sun.rmi.transport.tcp.TCPTransport$AcceptLoop.",
            "jdk.internal.net.http.HttpClientImpl$SelectorManager.",
            "io.netty.util.concurrent.SingleThreadEventExecutor.takeTask",
            "io.netty.util.concurrent.GlobalEventExecutor.takeTask",
            "io.netty.channel.nio.NioEventLoop.select",
            "io.netty.channel.nio.NioIoHandler.select",
            "io.netty.channel.epoll.EpollEventLoop.epollWait",
            "io.netty.channel.epoll.EpollIoHandler.epollWait",
            "io.netty.util.HashedWheelTimer$Worker.waitForNextTick",
            "org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask",
            "org.apache.tomcat.util.net.NioBlockingSelector",
            "org.apache.coyote.http11.Http11InputBuffer.parseRequestLine",
            "org.eclipse.jetty.util.thread.QueuedThreadPool.idleJobPoll",
            "org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread.reservedWait",
            "org.jboss.threads.EnhancedQueueExecutor$ThreadBody.getOrAddNode",
            "org.jboss.threads.EnhancedQueueExecutor$PoolThreadNode.park",
            "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.park",
            "kotlinx.coroutines.scheduling.CoroutineScheduler$Worker.tryPark",
            "kotlinx.coroutines.DefaultExecutor.run",
            "com.lmax.disruptor.BlockingWaitStrategy.waitFor",
            "com.lmax.disruptor.TimeoutBlockingWaitStrategy.waitFor",
            "com.lmax.disruptor.SleepingWaitStrategy.waitFor",
            "akka.dispatch.forkjoin.ForkJoinPool.awaitWork",
            "dev.unjank.looper.queue.");

    /** Methods that run a task or dispatch an event: what they call is the middle of work. */
    static final List<String> DISPATCH_METHODS = List.of(
            "java.util.concurrent.ThreadPoolExecutor.runWorker",
            "java.util.concurrent.ForkJoinTask.doExec",
            "java.util.concurrent.FutureTask.run",
            "java.util.concurrent.ThreadPerTaskExecutor$",
            "java.util.TimerThread.mainLoop",
            "java.awt.EventQueue.dispatchEvent",
            "com.sun.javafx.",
            "com.sun.glass.ui.",
            "sun.net.httpserver.ServerImpl$Exchange.run",
            "sun.net.httpserver.ServerImpl$Dispatcher.",
            "akka.dispatch.Mailbox.",
            "io.netty.util.concurrent.AbstractEventExecutor.",
            "io.netty.channel.nio.NioEventLoop.processSelectedKey",
            "io.vertx.core.impl.",
            "org.apache.tomcat.util.threads.ThreadPoolExecutor.runWorker",
            "org.eclipse.jetty.util.thread.QueuedThreadPool.runJob",
            "kotlinx.coroutines.DispatchedTask.run",
            "dev.unjank.looper.Handler.dispatchMessage");

    /** Calls that wait for the end of other threads: what the main thread does until its program ends. */
    private static final Set<String> JOINS = Set.of(
            "java.lang.Thread.join",
            "java.util.concurrent.ThreadPoolExecutor.awaitTermination",
            "java.util.concurrent.ForkJoinPool.awaitTermination",
            "java.util.concurrent.ThreadPerTaskExecutor.awaitTermination",
            "jdk.internal.misc.ThreadFlock.awaitAll");

    /** Calls that wait for the result of a task; prefixes of {@code CLASS.METHOD}. */
    private static final List<String> RESULTS = List.of(
            "java.util.concurrent.FutureTask.get",
            "java.util.concurrent.CompletableFuture.get",
            "java.util.concurrent.CompletableFuture.join",
            "java.util.concurrent.ForkJoinTask.get",
            "java.util.concurrent.ForkJoinTask.join",
            "java.util.concurrent.ForkJoinTask.invoke");

    /** The queue of this class contains results of tasks. */
    private static final String COMPLETIONS = "java.util.concurrent.ExecutorCompletionService.";

    private static final List<String> QUEUES = List.of("Queue", "Deque");
    private static final List<String> TAKES = List.of("take", "poll");
    private static final Set<String> TIMED_PARKS = Set.of(
            "java.util.concurrent.locks.LockSupport.parkNanos", "java.util.concurrent.locks.LockSupport.parkUntil");

    private static final String MAIN_METHOD = "main";
    private static final String LAMBDA = "lambda$";

    /** The hidden class of a lambda, which calls its body. */
    private static final String LAMBDA_CLASS = "$$Lambda";

    private final List<String> idle;
    private final List<String> busy;

    /**
     * Takes the methods of the options, as prefixes of {@code CLASS.METHOD}: those that are idle, and those that are
     * not.
     */
    IdleStacks(List<String> idle, List<String> busy) {
        this.idle = List.copyOf(idle);
        this.busy = List.copyOf(busy);
    }

    /** {@return whether a thread with this stack waits for work} */
    boolean isIdle(StackFrames stack) {
        if (hasAny(stack, busy)) {
            return false;
        }
        if (hasAny(stack, idle) || hasAny(stack, IDLE_METHODS)) {
            return true;
        }
        int first = stack.firstOfProgram();
        if (first == stack.size()) {
            return !stack.mayBeCut();
        }
        if (stack.mayBeCut() || hasAny(stack, DISPATCH_METHODS)) {
            return false;
        }
        if (isOfMain(stack) && isJoin(stack)) {
            return true;
        }
        return methodsOfProgram(stack, first).size() == 1 && !isForResult(stack);
    }

    /**
     * {@return whether a thread of its own, other than {@code main}, waits for an item of a queue or parks for a
     * limited time}
     */
    boolean mayWaitForItem(StackFrames stack) {
        int first = stack.firstOfProgram();
        return first < stack.size()
                && !stack.mayBeCut()
                && !hasAny(stack, busy)
                && !hasAny(stack, DISPATCH_METHODS)
                && !hasAny(stack, List.of(COMPLETIONS))
                && !isOfMain(stack)
                && (takesFromQueue(stack)
                        || (first > 0 && TIMED_PARKS.contains(stack.methods().get(first - 1))));
    }

    /** {@return whether such a thread takes an item in its outermost method, which may be the body of a lambda} */
    boolean isLoopOfItems(StackFrames stack) {
        return mayWaitForItem(stack)
                && takesFromQueue(stack)
                && methodsOfProgram(stack, stack.firstOfProgram()).stream()
                                .filter(method -> !method.startsWith(LAMBDA_CLASS))
                                .count()
                        <= 1;
    }

    /** Whether a frame takes an item from a queue, of the JDK's or the program's, that the innermost method is of. */
    private static boolean takesFromQueue(StackFrames stack) {
        for (int frame = 0; frame < stack.size() && (stack.isOfJdk(frame) || isOfQueue(stack, frame)); frame++) {
            if (isOfQueue(stack, frame) && TAKES.stream().anyMatch(stack.methodName(frame)::startsWith)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfQueue(StackFrames stack, int frame) {
        return QUEUES.stream().anyMatch(stack.simpleClass(frame)::endsWith);
    }

    /** Whether the wait is for the result of a task, not for the next piece of work. */
    private static boolean isForResult(StackFrames stack) {
        return stack.methods().stream().anyMatch(method -> RESULTS.stream().anyMatch(method::startsWith));
    }

    private static boolean isJoin(StackFrames stack) {
        return stack.methods().stream().anyMatch(JOINS::contains);
    }

    /** Whether the outermost method of the program is its {@code main}. */
    private static boolean isOfMain(StackFrames stack) {
        int frame = stack.size() - 1;
        while (stack.isOfJdk(frame)) {
            frame--;
        }
        return stack.methodName(frame).equals(MAIN_METHOD);
    }

    /** The methods of the program; the body of a lambda counts as the method that it is in. */
    private static Set<String> methodsOfProgram(StackFrames stack, int first) {
        Set<String> methods = new TreeSet<>();
        for (int frame = first; frame < stack.size(); frame++) {
            if (!stack.isOfJdk(frame)) {
                boolean isLambda = stack.methods().get(frame).contains(LAMBDA_CLASS);
                methods.add((isLambda ? LAMBDA_CLASS : stack.simpleClass(frame))
                        + "."
                        + withoutLambda(stack.methodName(frame)));
            }
        }
        return methods;
    }

    private static String withoutLambda(String method) {
        if (!method.startsWith(LAMBDA)) {
            return method;
        }
        int end = method.indexOf('$', LAMBDA.length());
        return end < 0 ? method : method.substring(LAMBDA.length(), end);
    }

    private static boolean hasAny(StackFrames stack, List<String> prefixes) {
        return !prefixes.isEmpty()
                && stack.methods().stream().anyMatch(method -> prefixes.stream().anyMatch(method::startsWith));
    }
}
