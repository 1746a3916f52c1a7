package dev.unjank.trace.read.jfr;

import dev.unjank.trace.Callstacks;
import dev.unjank.trace.TraceBuilder;
import dev.unjank.trace.read.jfr.Type.Field;
import dev.unjank.trace.read.jfr.Type.Form;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Reads the constants of a chunk that events refer to, each when it is asked for first: threads, classes, methods and stacks
 * as numbers of the whole recording or of the trace, everything else as text. One that is missing or damaged is as good as
 * none: an event without a stack is still an event.
 */
final class Constants {
    /** References to references deeper than this are a circle. */
    private static final int DEEPEST = 8;

    /** Enough for the cursor: constants are small, and lie anywhere. */
    static final int WINDOW = 512;

    /** Deeper stacks are cut at their outer end. */
    private static final int MOST_FRAMES = 2048;

    /** A stack that is told as a text is cut at its outer end, too: where it waits, a thread is near its innermost methods. */
    private static final int MOST_TOLD = 48;

    /** The frames of a library around a wait are fewer. */
    private static final int MOST_INNER = 24;

    private static final int NO_CALL = -1;
    private static final int NO_TEXT = -1;
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
    private final EarlierThreads earlier;

    private final KeyMap threadNumbers = new KeyMap();
    private final KeyMap calls = new KeyMap();
    private final KeyMap stacks = new KeyMap();
    private final Map<Place, String> sites = new HashMap<>();
    private final KeyMap methodNames = new KeyMap();
    private final Map<String, KeyMap> texts = new HashMap<>();
    private final Map<Type, Projection> namers = new HashMap<>();

    private final @Nullable Reader threadReader;
    private final @Nullable Reader methodReader;
    private final @Nullable Reader stackReader;
    private final @Nullable Reader frameReader;

    private static final int OS_NAME = 0;
    private static final int OS_ID = 1;
    private static final int JAVA_NAME = 2;
    private static final int JAVA_ID = 3;

    private static final int CLASS = 0;
    private static final int NAME = 1;
    private static final int DESCRIPTOR = 2;

    private static final int FRAMES = 0;
    private static final int METHOD = 0;
    private static final int LINE = 1;

    private long[] frameMethods = new long[64];
    private int[] frameLines = new int[64];

    /** A line of a method. */
    private record Place(long method, int line) {}

    /** Chosen fields of a type, and room for their values. */
    private static final class Reader {
        final Type type;
        final Projection projection;
        final long[] values;

        private Reader(Type type, String... names) {
            this.type = type;
            projection = new Projection(type, List.of(names));
            values = new long[names.length];
        }

        static @Nullable Reader of(@Nullable Type type, String... names) {
            return type == null ? null : new Reader(type, names);
        }
    }

    Constants(
            Metadata metadata,
            ConstantPools pools,
            Cursor cursor,
            TraceBuilder builder,
            JfrThreads threads,
            EarlierThreads earlier) {
        this.pools = pools;
        this.cursor = cursor;
        this.builder = builder;
        this.threads = threads;
        this.earlier = earlier;
        threadReader = Reader.of(metadata.type("java.lang.Thread"), "osName", "osThreadId", "javaName", "javaThreadId");
        methodReader = Reader.of(metadata.type("jdk.types.Method"), "type", "name", "descriptor");
        stackReader = Reader.of(metadata.type("jdk.types.StackTrace"), "frames");
        Field frames = stackReader == null ? null : stackReader.projection.field(FRAMES);
        frameReader = frames == null || !frames.array() || frames.constant()
                ? null
                : Reader.of(frames.type(), "method", "lineNumber");
    }

    /** The pools that are asked for here. */
    static void want(Metadata metadata, ConstantPools pools) {
        for (String name : TYPES) {
            Type type = metadata.type(name);
            if (type != null) {
                pools.want(type);
            }
        }
    }

    /** Has later chunks know the threads of this one. */
    void remember() {
        Reader reader = threadReader;
        if (reader != null) {
            pools.forEachKey(reader.type, this::readThread);
        }
    }

    /** The number in {@link JfrThreads} of a thread; {@link JfrThreads#NONE} if there is none. */
    int thread(long key) {
        if (key == Projection.ABSENT || key == 0) {
            return JfrThreads.NONE;
        }
        long known = threadNumbers.get(key);
        if (known != KeyMap.NONE) {
            return (int) known;
        }
        readThread(key);
        EarlierThreads.Named named = earlier.get(key);
        if (named == null) {
            return JfrThreads.NONE;
        }
        int number = threads.add(named.osId(), named.javaId(), named.osName(), named.javaName());
        threadNumbers.put(key, number);
        return number;
    }

