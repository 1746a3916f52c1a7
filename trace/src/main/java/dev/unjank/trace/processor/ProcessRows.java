package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import dev.unjank.trace.collections.IntList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Threads and processes. Row 0 of both is the idle process. A tid or pid that is used again gets a new row; threads whose
 * process is unknown wait until one of the threads with which they share it has one.
 */
final class ProcessRows {
    /** Sources of thread names; a name is replaced by one of an equal or more reliable source. */
    enum NameSource {
        UNKNOWN,
        FTRACE,
        PROCESS_TREE,
        TRACK_DESCRIPTOR,
        CONSTANT
    }

    private static final int UTID_TID = 2;
    private static final int THREAD_NAME = 3;
    private static final int THREAD_START = 4;
    private static final int THREAD_END = 5;
    private static final int THREAD_UPID = 6;
    private static final int IS_MAIN = 7;
    private static final int PID = 2;
    private static final int PROCESS_NAME = 3;
    private static final int PROCESS_START = 4;
    private static final int PROCESS_END = 5;
    private static final int PARENT = 6;
    private static final int UID = 7;
    private static final int APP_ID = 8;
    private static final int USER_ID = 9;
    private static final int CMDLINE = 10;
    private static final int PROCESS_ARGS = 11;
    private static final int UIDS_PER_USER = 100_000;

    final ProcessorTable threads = new ProcessorTable(
            "thread",
            "utid INT, id INT, tid INT, name TEXT, start_ts INT, end_ts INT, upid INT, is_main_thread INT, is_idle INT,"
                    + " machine_id INT, arg_set_id INT");
    final ProcessorTable processes = new ProcessorTable(
            "process",
            "upid INT, id INT, pid INT, name TEXT, start_ts INT, end_ts INT, parent_upid INT, uid INT, android_appid INT,"
                    + " android_user_id INT, cmdline TEXT, arg_set_id INT, machine_id INT");

    private record Pair(int first, int second) {}

    private final Map<Long, IntList> utidsOfTid = new HashMap<>();
    private final Map<Long, Integer> upidOfPid = new HashMap<>();
    private final List<NameSource> nameSources = new ArrayList<>();
    private final List<Pair> unresolved = new ArrayList<>();
    private final List<Pair> unresolvedParents = new ArrayList<>();
    private final Map<Integer, ArgList> processArgs = new HashMap<>();

