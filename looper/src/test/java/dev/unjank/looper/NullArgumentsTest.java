package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.looper.spi.Clock;
import dev.unjank.looper.spi.Waker;
import dev.unjank.looper.util.Nullable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Null for a parameter that is not {@link Nullable} is the same error everywhere. Calls every constructor and method of
 * the public API, for every such parameter, except the interfaces that users implement.
 */
class NullArgumentsTest {
    /** Public methods that users do not call, or that belong to the JDK. */
    private static final Set<String> NOT_CALLED = Set.of("handleMessage", "released", "compareTo", "equals", "valueOf");

    private static final TestLooper TEST = new TestLooper();
    private static final Looper LOOPER = TEST.looper();
    private static final Pipe PIPE = pipe();
    private static final LooperExecutorService SERVICE = new LooperExecutorService(LOOPER);
    private static final LatencyHistogram HISTOGRAM =
            LooperStats.of(LOOPER).snapshot().runs();

    /** Receivers, and arguments beside the null. */
    private static final Map<Class<?>, Supplier<?>> SAMPLES = Map.ofEntries(
            sample(Looper.class, () -> LOOPER),
            sample(TestLooper.class, () -> TEST),
            sample(MessageQueue.class, LOOPER::getQueue),
            sample(Handler.class, () -> new Handler(LOOPER)),
            sample(Handler.Callback.class, () -> (Handler.Callback) m -> true),
            sample(Message.class, Message::obtain),
            sample(HandlerThread.class, () -> new HandlerThread("test")),
            sample(LooperOptions.class, LooperOptions::defaults),
            sample(FrameClock.class, () -> new FrameClock(LOOPER, Duration.ofMillis(10))),
            sample(FrameClock.FrameCallback.class, () -> (FrameClock.FrameCallback) t -> {}),
            sample(LooperStats.class, () -> LooperStats.of(LOOPER)),
            sample(LooperStats.Snapshot.class, () -> LooperStats.of(LOOPER).snapshot()),
            sample(LatencyHistogram.class, () -> HISTOGRAM),
            sample(LooperWatchdog.class, () -> new LooperWatchdog(Duration.ofSeconds(1))),
            sample(TestLooperManager.class, () -> new TestLooperManager(Looper.create(LooperOptions.defaults()))),
            sample(LooperExecutorService.class, () -> SERVICE),
            sample(LooperFutureTask.class, () -> (LooperFutureTask<?>) SERVICE.submit(() -> {})),
            sample(HandlerFuture.class, () -> (HandlerFuture<?>) new Handler(LOOPER).submit(() -> {})),
            sample(MessageQueue.IdleHandler.class, () -> (MessageQueue.IdleHandler) () -> true),
            sample(MessageQueue.OnChannelEventListener.class, () -> (MessageQueue.OnChannelEventListener) (c, o) -> o),
            sample(MessageObserver.class, () -> new MessageObserver() {}),
            sample(Printer.class, () -> (Printer) line -> {}),
            sample(Clock.class, Clock::system),
            sample(QueueKind.class, () -> QueueKind.LOCK_FREE),
            sample(ExceptionPolicy.class, () -> ExceptionPolicy.QUIT),
            sample(LooperStall.Kind.class, () -> LooperStall.Kind.BARRIER),
            sample(Thread.State.class, () -> Thread.State.NEW),
            sample(SelectableChannel.class, PIPE::source),
            sample(Runnable.class, () -> (Runnable) () -> {}),
            sample(Callable.class, () -> (Callable<?>) () -> "result"),
            sample(Supplier.class, () -> (Supplier<?>) Waker::parking),
            sample(Consumer.class, () -> (Consumer<?>) o -> {}),
            sample(ThreadFactory.class, () -> (ThreadFactory) Thread::new),
            sample(Duration.class, () -> Duration.ofMillis(1)),
            sample(TimeUnit.class, () -> TimeUnit.SECONDS),
            sample(Collection.class, List::of),
            sample(List.class, List::of),
            sample(Object.class, Object::new),
            sample(Class.class, () -> Runnable.class),
            sample(Integer.class, () -> 1),
            sample(String.class, () -> "text"),
            sample(boolean.class, () -> false),
            sample(int.class, () -> SelectionKey.OP_READ),
            sample(long.class, () -> 1L));

