package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;

/**
 * The layout of the creation, the renaming and the end of a thread.
 *
 * <pre>
 * TASK_NEW     A tid | name   B tid of the creator | flags of the system call
 * TASK_RENAME  A tid | name   header: 8 the process of the thread executes another program, of that name
 * TASK_END     A tid | 0      header: 8 the thread exits; it will still be switched out, and its tid is still in use
 * </pre>
 */
public final class TaskEvent {
    static final int NEW_WORDS = 4;
    static final int RENAME_WORDS = 3;
    static final int END_WORDS = 3;
    static final int NEW_IDS = EventKind.NAME_IN_A;
    static final int RENAME_IDS = EventKind.NAME_IN_A;
    static final int END_IDS = 0;

    private static final long EXIT_ONLY = 1L << 8;
    private static final long EXEC = 1L << 8;

    private TaskEvent() {}

    public static void addNew(EventLog log, long ts, int creatorTid, int tid, int name, int cloneFlags) {
        log.add(EventKind.TASK_NEW, ts, IntPair.pack(tid, name), IntPair.pack(creatorTid, cloneFlags));
    }

    public static void addRename(EventLog log, long ts, int tid, int name, boolean isExec) {
        log.add(EventKind.TASK_RENAME | (isExec ? EXEC : 0), ts, IntPair.pack(tid, name));
    }

    public static void addEnd(EventLog log, long ts, int tid, boolean exitOnly) {
        log.add(EventKind.TASK_END | (exitOnly ? EXIT_ONLY : 0), ts, IntPair.pack(tid, 0));
    }

    public static int tid(long[] words, int at) {
        return IntPair.high(words[at + EventKind.A]);
    }

    public static int name(long[] words, int at) {
        return IntPair.low(words[at + EventKind.A]);
    }

    public static int creatorTid(long[] words, int at) {
        return IntPair.high(words[at + EventKind.B]);
    }

    public static int cloneFlags(long[] words, int at) {
        return IntPair.low(words[at + EventKind.B]);
    }

    public static boolean isExec(long header) {
        return (header & EXEC) != 0;
    }

    public static boolean isExitOnly(long header) {
        return (header & EXIT_ONLY) != 0;
    }
}
