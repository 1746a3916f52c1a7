package dev.unjank.query.tables;

import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.lang.foreign.Arena;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Table {@code android_monitor_contention}, equal to trace processor's, but made from the model instead of by SQL,
 * which is slower.
 */
final class MonitorContentionTable {
    private static final String REPLY = "binder reply";
    private static final long NULL_VALUE = Long.MIN_VALUE;

    private final Trace trace;
    private final TrackIds tracks;
    private final Slices slices;
    private final Threads threads;
    private final Processes processes;

    private MonitorContentionTable(Trace trace, TrackIds tracks) {
        this.trace = trace;
        this.tracks = tracks;
        this.slices = trace.slices();
        this.threads = trace.threads();
        this.processes = trace.processes();
    }

    /** The definition of the table. */
    static TableDefinition of(Supplier<Trace> trace, Supplier<TrackIds> tracks) {
        return TableDefinition.table(
                "_android_monitor_contention",
                "blocking_method TEXT, blocked_method TEXT, short_blocking_method TEXT, short_blocked_method TEXT,"
                        + " blocking_src TEXT, blocked_src TEXT, waiter_count INT, blocked_utid INT,"
                        + " blocked_thread_name TEXT, blocking_utid INT, blocking_thread_name TEXT, blocking_tid INT,"
                        + " upid INT, process_name TEXT, id INT, ts INT, dur INT, monotonic_dur INT, track_id INT,"
                        + " is_blocked_thread_main INT, blocked_thread_tid INT, is_blocking_thread_main INT,"
                        + " blocking_thread_tid INT, binder_reply_id INT, binder_reply_ts INT, binder_reply_tid INT,"
                        + " pid INT",
                arena -> new MonitorContentionTable(trace.get(), tracks.get()).rows(arena));
    }

    /**
     * A monitor contention; {@code owner} is the utid of the thread with the tid in the name, -1 if the process has
     * none.
     */
    private record Contention(int slice, MonitorContentionName name, int utid, int upid, int owner, int reply) {}

    private NativeTable rows(Arena arena) {
        List<Contention> rows = contentions();
        NativeTable table = new NativeTable(arena, rows.size());
        strings(table, "blocking_method", rows, MonitorContentionName::blockingMethod);
        strings(table, "blocked_method", rows, MonitorContentionName::blockedMethod);
        strings(table, "short_blocking_method", rows, MonitorContentionName::shortBlockingMethod);
        strings(table, "short_blocked_method", rows, MonitorContentionName::shortBlockedMethod);
        strings(table, "blocking_src", rows, MonitorContentionName::blockingSource);
        strings(table, "blocked_src", rows, MonitorContentionName::blockedSource);
        strings(table, "blocking_thread_name", rows, MonitorContentionName::blockingThread);
        return table.longs(
                        "waiter_count",
                        NULL_VALUE,
                        row -> number(rows.get(row).name.waiters()))
                .longs(
                        "blocking_tid",
                        NULL_VALUE,
                        row -> number(rows.get(row).name.blockingTid()))
                .ints("blocked_utid", row -> rows.get(row).utid)
                .strings("blocked_thread_name", row -> threads.name(rows.get(row).utid))
                .ints("is_blocked_thread_main", -1, row -> isMain(rows.get(row).utid))
                .ints("blocked_thread_tid", row -> threads.tid(rows.get(row).utid))
                .ints("blocking_utid", -1, row -> rows.get(row).owner)
                .ints("is_blocking_thread_main", -1, row -> isMain(rows.get(row).owner))
                .ints("blocking_thread_tid", -1, row -> tid(rows.get(row).owner))
                .ints("upid", -1, row -> ProcessTable.upid(rows.get(row).upid))
                .strings("process_name", row -> processName(rows.get(row).upid))
                .ints("pid", -1, row -> rows.get(row).upid < 0 ? -1 : processes.pid(rows.get(row).upid))
                .ints("id", row -> rows.get(row).slice)
                .longs("ts", row -> slices.ts(rows.get(row).slice))
                .longs("dur", row -> slices.dur(rows.get(row).slice))
                .longs("monotonic_dur", row -> slices.dur(rows.get(row).slice))
                .ints("track_id", row -> tracks.ofThread(rows.get(row).utid))
                .ints("binder_reply_id", -1, row -> rows.get(row).reply)
                .longs("binder_reply_ts", NULL_VALUE, row -> replyTs(rows.get(row).reply))
                .ints("binder_reply_tid", -1, row -> rows.get(row).reply < 0 ? -1 : threads.tid(rows.get(row).utid));
    }