    /** Takes down what this chunk says of a thread, if it says anything. */
    private void readThread(long key) {
        Reader reader = threadReader;
        if (reader == null || !read(reader, key)) {
            return;
        }
        long[] values = reader.values;
        long osId = Math.max(0, values[OS_ID]);
        long javaId = Math.max(0, values[JAVA_ID]);
        String osName = text(reader.projection.field(OS_NAME), values[OS_NAME]);
        String javaName = text(reader.projection.field(JAVA_NAME), values[JAVA_NAME]);
        earlier.put(key, new EarlierThreads.Named(osId, javaId, osName, javaName));
    }

    /** The builder's number of the innermost call of a stack; -1 if there is none. */
    int call(long key) {
        if (key == Projection.ABSENT) {
            return NO_CALL;
        }
        long known = calls.get(key);
        if (known != KeyMap.NONE) {
            return (int) known - 1;
        }
        int call = NO_CALL;
        for (int frame = readFrames(key, MOST_FRAMES) - 1; frame >= 0; frame--) {
            int name = methodName(frameMethods[frame]);
            if (name >= 0) {
                int line = frameLines[frame] > 0 ? frameLines[frame] : Callstacks.NO_LINE;
                call = builder.call(call, name, -1, line);
            }
        }
        calls.put(key, call + 1L);
        return call;
    }

    /** The builder's number of a stack as a text, a method per line, the innermost first, each as {@link #site(long)}; -1 if there is none. */
    int stack(long key) {
        if (key == Projection.ABSENT) {
            return NO_TEXT;
        }
        long known = stacks.get(key);
        if (known != KeyMap.NONE) {
            return (int) known - 1;
        }
        StringJoiner lines = new StringJoiner("\n");
        int count = readFrames(key, MOST_TOLD);
        for (int frame = 0; frame < count; frame++) {
            lines.add(Objects.requireNonNullElse(site(frameMethods[frame], frameLines[frame]), JavaNames.UNKNOWN_SITE));
        }
        int text = count == 0 ? NO_TEXT : builder.intern(lines.toString());
        stacks.put(key, text + 1L);
        return text;
    }

    /**
     * The innermost method of a stack, as Android's runtime writes it, with the outermost class for a file's name, which a
     * recording does not have; null if there is none.
     */
    @Nullable
    String site(long key) {
        return key == Projection.ABSENT || readFrames(key, 1) == 0 ? null : site(frameMethods[0], frameLines[0]);
    }

    /**
     * As {@link #site(long)}, of the innermost method outside of some packages or classes; of the innermost of all if there is
     * none.
     *
     * @param inner what the names of the methods that are passed over begin with
     */
    @Nullable
    String siteOutside(long key, List<String> inner) {
        int count = key == Projection.ABSENT ? 0 : readFrames(key, MOST_INNER);
        if (count == 0) {
            return null;
        }
        for (int frame = 0; frame < count; frame++) {
            String name = methodText(frameMethods[frame]);
            if (name != null && inner.stream().noneMatch(name::startsWith)) {
                return site(frameMethods[frame], frameLines[frame]);
            }
        }
        return site(frameMethods[0], frameLines[0]);
    }

    private @Nullable String site(long methodKey, int line) {
        Place place = new Place(methodKey, line);
        String known = sites.get(place);
        if (known != null) {
            return known;
        }
        String[] method = method(place.method);
        if (method == null) {
            return null;
        }
        String file = JavaNames.outermostSimple(method[CLASS]) + (line > 0 ? ":" + line : "");
        String site = JavaNames.signature(methodName(method), method[DESCRIPTOR]) + "(" + file + ")";
        sites.put(place, site);
        return site;
    }

    /** Reads the innermost frames of a stack, and returns how many there are. */
    private int readFrames(long key, int most) {
        Reader stack = stackReader;
        Reader frame = frameReader;
        if (stack == null || frame == null || !read(stack, key)) {
            return 0;
        }
        try {
            cursor.seek(stack.values[FRAMES]);
            int count = Math.min(most, cursor.count());
            if (count > frameMethods.length) {
                frameMethods = new long[count];
                frameLines = new int[count];
            }
            Layout layout = frame.type.layout();
            for (int i = 0; i < count; i++) {
                long at = cursor.position();
                frame.projection.read(cursor, frame.values);
                frameMethods[i] = frame.values[METHOD];
                frameLines[i] = (int) frame.values[LINE]; // of native methods -1, written as four bytes without a sign
                cursor.seek(at);
                layout.skip(cursor);
            }
            return count;
        } catch (DamagedException e) {
            return 0;
        }
    }

