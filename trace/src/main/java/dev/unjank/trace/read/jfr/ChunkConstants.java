package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.collections.LongToIntMap;
import dev.unjank.trace.read.jfr.format.ChunkMetadata;
import dev.unjank.trace.read.jfr.format.ConstantPools;
import dev.unjank.trace.read.jfr.format.ConstantReader;
import dev.unjank.trace.read.jfr.format.Cursor;
import dev.unjank.trace.read.jfr.format.DamagedRecordingException;
import dev.unjank.trace.read.jfr.format.FieldReader;
import dev.unjank.trace.read.jfr.format.JfrType;
import dev.unjank.trace.read.jfr.format.JfrType.Field;
import dev.unjank.trace.read.jfr.format.JfrType.Form;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the constants of a chunk that events refer to, on first use: threads as numbers of the whole recording,
 * stacks by {@link StackTraceReader}, all others as text. A missing or damaged constant counts as none: an event
 * without a thread's name is still an event.
 */
final class ChunkConstants {
    /** Deeper chains of references are circular. */
    private static final int MAX_DEPTH = 8;

    /** The window of the cursor: constants are small and scattered. */
    static final int WINDOW = 512;

    private static final List<String> TYPES = List.of(
            "java.lang.Thread",
            "java.lang.Class",
            "java.lang.String",
            "jdk.types.Symbol",
            "jdk.types.Method",
            "jdk.types.StackTrace",
            "jdk.types.ThreadState",
            "jdk.types.VMOperationType",
            "jdk.types.GCName",
            "jdk.types.GCCause");

    private final ConstantPools pools;
    private final Cursor cursor;
    private final TraceBuilder builder;
    private final JfrThreads threads;
    private final EarlierChunkThreads earlier;

    private final LongToIntMap threadNumbers = new LongToIntMap();
    private final Map<String, LongToIntMap> texts = new HashMap<>();
    private final Map<JfrType, FieldReader> namers = new HashMap<>();
    private final @Nullable ConstantReader threadReader;
    private final StackTraceReader stacks;

    private static final int OS_NAME = 0;
    private static final int OS_ID = 1;
    private static final int JAVA_NAME = 2;
    private static final int JAVA_ID = 3;

    ChunkConstants(
            ChunkMetadata metadata,
            ConstantPools pools,
            Cursor cursor,
            TraceBuilder builder,
            JfrThreads threads,
            EarlierChunkThreads earlier) {
        this.pools = pools;
        this.cursor = cursor;
        this.builder = builder;
        this.threads = threads;
        this.earlier = earlier;
        threadReader = reader(metadata, "java.lang.Thread", "osName", "osThreadId", "javaName", "javaThreadId");
        stacks = new StackTraceReader(metadata, this, cursor, builder);
    }

    /** A reader of some fields of a type's constants; null if there is no such type. */
    @Nullable
    ConstantReader reader(ChunkMetadata metadata, String type, String... fields) {
        JfrType found = metadata.type(type);
        return found == null ? null : reader(found, fields);
    }

    /** A reader of some fields of a type's constants. */
    ConstantReader reader(JfrType type, String... fields) {
        return new ConstantReader(pools, cursor, type, List.of(fields));
    }

    StackTraceReader stacks() {
        return stacks;
    }

    /** Requests the pools that are used here. */
    static void request(ChunkMetadata metadata, ConstantPools pools) {
        for (String name : TYPES) {
            JfrType type = metadata.type(name);
            if (type != null) {
                pools.request(type);
            }
        }
    }

    /** Makes the threads of this chunk known to later chunks. */
    void remember() {
        ConstantReader reader = threadReader;
        if (reader != null) {
            pools.forEachKey(reader.type(), this::readThread);
        }
    }

