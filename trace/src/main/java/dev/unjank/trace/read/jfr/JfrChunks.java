package dev.unjank.trace.read.jfr;

import dev.unjank.trace.read.jfr.format.ChunkHeader;
import dev.unjank.trace.read.jfr.format.ChunkMetadata;
import dev.unjank.trace.read.jfr.format.ChunkScanner;
import dev.unjank.trace.read.jfr.format.ConstantPools;
import dev.unjank.trace.read.jfr.format.Cursor;
import dev.unjank.trace.read.jfr.format.DamagedRecordingException;
import dev.unjank.trace.read.jfr.format.FieldReader;
import dev.unjank.trace.read.jfr.format.JfrType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Splits a recording into chunks, for readers of recordings in progress. */
public final class JfrChunks {
    /** The counter of an optional event that links {@link System#nanoTime} to the recording's clock. */
    public static final String NANO_TIME = "nanoTime";

    /** The counter of the uncertainty of such a link, in ns. */
    public static final String NANO_TIME_ERROR = "nanoTime error";

    /** The counter of events that the recorder dropped because it was too slow, in bytes. */
    public static final String LOST = "lost by Flight Recorder";

    /**
     * The prefix of the slice of a garbage collection; followed by the collector's name, and its cause in parentheses
     * if known.
     */
    public static final String COLLECTION = "GC: ";

    /** The name of a slice in which a thread is inside a JNI critical section. */
    public static final String CRITICAL_SECTION = "JNI critical section";

    /**
     * The prefix of the slice of a thread that sleeps inside a critical call of the foreign function API; {@code from
     * METHOD} may follow.
     */
    public static final String CRITICAL_CALL = "critical native call";

    /** The arg of a monitor wait with the class of the monitor, which Android's slice names do not contain. */
    public static final String LOCK_CLASS = "lock class";

    /**
     * The arg of a wait with the thread's stack: a method per line, the innermost first, as Android's runtime writes
     * them.
     */
    public static final String STACK = "stack";

    /** The arg of a wait for a lock with the stack of the lock's owner, in the same form. */
    public static final String OWNER_STACK = "owner stack";

    /** The arg of a wait with the tid of the thread that ended it, such as the caller of {@code notify}. */
    public static final String WAKER = "waker";

    /** The arg of a wait that ended since its time limit had passed. */
    public static final String TIMED_OUT = "timed out";

    /** The arg of a pinned virtual thread with the tid of its carrier. */
    public static final String CARRIER = "carrier";

    /** The arg of a sleep with the time that the thread asked for, in ns; the rest is the delay of its wake-up. */
    public static final String SLEEP_TIME = "sleep time";

    /** The name of a slice in which a virtual thread was pinned; {@code : REASON} may follow. */
    public static final String PINNED = "virtual thread pinned";

    /** The lowest tid of virtual threads, which have none in the operating system. */
    public static final int FIRST_VIRTUAL = JfrThreads.FIRST_VIRTUAL;

    private JfrChunks() {}

    /** {@return whether a counter links clocks: whether it is {@link #NANO_TIME} or {@link #NANO_TIME_ERROR}} */
    public static boolean isOfClocks(String counter) {
        return counter.equals(NANO_TIME) || counter.equals(NANO_TIME_ERROR);
    }

    /**
     * A chunk, which is a recording of its own.
     *
     * @param bytes the chunk's bytes
     * @param startTicks its start on the recording's clock, unique within a run
     * @param startNs its start on the wall clock, to which the times of the chunk are relative
     * @param ticksPerSecond the frequency of the recording's clock
     */
    public record Chunk(MemorySegment bytes, long startTicks, long startNs, long ticksPerSecond) {
        /**
         * {@return the time in ns between the starts of another chunk of the same run and this one, by the recording's
         * clock}
         */
        public long nanosSince(Chunk earlier) {
            return Math.round((startTicks - earlier.startTicks) * (1e9 / ticksPerSecond));
        }
    }

    /**
     * A thread of a Java program.
     *
     * @param javaId its id in Java
     * @param tid its id in the operating system; for a virtual thread its tid in the trace
     * @param name its name, empty if it has none
     */
    public record JavaThread(long javaId, int tid, String name) {
        /** {@return whether the thread has no id in the operating system} */
        public boolean isVirtual() {
            return tid >= JfrThreads.FIRST_VIRTUAL;
        }
    }

    /** {@return the chunks of a recording in order; bytes between them are dropped} */
    public static List<Chunk> split(MemorySegment file) {
        List<Chunk> chunks = new ArrayList<>();
        long at = ChunkHeader.next(file, 0);
        while (at < file.byteSize()) {
            ChunkHeader header = ChunkHeader.at(file, at);
            if (header == null) {
                at = ChunkHeader.next(file, at + 1);
                continue;
            }
            long trusted = header.trustedEnd(file);
            long end = trusted < 0 ? ChunkHeader.next(file, at + 1) : trusted;
            chunks.add(new Chunk(
                    file.asSlice(at, end - at), header.startTicks(), header.startNs(), header.ticksPerSecond()));
            at = ChunkHeader.next(file, end);
        }
        return chunks;
    }

    /** {@return the Java threads that a chunk names, with or without events: the JVM writes all live threads} */
    public static List<JavaThread> threads(MemorySegment chunk) {
        List<JavaThread> threads = new ArrayList<>();
        ChunkHeader header = ChunkHeader.at(chunk, 0);
        if (header == null || !header.compressed()) {
            return threads;
        }
        Cursor cursor = new Cursor(chunk, ChunkConstants.WINDOW);
        ChunkScanner scan = new ChunkScanner(chunk, cursor, header);
        scan.run();
        ChunkMetadata metadata = scan.metadata();
        JfrType type = metadata == null ? null : metadata.type("java.lang.Thread");
        if (metadata == null || type == null) {
            return threads;
        }
        ConstantPools pools = new ConstantPools(metadata);
        pools.request(type);
        for (int i = 0; i < scan.checkpointCount(); i++) {
            try {
                pools.read(cursor, scan.checkpoint(i), scan.next());
            } catch (DamagedRecordingException e) {
                break; // the rest cannot be found
            }
        }
        FieldReader projection = new FieldReader(type, List.of("osThreadId", "javaName", "javaThreadId"));
        LongConsumer read = position -> {
            JavaThread thread = thread(cursor, position, projection);
            if (thread != null) {
                threads.add(thread);
            }
        };
        pools.forEach(type, read);
        return threads;
    }

    private static @Nullable JavaThread thread(Cursor cursor, long position, FieldReader projection) {
        try {
            cursor.seek(position);
            projection.read(cursor);
            if (projection.value(2) <= 0) {
                return null; // a thread of the JVM itself
            }
            cursor.seek(projection.value(1));
            int form = cursor.one();
            String name = form == Cursor.STRING_CONSTANT ? null : cursor.string(form);
            return new JavaThread(
                    projection.value(2),
                    JfrThreads.tid(Math.max(0, projection.value(0)), projection.value(2)),
                    name == null ? "" : name);
        } catch (DamagedRecordingException e) {
            return null;
        }
    }
}
