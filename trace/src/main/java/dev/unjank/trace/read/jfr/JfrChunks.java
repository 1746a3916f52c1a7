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

/** The chunks of a recording one by one, for those who read a recording while it is being made. */
public final class JfrChunks {
    /** Of an event that ties {@link System#nanoTime} to a recording's own clock, if the program writes it: its counter's name. */
    public static final String NANO_TIME = "nanoTime";

    /** The counter of how far the two readings of such a tie may lie apart, ns. */
    public static final String NANO_TIME_ERROR = "nanoTime error";

    /** The counter of what the recorder has thrown away, since it was too slow: bytes, each time. */
    public static final String LOST = "lost by Flight Recorder";

    /** How the slice begins of a whole collection; behind it is the collector's name, and its cause in parentheses if that is told. */
    public static final String COLLECTION = "GC: ";

    /** The name of a slice in which a thread is inside a JNI critical section. */
    public static final String CRITICAL_SECTION = "JNI critical section";

    /**
     * How the slice begins of a thread that sleeps inside a critical call of the foreign function API; behind it, {@code from
     * METHOD} may say where that was made.
     */
    public static final String CRITICAL_CALL = "critical native call";

    /** The argument of a wait for a monitor that says of what class its object is: Android's names have no place for that. */
    public static final String LOCK_CLASS = "lock class";

    /** The argument of a wait that says where the thread was: a method per line, the innermost first, as Android's runtime writes them. */
    public static final String STACK = "stack";

    /** Numbers of threads from here on are of virtual threads, which have none in the operating system. */
    public static final int FIRST_VIRTUAL = JfrThreads.FIRST_VIRTUAL;

    private JfrChunks() {}

    /**
     * Whether a counter is one of those that tie clocks together.
     *
     * @param counter its name
     * @return true for {@link #NANO_TIME} and {@link #NANO_TIME_ERROR}
     */
    public static boolean isOfClocks(String counter) {
        return counter.equals(NANO_TIME) || counter.equals(NANO_TIME_ERROR);
    }

    /**
     * A chunk, which is a recording by itself.
     *
     * @param bytes of the chunk
     * @param startTicks when it began on the recording's own clock: no other chunk of the same run has the same
     * @param startNs the same on the wall clock, from which the times of the chunk are counted
     * @param ticksPerSecond how fast the recording's own clock goes
     */
    public record Chunk(MemorySegment bytes, long startTicks, long startNs, long ticksPerSecond) {
        /**
         * How long after another chunk of the same run this one began, by the recording's own clock.
         *
         * @param earlier the other
         * @return ns
         */
        public long nanosSince(Chunk earlier) {
            return Math.round((startTicks - earlier.startTicks) * (1e9 / ticksPerSecond));
        }
    }

    /**
     * A thread of a Java program.
     *
     * @param javaId its number in Java
     * @param tid its number in the operating system; for a virtual thread the one that it has in a trace
     * @param name its name, empty if it has none
     */
    public record JavaThread(long javaId, int tid, String name) {
        /**
         * Whether the thread has no number in the operating system.
         *
         * @return true for a virtual thread
         */
        public boolean isVirtual() {
            return tid >= JfrThreads.FIRST_VIRTUAL;
        }
    }

    /**
     * Takes a recording apart.
     *
     * @param file its bytes, unpacked
     * @return its chunks in their order; what is between them is left out
     */
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

    /**
     * All threads that a chunk knows, whether anything happens to them in it or not: a virtual machine writes those that live.
     *
     * @param chunk a chunk
     * @return its Java threads; empty if the chunk does not say
     */
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
                break; // what follows cannot be found
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
        long[] values = new long[3];
        try {
            cursor.seek(position);
            projection.read(cursor, values);
            if (values[2] <= 0) {
                return null; // a thread of the virtual machine's own
            }
            cursor.seek(values[1]);
            int form = cursor.one();
            String name = form == Cursor.STRING_CONSTANT ? null : cursor.string(form);
            return new JavaThread(
                    values[2], JfrThreads.tid(Math.max(0, values[0]), values[2]), name == null ? "" : name);
        } catch (DamagedRecordingException e) {
            return null;
        }
    }
}
