package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;

/**
 * The layout of a process and of a thread in a list of them.
 *
 * <pre>
 * PROCESS  header 8 it runs a Java virtual machine   32..63 name   A pid | parent's pid   B uid
 * THREAD   header 8 the name was set by the program, 9 the thread starts   32..63 name   A tid | pid
 * THREAD_END  A tid | pid
 * </pre>
 */
public final class ProcessEvent {
    static final int WORDS = 4;
    static final int THREAD_WORDS = 3;
    static final int IDS = EventKind.NAME_IN_HEADER;
    static final int THREAD_IDS = EventKind.NAME_IN_HEADER;

    private static final long IS_JVM = 1L << 8;
    private static final long IS_SET_BY_PROGRAM = 1L << 8;
    private static final long IS_START = 1L << 9;

    private ProcessEvent() {}

    public static void add(EventLog log, long ts, int pid, int parentPid, int name, int uid, boolean isJvm) {
        long header = EventKind.withName(EventKind.PROCESS, name) | (isJvm ? IS_JVM : 0);
        log.add(header, ts, IntPair.pack(pid, parentPid), uid);
    }

    public static void addThread(EventLog log, long ts, int tid, int pid, int name, boolean isSetByProgram) {
        long header = EventKind.withName(EventKind.THREAD, name) | (isSetByProgram ? IS_SET_BY_PROGRAM : 0);
        log.add(header, ts, IntPair.pack(tid, pid));
    }

    /** Adds a thread that starts and is named by its program. */
    public static void addStart(EventLog log, long ts, int tid, int pid, int name) {
        long header = EventKind.withName(EventKind.THREAD, name) | IS_SET_BY_PROGRAM | IS_START;
        log.add(header, ts, IntPair.pack(tid, pid));
    }

    /** Adds the end of a thread of a process. */
    public static void addEnd(EventLog log, long ts, int tid, int pid) {
        log.add(EventKind.THREAD_END, ts, IntPair.pack(tid, pid));
    }

    public static int pid(long[] words, int at) {
        return IntPair.high(words[at + EventKind.A]);
    }

    public static int parentPid(long[] words, int at) {
        return IntPair.low(words[at + EventKind.A]);
    }

    public static int uid(long[] words, int at) {
        return (int) words[at + EventKind.B];
    }

    public static boolean isJvm(long header) {
        return (header & IS_JVM) != 0;
    }

    public static int tid(long[] words, int at) {
        return IntPair.high(words[at + EventKind.A]);
    }

    public static int pidOfThread(long[] words, int at) {
        return IntPair.low(words[at + EventKind.A]);
    }

    public static boolean isStart(long header) {
        return (header & IS_START) != 0;
    }

    public static boolean isSetByProgram(long header) {
        return (header & IS_SET_BY_PROGRAM) != 0;
    }
}
