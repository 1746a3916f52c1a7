package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.read.jfr.format.FieldReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Imports events about what a thread did or waited for, as slices of the thread. */
final class ThreadEventImporter {
    // The slots of fields after time, duration and thread.
    private static final int FIRST = 3;
    private static final int SECOND = 4;
    private static final int THIRD = 5;
    private static final int FOURTH = 6;
    private static final int FIFTH = 7;
    private static final int SIXTH = 8;

    private static final String PARKING_ON = "parking on ";
    private static final String LAMBDA = "$$Lambda";
    private static final String[] SOCKET_FIELDS = {"host", "stackTrace", "address", "port"};
    private static final String[] FILE_FIELDS = {"path", "stackTrace"};

    /** The locks of java.util.concurrent that have one owner. A thread that parks on another object may be idle. */
    private static final List<String> LOCKS = List.of(
            "java.util.concurrent.locks.ReentrantLock",
            "java.util.concurrent.locks.ReentrantReadWriteLock",
            "java.util.concurrent.locks.StampedLock");

    /** The packages of library code that waits for locks or requests collections: the caller is of interest. */
    private static final List<String> LIBRARY = List.of(
            "java.util.concurrent.",
            "jdk.internal.",
            "sun.misc.Unsafe.",
            "java.lang.VirtualThread.",
            "java.lang.System.gc",
            "java.lang.Runtime.gc");

    private final TraceBuilder builder;
    private final JvmRun recording;
    private final int park;
    private final int wait;
    private final int sleep;
    private final int io;
    private final int classes;
    private final int method;
    private final int pinned;
    private final int collection;
    private final int critical;

    /** The start or the end of a thread. */
    @FunctionalInterface
    private interface LifeEvent {
        void accept(JfrThreads threads, int thread, long ns);
    }

    private ThreadEventImporter(TraceBuilder builder, JvmRun recording) {
        this.builder = builder;
        this.recording = recording;
        park = builder.intern("park");
        wait = builder.intern("wait");
        sleep = builder.intern("sleep");
        io = builder.intern("io");
        classes = builder.intern("class");
        method = builder.intern("method");
        pinned = builder.intern("pinned");
        collection = builder.intern("gc");
        critical = builder.intern("jni");
    }

    static void bind(EventBindings kinds, TraceBuilder builder, JvmRun recording) {
        ThreadEventImporter events = new ThreadEventImporter(builder, recording);
        kinds.add(
                "jdk.JavaMonitorEnter", events::monitorEnter, "stackTrace", "previousOwner", "address", "monitorClass");
        kinds.add("jdk.JavaMonitorWait", events::monitorWait, "monitorClass", "stackTrace", "notifier", "timedOut");
        kinds.add("jdk.ThreadPark", events::park, "parkedClass", "stackTrace", "timeout");
        kinds.add("jdk.ThreadSleep", events::sleep, "stackTrace", "time");
        kinds.add("jdk.SystemGC", events::systemGc, "stackTrace");
        kinds.add("jdk.AllocationRequiringGC", events::allocation, "gcId");
        kinds.add(
                "jdk.ZAllocationStall",
                event -> events.plain(event, "GC: Wait For Completion Alloc", events.collection));
        kinds.add("jdk.GCLocker", event -> events.plain(event, JfrChunks.CRITICAL_SECTION, events.critical));
        kinds.add("jdk.VirtualThreadPinned", events::pinned, "pinnedReason", "stackTrace", "carrierThread");
        kinds.add("jdk.ClassLoad", events::classLoad, "loadedClass");
        kinds.add("jdk.SocketRead", event -> events.socket(event, "socket read "), SOCKET_FIELDS);
        kinds.add("jdk.SocketWrite", event -> events.socket(event, "socket write "), SOCKET_FIELDS);
        kinds.add("jdk.FileRead", event -> events.file(event, "file read "), FILE_FIELDS);
        kinds.add("jdk.FileWrite", event -> events.file(event, "file write "), FILE_FIELDS);
        kinds.add("jdk.FileForce", event -> events.file(event, "file force "), FILE_FIELDS);
        kinds.add("jdk.MethodTrace", events::methodTrace, "method");
        kinds.add("profiler.NativeLock", event -> events.plain(event, "Contending for pthread mutex", -1));
        kinds.add(
                "dev.unjank.MessageDispatch",
                events::messageDispatch,
                "handler",
                "callback",
                "what",
                "wait",
                "sender",
                "sent");
        kinds.add("dev.unjank.Stall", events::stall, "looper", "kind", "length", "over");
        kinds.add("dev.unjank.Frame", events::frame, "wait", "period", "missed", "skipped");
        kinds.add("jdk.ThreadStart", event -> events.life(event, JfrThreads::started), "thread");
        kinds.add("jdk.ThreadEnd", event -> events.life(event, JfrThreads::ended), "thread");
    }

