package dev.unjank.query.tables;

import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.trace.model.Processes;
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
 * {@code android_monitor_contention} as trace processor has it, made from the model at once instead of by some steps of SQL,
 * since most who ask for it wait for nothing else.
 */
final class MonitorContentionTable {
    private static final String REPLY = "binder reply";
    private static final long NO_NUMBER = Long.MIN_VALUE;

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

    /** The table, of a trace that is asked for when the rows are. */
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

    /** A wait; {@code owner} is the utid of the thread with the number in the name, -1 if there is none in the process. */
    private record Contention(int slice, MonitorContentionName name, int utid, int upid, int owner, int reply) {}

    private NativeTable rows(Arena arena) {
        List<Contention> rows = contentions();
        NativeTable table = new NativeTable(arena, rows.size());
        texts(table, "blocking_method", rows, MonitorContentionName::blockingMethod);
        texts(table, "blocked_method", rows, MonitorContentionName::blockedMethod);
        texts(table, "short_blocking_method", rows, MonitorContentionName::shortBlockingMethod);
        texts(table, "short_blocked_method", rows, MonitorContentionName::shortBlockedMethod);
        texts(table, "blocking_src", rows, MonitorContentionName::blockingSource);
        texts(table, "blocked_src", rows, MonitorContentionName::blockedSource);
        texts(table, "blocking_thread_name", rows, MonitorContentionName::blockingThread);
        return table.longs(
                        "waiter_count",
                        NO_NUMBER,
                        row -> number(rows.get(row).name.waiters()))
                .longs(
                        "blocking_tid",
                        NO_NUMBER,
                        row -> number(rows.get(row).name.blockingTid()))
                .ints("blocked_utid", row -> rows.get(row).utid)
                .texts("blocked_thread_name", row -> threads.name(rows.get(row).utid))
                .ints("is_blocked_thread_main", -1, row -> isMain(rows.get(row).utid))
                .ints("blocked_thread_tid", row -> threads.tid(rows.get(row).utid))
                .ints("blocking_utid", -1, row -> rows.get(row).owner)
                .ints("is_blocking_thread_main", -1, row -> isMain(rows.get(row).owner))
                .ints("blocking_thread_tid", -1, row -> tid(rows.get(row).owner))
                .ints("upid", -1, row -> rows.get(row).upid)
                .texts("process_name", row -> processName(rows.get(row).upid))
                .ints("pid", -1, row -> rows.get(row).upid < 0 ? -1 : processes.pid(rows.get(row).upid))
                .ints("id", row -> rows.get(row).slice)
                .longs("ts", row -> slices.ts(rows.get(row).slice))
                .longs("dur", row -> slices.dur(rows.get(row).slice))
                .longs("monotonic_dur", row -> slices.dur(rows.get(row).slice))
                .ints("track_id", row -> tracks.ofThread(rows.get(row).utid))
                .ints("binder_reply_id", -1, row -> rows.get(row).reply)
                .longs("binder_reply_ts", NO_NUMBER, row -> replyTs(rows.get(row).reply))
                .ints("binder_reply_tid", -1, row -> rows.get(row).reply < 0 ? -1 : threads.tid(rows.get(row).utid));
    }

    private static void texts(
            NativeTable table,
            String column,
            List<Contention> rows,
            Function<MonitorContentionName, @Nullable String> part) {
        table.texts(column, row -> part.apply(rows.get(row).name));
    }

    private static long number(@Nullable Long number) {
        return number == null ? NO_NUMBER : number;
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
        return reply < 0 ? NO_NUMBER : slices.ts(reply);
    }

    /** In order of time; without those of which the methods are not told. */
    private List<Contention> contentions() {
        Map<Integer, MonitorContentionName> names = new HashMap<>();
        Map<Long, Integer> byTid = new HashMap<>();
        for (int utid = threads.size() - 1; utid >= 0; utid--) { // of several with one number the first
            byTid.put(key(threads.upid(utid), threads.tid(utid)), utid);
        }
        return new SliceNameFilter(trace, name -> name.startsWith(MonitorContentionName.BEGINNING))
                .rows()
                .filter(row -> row < slices.firstAsync() && !slices.isOpen(row) && isUndisturbed(row))
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

    /** Whether a slice holds nothing, or among what it holds the runtime's own lock slice with nothing in it. */
    private boolean isUndisturbed(int row) {
        int end = slices.end(slices.utid(row));
        boolean empty = true;
        boolean undisturbed = false;
        for (int child = row + 1; child < end && slices.depth(child) > slices.depth(row); child++) {
            if (slices.parent(child) == row) {
                empty = false;
                boolean holds = child + 1 < end && slices.parent(child + 1) == child;
                undisturbed |= !holds && slices.name(child).startsWith("Lock contention");
            }
        }
        return empty || undisturbed;
    }

    /** The outermost binder reply around a slice, -1 if there is none. */
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