    ProcessRows(int swapper) {
        threads.add(0, 0, 0, swapper, NULL, NULL, 0, 1, 1, 0);
        nameSources.add(NameSource.CONSTANT);
        processes.add(0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
    }

    /** Makes pid and tid 0 the idle process, as in traces of Linux. */
    void idleProcessHasPidZero() {
        if (!utidsOfTid.containsKey(0L)) {
            IntList idle = new IntList();
            idle.add(0);
            utidsOfTid.put(0L, idle);
            upidOfPid.put(0L, 0);
        }
    }

    int startThread(long ts, long tid) {
        int utid = threads.rows();
        threads.add(utid, utid, tid, NULL, ts, NULL, NULL, NULL, 0, 0);
        nameSources.add(NameSource.UNKNOWN);
        utidsOfTid.computeIfAbsent(tid, _ -> new IntList()).add(utid);
        return utid;
    }

    void endThread(long ts, long tid) {
        int utid = threadOrNone(tid);
        if (utid < 0) {
            return;
        }
        threads.set(utid, THREAD_END, ts);
        long upid = threads.get(utid, THREAD_UPID);
        if (upid != NULL && processes.get((int) upid, PID) == tid) {
            processes.set((int) upid, PROCESS_END, ts);
            upidOfPid.remove(tid);
        }
    }

    /** The living thread with a tid, -1 if there is none. */
    int threadOrNone(long tid) {
        return find(tid, -1);
    }

    int thread(long tid) {
        int utid = find(tid, -1);
        return utid < 0 ? startThread(NULL, tid) : utid;
    }

    boolean isAlive(int utid) {
        if (threads.get(utid, THREAD_END) != NULL) {
            return false;
        }
        long upid = threads.get(utid, THREAD_UPID);
        if (upid == NULL) {
            return true;
        }
        if (processes.get((int) upid, PROCESS_END) != NULL) {
            return false;
        }
        Integer current = upidOfPid.get(processes.get((int) upid, PID));
        return current == null || current == upid;
    }

    private int find(long tid, long pid) {
        IntList utids = utidsOfTid.get(tid);
        for (int i = utids == null ? -1 : utids.size() - 1; i >= 0; i--) {
            int utid = utids.get(i);
            if (isAlive(utid)) {
                long upid = threads.get(utid, THREAD_UPID);
                if (upid == NULL || pid < 0 || processes.get((int) upid, PID) == pid) {
                    return utid;
                }
            }
        }
        return -1;
    }

    /** The thread with a tid in the process with a pid. */
    int thread(long tid, long pid) {
        int utid = tid == 0 && utidsOfTid.containsKey(0L) ? 0 : find(tid, pid);
        if (utid < 0) {
            process(pid); // its main thread comes first
            utid = find(tid, pid);
        }
        if (utid < 0) {
            utid = startThread(NULL, tid);
        }
        if (threads.get(utid, THREAD_UPID) == NULL) {
            bind(utid, process(pid));
        }
        resolve(utid, (int) threads.get(utid, THREAD_UPID));
        return utid;
    }

    int process(long pid) {
        Integer known = upidOfPid.get(pid);
        if (known != null) {
            return known;
        }
        int upid = processes.rows();
        processes.add(upid, upid, pid, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);
        upidOfPid.put(pid, upid);
        thread(pid, pid);
        return upid;
    }

    /** The living process with a pid, -1 if there is none. */
    int processOrNone(long pid) {
        return upidOfPid.getOrDefault(pid, -1);
    }

    int startProcess(long ts, long parentTid, long pid, int name, NameSource source) {
        upidOfPid.remove(pid);
        int utid = startThread(ts, pid);
        nameThread(utid, name, source);
        int upid = process(pid);
        processes.set(upid, PROCESS_START, ts);
        nameProcess(upid, name);
        if (parentTid >= 0) {
            int parent = thread(parentTid);
            long parentUpid = threads.get(parent, THREAD_UPID);
            if (parentUpid == NULL) {
                unresolvedParents.add(new Pair(parent, upid));
            } else {
                processes.set(upid, PARENT, parentUpid);
            }
        }
        return upid;
    }

    /** Threads of one process, which may be unknown. */
    void associate(int one, int other) {
        long first = threads.get(one, THREAD_UPID);
        long second = threads.get(other, THREAD_UPID);
        if (first != NULL && second == NULL) {
            bind(other, (int) first);
            resolve(other, (int) first);
        } else if (second != NULL && first == NULL) {
            bind(one, (int) second);
            resolve(one, (int) second);
        } else if (first == NULL) {
            unresolved.add(new Pair(one, other));
        }
    }

    private void bind(int utid, int upid) {
        threads.set(utid, THREAD_UPID, upid);
        threads.set(utid, IS_MAIN, threads.get(utid, UTID_TID) == processes.get(upid, PID) ? 1 : 0);
    }

    private void resolve(int utid, int upid) {
        if (unresolved.isEmpty() && unresolvedParents.isEmpty()) {
            return;
        }
        unresolvedParents.removeIf(pair -> {
            if (pair.first == utid) {
                processes.set(pair.second, PARENT, upid);
            }
            return pair.first == utid;
        });
        for (int i = 0; i < unresolved.size(); i++) {
            Pair pair = unresolved.get(i);
            if (pair.first == utid || pair.second == utid) {
                int other = pair.first == utid ? pair.second : pair.first;
                unresolved.remove(i--);
                if (threads.get(other, THREAD_UPID) == NULL) {
                    bind(other, upid);
                    resolve(other, upid);
                    i = -1;
                }
            }
        }
    }

    int nameThread(long tid, int name, NameSource source) {
        int utid = thread(tid);
        nameThread(utid, name, source);
        return utid;
    }

    void nameThread(int utid, int name, NameSource source) {
        if (name >= 0 && source.compareTo(nameSources.get(utid)) >= 0) {
            threads.set(utid, THREAD_NAME, name);
            nameSources.set(utid, source);
        }
    }

    /** Names a thread and, if it is a main thread, its process. */
    void nameThreadAndProcess(long tid, int name, NameSource source) {
        int utid = nameThread(tid, name, source);
        long upid = threads.get(utid, THREAD_UPID);
        if (upid != NULL && processes.get((int) upid, PID) == tid) {
            nameProcess((int) upid, name);
        }
    }

    void nameProcess(int upid, int name) {
        processes.set(upid, PROCESS_NAME, name < 0 ? NULL : name);
    }

    void nameProcessIfUnnamed(int upid, int name) {
        if (processes.get(upid, PROCESS_NAME) == NULL) {
            nameProcess(upid, name);
        }
    }

    void commandLine(int upid, int cmdline) {
        processes.set(upid, CMDLINE, cmdline < 0 ? NULL : cmdline);
    }

    void parent(int upid, int parent) {
        processes.set(upid, PARENT, parent);
    }

    void user(int upid, long uid) {
        processes.set(upid, UID, uid);
        processes.set(upid, APP_ID, uid % UIDS_PER_USER);
        processes.set(upid, USER_ID, uid / UIDS_PER_USER);
    }

    void startIfUnknown(int upid, long ts) {
        if (processes.get(upid, PROCESS_START) == NULL) {
            processes.set(upid, PROCESS_START, ts);
        }
    }

    long nameOf(int utid) {
        return threads.get(utid, THREAD_NAME);
    }

    /** The upid of a thread's process, -1 if unknown. */
    int processOf(int utid) {
        long upid = threads.get(utid, THREAD_UPID);
        return upid == NULL ? -1 : (int) upid;
    }

    void addArgs(int upid, ArgList args) {
        processArgs.put(upid, args);
    }

    void finish(ArgSets sets) {
        processArgs.forEach((upid, args) -> processes.set(upid, PROCESS_ARGS, sets.add(args.args())));
    }
}