    private void monitorEnter(FieldReader event) {
        int thread = recording.thread(event);
        if (thread == JfrThreads.NONE) {
            return;
        }
        ChunkConstants constants = recording.constants();
        String lockClass = recording.text(event, FOURTH);
        recording.monitors.add(
                thread,
                recording.start(event),
                recording.end(event),
                event.number(THIRD),
                constants.thread(event.value(SECOND)),
                recording.stacks().site(event.value(FIRST)),
                recording.waits.ofMonitor(
                        lockClass == null ? -1 : builder.intern(lockClass),
                        recording.stacks().stack(event.value(FIRST))));
    }

    private void monitorWait(FieldReader event) {
        int name = recording.textId("waiting on ", event, FIRST);
        int notifier = recording.constants().thread(event.value(THIRD));
        recording.slice(event, name, wait, recording.waits.ofWait(stack(event), notifier, event.number(FOURTH) != 0));
    }

    /**
     * Adds a park event. For a lock the name states that the owner is unknown, so that the wait is not taken for
     * idleness.
     */
    private void park(FieldReader event) {
        String blocker = recording.text(event, FIRST);
        int name;
        if (blocker != null && isLock(blocker)) {
            String site = recording.stacks().siteOutside(event.value(SECOND), LIBRARY);
            String from = site == null ? "" : " blocking from " + site;
            name = builder.intern(PARKING_ON + blocker + " (owner tid: 0)" + from);
        } else {
            name = recording.textId(PARKING_ON, event, FIRST);
        }
        long timeoutNs = event.number(THIRD);
        boolean isTimedOut = timeoutNs > 0 && recording.end(event) - recording.start(event) >= timeoutNs;
        recording.slice(event, name, park, recording.waits.ofWait(stack(event), JfrThreads.NONE, isTimedOut));
    }

    private void sleep(FieldReader event) {
        int stack = recording.stacks().stack(event.value(FIRST));
        recording.slice(event, builder.intern("sleeping"), sleep, recording.waits.ofSleep(stack, event.number(SECOND)));
    }

    /** The class initializer or native method that keeps the thread on its carrier is in the name, if recorded. */
    private void pinned(FieldReader event) {
        String reason = recording.text(event, FIRST);
        int carrier = recording.constants().thread(event.value(THIRD));
        recording.slice(
                event,
                builder.intern(JfrChunks.PINNED + (reason == null || reason.isEmpty() ? "" : ": " + reason)),
                pinned,
                recording.waits.ofPinned(stack(event), carrier));
    }

    /** The string id of the stack of a waiting thread, which becomes an arg of the wait; -1 if there is none. */
    private int stack(FieldReader event) {
        return recording.stacks().stack(event.value(SECOND));
    }

    private static boolean isLock(String className) {
        for (String lock : LOCKS) {
            if (className.startsWith(lock)
                    && (className.length() == lock.length() || className.charAt(lock.length()) == '$')) {
                return true;
            }
        }
        return false;
    }

    private void systemGc(FieldReader event) {
        String site = recording.stacks().siteOutside(event.value(FIRST), LIBRARY);
        String name = "System.gc()" + (site == null ? "" : " from " + site);
        int stack = recording.stacks().stack(event.value(FIRST));
        recording.slice(event, builder.intern(name), collection, recording.waits.ofStack(stack));
    }