    private static void strings(
            NativeTable table,
            String column,
            List<Contention> rows,
            Function<MonitorContentionName, @Nullable String> part) {
        table.strings(column, row -> part.apply(rows.get(row).name));
    }

    private static long number(@Nullable Long number) {
        return number == null ? NULL_VALUE : number;
    }

    private int isMain(int utid) {
        return utid < 0 || threads.upid(utid) < 0 ? -1 : threads.isMain(utid) ? 1 : 0;
    }

    private int tid(int utid) {
        return utid < 0 ? -1 : threads.tid(utid);
    }

    private @Nullable String processName(int upid) {
        return upid < 0 ? null : processes.lastName(upid);
    }

    private long replyTs(int reply) {
        return reply < 0 ? NULL_VALUE : slices.ts(reply);
    }

    /** Contentions by start time; without those that lack a method in their name. */
    private List<Contention> contentions() {
        Map<Integer, MonitorContentionName> names = new HashMap<>();
        Map<Long, Integer> byTid = new HashMap<>();
        for (int utid = threads.size() - 1; utid >= 0; utid--) { // reused tids: the first thread wins
            byTid.put(key(threads.upid(utid), threads.tid(utid)), utid);
        }
        return new SliceNameFilter(trace, name -> name.startsWith(MonitorContentionName.PREFIX))
                .rows()
                .filter(row -> row < slices.firstAsync() && !slices.isOpen(row) && isLeafContention(row))
                .mapToObj(row -> contention(
                        row,
                        names.computeIfAbsent(slices.nameId(row), _ -> MonitorContentionName.of(slices.name(row))),
                        byTid))
                .filter(row -> row.name.shortBlockingMethod() != null && row.name.shortBlockedMethod() != null)
                .sorted(Comparator.comparingLong(row -> slices.ts(row.slice)))
                .toList();
    }

    private Contention contention(int row, MonitorContentionName name, Map<Long, Integer> byTid) {
        int utid = slices.utid(row);
        int upid = threads.upid(utid);
        long tid = number(name.blockingTid());
        int owner = upid >= 0 && tid == (int) tid ? byTid.getOrDefault(key(upid, (int) tid), -1) : -1;
        return new Contention(row, name, utid, upid, owner, reply(row));
    }

    private static long key(int upid, int tid) {
        return (long) upid << Integer.SIZE | Integer.toUnsignedLong(tid);
    }

    /** Whether a slice is empty or contains the runtime's own lock slice that is empty. */
    private boolean isLeafContention(int row) {
        int end = slices.end(slices.utid(row));
        boolean empty = true;
        boolean leaf = false;
        for (int child = row + 1; child < end && slices.depth(child) > slices.depth(row); child++) {
            if (slices.parent(child) == row) {
                empty = false;
                boolean hasChild = child + 1 < end && slices.parent(child + 1) == child;
                leaf |= !hasChild && slices.name(child).startsWith("Lock contention");
            }
        }
        return empty || leaf;
    }

    /** The outermost enclosing binder reply; -1 if there is none. */
    private int reply(int row) {
        int reply = -1;
        for (int around = slices.parent(row); around >= 0; around = slices.parent(around)) {
            if (slices.name(around).equals(REPLY)) {
                reply = around;
            }
        }
        return reply;
    }
}