    /** The number of a thread in {@link JfrThreads}; {@link JfrThreads#NONE} if there is none. */
    int thread(long key) {
        if (key == FieldReader.ABSENT || key == 0) {
            return JfrThreads.NONE;
        }
        long known = threadNumbers.get(key);
        if (known != LongToIntMap.NONE) {
            return (int) known;
        }
        readThread(key);
        EarlierChunkThreads.Named named = earlier.get(key);
        if (named == null) {
            return JfrThreads.NONE;
        }
        int number = threads.add(named.osId(), named.javaId(), named.osName(), named.javaName());
        threadNumbers.put(key, number);
        return number;
    }

    /** Reads this chunk's constant of a thread, if there is one. */
    private void readThread(long key) {
        ConstantReader reader = threadReader;
        if (reader == null || !reader.read(key)) {
            return;
        }
        long osId = Math.max(0, reader.value(OS_ID));
        long javaId = Math.max(0, reader.value(JAVA_ID));
        String osName = text(reader.field(OS_NAME), reader.value(OS_NAME));
        String javaName = text(reader.field(JAVA_NAME), reader.value(JAVA_NAME));
        earlier.put(key, new EarlierChunkThreads.Named(osId, javaId, osName, javaName));
    }

    /** The string id of a prefix followed by {@link #text} of a constant, built once. */
    int textId(String prefix, @Nullable Field field, long value) {
        if (field == null || !field.constant() || field.array()) {
            return prefixed(prefix, text(field, value));
        }
        LongToIntMap known = texts.computeIfAbsent(prefix, _ -> new LongToIntMap());
        long id = known.get(value);
        if (id == LongToIntMap.NONE) {
            id = prefixed(prefix, text(field, value));
            known.put(value, id);
        }
        return (int) id;
    }

    private int prefixed(String prefix, @Nullable String text) {
        return builder.intern(text == null || text.isEmpty() ? withoutConstant(prefix) : prefix + text);
    }

    /**
     * The prefix without a constant: {@code parking on } becomes {@code parking}, as the caller of {@code park()} may
     * omit the blocker.
     */
    private static String withoutConstant(String prefix) {
        String words = prefix.strip();
        return words.endsWith(" on") ? words.substring(0, words.length() - 3) : words;
    }

    /** The value of a field as text: a string, or the name or the first string of a constant; null if there is none. */
    @Nullable
    String text(@Nullable Field field, long value) {
        if (field == null || field.array() || value == FieldReader.ABSENT) {
            return null;
        }
        try {
            return text(field, value, 0);
        } catch (DamagedRecordingException e) {
            return null;
        }
    }

    private @Nullable String text(Field field, long value, int depth) throws DamagedRecordingException {
        Form form = field.type().form();
        if (!field.constant()) {
            return form == Form.STRING ? string(field.type(), value, depth) : null;
        }
        long at = pools.position(field.type(), value);
        if (at == LongToIntMap.NONE || depth > MAX_DEPTH) {
            return null;
        }
        if (form == Form.STRING) {
            return string(field.type(), at, depth);
        }
        FieldReader name = namers.computeIfAbsent(field.type(), ChunkConstants::namer);
        Field nameField = name.field(0);
        if (nameField == null) {
            return null;
        }
        cursor.seek(at);
        name.read(cursor);
        String text = text(nameField, name.value(0), depth + 1);
        return text != null && field.type().name().equals("java.lang.Class") ? JavaNames.ofClass(text) : text;
    }

    private @Nullable String string(JfrType type, long at, int depth) throws DamagedRecordingException {
        cursor.seek(at);
        int form = cursor.one();
        if (form != Cursor.STRING_CONSTANT) {
            return cursor.string(form);
        }
        long constant = pools.position(type, cursor.varint());
        return constant == LongToIntMap.NONE || depth > MAX_DEPTH ? null : string(type, constant, depth + 1);
    }

    /** A reader of the field that names a constant: the one called {@code name}, or the first string. */
    private static FieldReader namer(JfrType type) {
        String name = "";
        for (Field field : type.fields()) {
            if (field.name().equals("name")) {
                return new FieldReader(type, List.of("name"));
            }
            if (name.isEmpty() && field.type().form() == Form.STRING) {
                name = field.name();
            }
        }
        return new FieldReader(type, List.of(name));
    }
}