    private void allocation(FieldReader event) {
        int thread = recording.thread(event);
        if (thread != JfrThreads.NONE) {
            recording.allocations.needs(thread, recording.start(event), event.number(FIRST));
        }
    }

    private void plain(FieldReader event, String name, int category) {
        recording.slice(event, builder.intern(name), category);
    }

    private void classLoad(FieldReader event) {
        recording.slice(event, recording.textId("class load ", event, FIRST), classes);
    }

    private void file(FieldReader event, String kind) {
        int name = recording.textId(kind, event, FIRST);
        recording.slice(event, name, io, recording.waits.ofStack(stack(event)));
    }

    private void socket(FieldReader event, String kind) {
        String host = recording.text(event, FIRST);
        String address = recording.text(event, THIRD);
        String peer = host != null && !host.isEmpty() ? host : address != null ? address : "";
        recording.slice(
                event,
                builder.intern(kind + peer + ":" + event.number(FOURTH)),
                io,
                recording.waits.ofStack(stack(event)));
    }

    private void methodTrace(FieldReader event) {
        String name = recording.stacks().methodText(event.value(FIRST));
        recording.slice(event, name == null ? -1 : builder.intern(name), method);
    }

    private void messageDispatch(FieldReader event) {
        int thread = recording.thread(event);
        if (thread == JfrThreads.NONE) {
            return;
        }
        ChunkConstants constants = recording.constants();
        String handler = recording.text(event, FIRST);
        String callback = recording.text(event, SECOND);
        int what = (int) event.number(THIRD);
        long start = recording.start(event);
        long wait = event.number(FOURTH);
        long sent = start - Math.max(0, event.number(SIXTH));
        int sender = sent < 0 ? JfrThreads.NONE : constants.thread(event.value(FIFTH));
        if (sender != JfrThreads.NONE) {
            recording.threads.firstSeen(sender, sent);
        }
        recording.messages.add(
                thread,
                start,
                recording.end(event),
                builder.intern(messageName(handler, callback, what)),
                what,
                sender,
                sent,
                wait);
        recording.counters.add(thread, "message wait", "ns", start, wait);
    }

    /**
     * The name as in {@code Handler.getTraceName}; a lambda's class is truncated after its name, since an address
     * follows.
     */
    static String messageName(@Nullable String handler, @Nullable String callback, int what) {
        String target = handler == null ? "message" : handlerClass(handler);
        if (callback == null) {
            return target + ": #" + what;
        }
        int lambda = callback.indexOf(LAMBDA);
        return target + ": " + (lambda < 0 ? callback : callback.substring(0, lambda + LAMBDA.length()));
    }

    /** The class of a handler from its {@code toString}: {@code Handler (dev.unjank.looper.Handler) {18911bd0}}. */
    private static String handlerClass(String handler) {
        int open = handler.indexOf('(');
        int close = handler.indexOf(')', open + 1);
        return open < 0 || close < 0 ? handler : handler.substring(open + 1, close);
    }

    private void frame(FieldReader event) {
        int thread = recording.thread(event);
        long start = recording.start(event);
        long due = start - Math.max(0, event.number(FIRST));
        if (thread != JfrThreads.NONE && due >= 0) {
            recording.frames.add(
                    thread,
                    start,
                    recording.end(event),
                    due,
                    Math.max(0, event.number(SECOND)),
                    event.number(THIRD) != 0,
                    event.number(FOURTH));
        }
    }

    private void stall(FieldReader event) {
        long at = recording.start(event);
        String looper = recording.text(event, FIRST);
        String kind = recording.text(event, SECOND);
        if (at >= 0 && looper != null && kind != null) {
            recording.stalls.add(looper, kind, at, event.number(THIRD), event.number(FOURTH) != 0);
        }
    }

    /** Threads start and end with events that may belong to other threads. */
    private void life(FieldReader event, LifeEvent action) {
        long at = recording.start(event);
        int thread = recording.constants().thread(event.value(FIRST));
        if (at >= 0 && thread != JfrThreads.NONE) {
            action.accept(recording.threads, thread, at);
        }
    }
}