    private static Map.Entry<Class<?>, Supplier<?>> sample(Class<?> type, Supplier<?> supplier) {
        return Map.entry(type, supplier);
    }

    private static Pipe pipe() {
        try {
            Pipe pipe = Pipe.open();
            pipe.source().configureBlocking(false);
            return pipe;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterAll
    static void end() throws IOException {
        TEST.close();
        PIPE.source().close();
        PIPE.sink().close();
    }

    @TestFactory
    Stream<DynamicTest> isRefusedByItsName() throws Exception {
        List<DynamicTest> tests = new ArrayList<>();
        for (Class<?> type : typesForUsers()) {
            for (Executable call : callsForUsers(type)) {
                AnnotatedType[] types = call.getAnnotatedParameterTypes();
                for (int i = 0; i < types.length; i++) {
                    if (mayNotBeNull(types[i], call.getParameterTypes()[i])) {
                        tests.add(test(call, i));
                    }
                }
            }
        }
        assertThat(tests).hasSizeGreaterThan(100);
        return tests.stream();
    }

    /** Public classes, and the classes behind the JDK interfaces that users get. */
    private static List<Class<?>> typesForUsers() throws Exception {
        Path classes = Path.of(
                Looper.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<Class<?>> types =
                new ArrayList<>(List.of(LooperExecutorService.class, LooperFutureTask.class, HandlerFuture.class));
        try (Stream<Path> files = Files.list(classes.resolve("dev/unjank/looper"))) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".class") && !name.startsWith("package-info")) {
                    Class<?> type = Class.forName("dev.unjank.looper." + name.substring(0, name.length() - 6));
                    if (Modifier.isPublic(type.getModifiers())) {
                        types.add(type);
                    }
                }
            }
        }
        return types;
    }

    private static List<Executable> callsForUsers(Class<?> type) {
        List<Executable> calls = new ArrayList<>();
        for (Constructor<?> c : type.getDeclaredConstructors()) {
            calls.add(c);
        }
        for (Method m : type.getDeclaredMethods()) {
            boolean implementedByUsers = type.isInterface() && !Modifier.isStatic(m.getModifiers());
            if (!implementedByUsers && !NOT_CALLED.contains(m.getName())) {
                calls.add(m);
            }
        }
        calls.removeIf(call -> !Modifier.isPublic(call.getModifiers()) || call.isSynthetic());
        return calls;
    }

    private static boolean mayNotBeNull(AnnotatedType annotated, Class<?> type) {
        // null is allowed for a value of the caller's own type, for example a result
        return !type.isPrimitive()
                && !annotated.isAnnotationPresent(Nullable.class)
                && type != Object.class
                && !Throwable.class.isAssignableFrom(type);
    }

    private static DynamicTest test(Executable call, int index) {
        String parameter = call.getParameters()[index].getName();
        String name = call.getDeclaringClass().getSimpleName() + "." + call.getName() + "(" + parameter
                + "), parameter " + (index + 1) + " of " + call.getParameterCount();
        return DynamicTest.dynamicTest(
                name,
                () -> assertThatThrownBy(() -> call(call, index))
                        .isInstanceOf(NullPointerException.class)
                        .hasMessage(parameter));
    }

    private static void call(Executable call, int nullAt) throws Throwable {
        Object[] arguments = new Object[call.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = i == nullAt ? null : of(call.getParameterTypes()[i]);
        }
        call.setAccessible(true);
        try {
            if (call instanceof Method m) {
                m.invoke(Modifier.isStatic(m.getModifiers()) ? null : of(m.getDeclaringClass()), arguments);
            } else {
                ((Constructor<?>) call).newInstance(arguments);
            }
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Object of(Class<?> type) {
        Supplier<?> supplier = SAMPLES.get(type);
        assertThat(supplier).as("a sample of %s", type).isNotNull();
        return supplier.get();
    }
}