    private int methodName(long key) {
        long known = methodNames.get(key);
        if (known != KeyMap.NONE) {
            return (int) known - 1;
        }
        String[] method = method(key);
        int name = method == null ? -1 : builder.intern(methodName(method));
        methodNames.put(key, name + 1L);
        return name;
    }

    private static String methodName(String[] method) {
        return method[CLASS].isEmpty() ? method[NAME] : method[CLASS] + "." + method[NAME];
    }

    /** The name of a method with its class; null if there is none. */
    @Nullable
    String methodText(long key) {
        String[] method = method(key);
        return method == null ? null : methodName(method);
    }

    /** Class, name and descriptor of a method; null if there is none. */
    private String @Nullable [] method(long key) {
        Reader reader = methodReader;
        if (reader == null || !read(reader, key)) {
            return null;
        }
        long type = reader.values[CLASS];
        long name = reader.values[NAME];
        long descriptor = reader.values[DESCRIPTOR];
        String className = text(reader.projection.field(CLASS), type);
        String methodName = text(reader.projection.field(NAME), name);
        String descriptorText = text(reader.projection.field(DESCRIPTOR), descriptor);
        if (methodName == null) {
            return null;
        }
        return new String[] {
            className == null ? "" : JavaNames.ofClass(className),
            methodName,
            descriptorText == null ? "" : descriptorText
        };
    }

    private boolean read(Reader reader, long key) {
        long at = pools.position(reader.type, key);
        if (at == KeyMap.NONE) {
            return false;
        }
        try {
            cursor.seek(at);
            reader.projection.read(cursor, reader.values);
            return true;
        } catch (DamagedException e) {
            return false;
        }
    }

    /**
     * The builder's number of a text and what {@link #text} says of a constant behind it, put together once.
     *
     * @param prefix for constants of one type
     * @return the number; that of the prefix if there is nothing to be said
     */
    int textId(String prefix, @Nullable Field field, long value) {
        if (field == null || !field.constant() || field.array()) {
            return prefixed(prefix, text(field, value));
        }
        KeyMap known = texts.computeIfAbsent(prefix, _ -> new KeyMap());
        long id = known.get(value);
        if (id == KeyMap.NONE) {
            id = prefixed(prefix, text(field, value));
            known.put(value, id);
        }
        return (int) id;
    }

    private int prefixed(String prefix, @Nullable String text) {
        return builder.intern(text == null || text.isEmpty() ? alone(prefix) : prefix + text);
    }

    /** {@code parking on } in front of nothing, as the caller of {@code park()} need not say on what: {@code parking}. */
    private static String alone(String prefix) {
        String words = prefix.strip();
        return words.endsWith(" on") ? words.substring(0, words.length() - 3) : words;
    }

    /** What the value of a field says in words: a text, or the name or the first text of a constant; null if nothing. */
    @Nullable
    String text(@Nullable Field field, long value) {
        if (field == null || field.array() || value == Projection.ABSENT) {
            return null;
        }
        try {
            return text(field, value, 0);
        } catch (DamagedException e) {
            return null;
        }
    }

    private @Nullable String text(Field field, long value, int depth) throws DamagedException {
        Form form = field.type().form();
        if (!field.constant()) {
            return form == Form.STRING ? string(field.type(), value, depth) : null;
        }
        long at = pools.position(field.type(), value);
        if (at == KeyMap.NONE || depth > DEEPEST) {
            return null;
        }
        if (form == Form.STRING) {
            return string(field.type(), at, depth);
        }
        Projection name = namers.computeIfAbsent(field.type(), Constants::namer);
        Field nameField = name.field(0);
        if (nameField == null) {
            return null;
        }
        long[] values = new long[1];
        cursor.seek(at);
        name.read(cursor, values);
        String text = text(nameField, values[0], depth + 1);
        return text != null && field.type().name().equals("java.lang.Class") ? JavaNames.ofClass(text) : text;
    }

    private @Nullable String string(Type type, long at, int depth) throws DamagedException {
        cursor.seek(at);
        int form = cursor.one();
        if (form != Cursor.STRING_CONSTANT) {
            return cursor.string(form);
        }
        long constant = pools.position(type, cursor.varint());
        return constant == KeyMap.NONE || depth > DEEPEST ? null : string(type, constant, depth + 1);
    }

    /** Reads the field that names a constant: the one called so, or the first text. */
    private static Projection namer(Type type) {
        String name = "";
        for (Field field : type.fields()) {
            if (field.name().equals("name")) {
                return new Projection(type, List.of("name"));
            }
            if (name.isEmpty() && field.type().form() == Form.STRING) {
                name = field.name();
            }
        }
        return new Projection(type, List.of(name));
    }
}
