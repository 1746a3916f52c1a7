package dev.unjank.workbench.bench.peer;

import dev.unjank.cli.demo.load.MessageLoop;
import dev.unjank.cli.demo.load.ThreadJoin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;

/**
 * Android 17's own Looper, Handler and lock-free MessageQueue, with its MessageStack and MessageHeap. Its methods are
 * called through constant method handles, which the compiler inlines as it does direct calls.
 */
final class AndroidLoop implements MessageLoop {
    private static final MethodHandle PREPARE;
    private static final MethodHandle MY_LOOPER;
    private static final MethodHandle LOOP;
    private static final MethodHandle QUIT;
    private static final MethodHandle NEW_HANDLER;
    private static final MethodHandle POST;
    private static final MethodHandle POST_AT;
    private static final MethodHandle POST_DELAYED;
    private static final MethodHandle REMOVE_BY_TOKEN;
    private static final MethodHandle SEND_DELAYED;
    private static final MethodHandle REMOVE_BY_CODE;

    static {
        try {
            ClassLoader classes =
                    new AndroidClassLoader(new JarFile(AndroidClassLoader.jar().toFile()));
            Class<?> looper = classes.loadClass("android.os.Looper");
            Class<?> handler = classes.loadClass("android.os.Handler");
            classes.loadClass("android.os.MessageQueue")
                    .getMethod("setUseDeliQueue", boolean.class)
                    .invoke(null, true);
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            PREPARE = lookup.findStatic(looper, "prepare", MethodType.methodType(void.class));
            MY_LOOPER = generic(lookup.findStatic(looper, "myLooper", MethodType.methodType(looper)));
            LOOP = lookup.findStatic(looper, "loop", MethodType.methodType(void.class));
            QUIT = generic(lookup.findVirtual(looper, "quit", MethodType.methodType(void.class)));
            NEW_HANDLER = generic(lookup.findConstructor(handler, MethodType.methodType(void.class, looper)));
            POST = method(handler, "post", Runnable.class);
            POST_AT = method(handler, "postAtTime", Runnable.class, long.class);
            POST_DELAYED = method(handler, "postDelayed", Runnable.class, Object.class, long.class);
            SEND_DELAYED = method(handler, "sendEmptyMessageDelayed", int.class, long.class);
            REMOVE_BY_TOKEN = generic(lookup.findVirtual(
                    handler, "removeCallbacksAndMessages", MethodType.methodType(void.class, Object.class)));
            REMOVE_BY_CODE = generic(
                    lookup.findVirtual(handler, "removeMessages", MethodType.methodType(void.class, int.class)));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final Thread thread;
    private final Object looper;
    private final Object handler;

    AndroidLoop() {
        CompletableFuture<Object> prepared = new CompletableFuture<>();
        thread = new Thread(() -> loop(prepared), "android-looper");
        thread.setDaemon(true);
        thread.start();
        looper = prepared.join();
        try {
            handler = (Object) NEW_HANDLER.invokeExact(looper);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    private static MethodHandle method(Class<?> handler, String name, Class<?>... parameters)
            throws ReflectiveOperationException {
        return generic(MethodHandles.publicLookup()
                .findVirtual(handler, name, MethodType.methodType(boolean.class, parameters)));
    }

    /** With Object in place of Android's own types, which are unknown when this is compiled. */
    private static MethodHandle generic(MethodHandle handle) {
        MethodType type = handle.type();
        for (int i = 0; i < type.parameterCount(); i++) {
            if (type.parameterType(i).getClassLoader() instanceof AndroidClassLoader) {
                type = type.changeParameterType(i, Object.class);
            }
        }
        return handle.asType(
                type.returnType().getClassLoader() instanceof AndroidClassLoader
                        ? type.changeReturnType(Object.class)
                        : type);
    }

    private static void loop(CompletableFuture<Object> prepared) {
        try {
            PREPARE.invokeExact();
            prepared.complete((Object) MY_LOOPER.invokeExact());
            LOOP.invokeExact();
        } catch (Throwable t) {
            prepared.completeExceptionally(t);
            throw new IllegalStateException(t);
        }
    }

    @Override
    public void post(Runnable task) {
        try {
            boolean _ = (boolean) POST.invokeExact(handler, task);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    /** Posts the task with a token, by which Android apps cancel timeouts. */
    @Override
    public Object postDelayed(Runnable task, long delayMillis) {
        Object token = new Object();
        try {
            boolean _ = (boolean) POST_DELAYED.invokeExact(handler, task, token, delayMillis);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
        return token;
    }

    @Override
    public void postAt(Runnable task, long nanoTime) {
        try {
            boolean _ = (boolean) POST_AT.invokeExact(handler, task, TimeUnit.NANOSECONDS.toMillis(nanoTime));
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    @Override
    public void cancel(Object delayed) {
        try {
            REMOVE_BY_TOKEN.invokeExact(handler, delayed);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    @Override
    public Object sendDelayed(int number, long delayMillis) {
        try {
            boolean _ = (boolean) SEND_DELAYED.invokeExact(handler, number, delayMillis);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
        return handler;
    }

    @Override
    public void remove(int number, Object sent) {
        try {
            REMOVE_BY_CODE.invokeExact(handler, number);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    @Override
    public Thread thread() {
        return thread;
    }

    @Override
    public void close() {
        try {
            QUIT.invokeExact(looper);
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
        ThreadJoin.join(thread);
    }
}
