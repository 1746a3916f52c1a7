package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.collections.LongToIntMap;
import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.read.jfr.format.ChunkMetadata;
import dev.unjank.trace.read.jfr.format.ConstantReader;
import dev.unjank.trace.read.jfr.format.Cursor;
import dev.unjank.trace.read.jfr.format.DamagedRecordingException;
import dev.unjank.trace.read.jfr.format.FieldReader;
import dev.unjank.trace.read.jfr.format.JfrType.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Reads the stacks of a chunk and their methods, on first use: as calls of the trace, or as strings. A missing or
 * damaged stack counts as none: an event without a stack is still an event.
 */
final class StackTraceReader {
    /** Deeper stacks are truncated at their outer end. */
    private static final int MAX_FRAMES = 2048;

    /** The maximum depth of a stack as a string: a waiting thread is near its innermost methods. */
    private static final int MAX_FRAMES_AS_TEXT = 48;

    /** The maximum number of library frames around a wait. */
    private static final int MAX_LIBRARY_FRAMES = 24;

    private static final int NO_CALL = -1;
    private static final int NO_TEXT = -1;
    private static final int CLASS = 0;
    private static final int NAME = 1;
    private static final int DESCRIPTOR = 2;

    private static final int FRAMES = 0;
    private static final int METHOD = 0;
    private static final int LINE = 1;

    private final ChunkConstants constants;
    private final Cursor cursor;
    private final TraceBuilder builder;

    private final LongToIntMap calls = new LongToIntMap();
    private final LongToIntMap stacks = new LongToIntMap();
    private final Map<Place, String> sites = new HashMap<>();
    private final LongToIntMap methodNames = new LongToIntMap();

    private final @Nullable ConstantReader methodReader;
    private final @Nullable ConstantReader stackReader;
    private final @Nullable ConstantReader frameReader;

    private long[] frameMethods = new long[64];
    private int[] frameLines = new int[64];

    /** A method and a line. */
    private record Place(long method, int line) {}

    StackTraceReader(ChunkMetadata metadata, ChunkConstants constants, Cursor cursor, TraceBuilder builder) {
        this.constants = constants;
        this.cursor = cursor;
        this.builder = builder;
        methodReader = constants.reader(metadata, "jdk.types.Method", "type", "name", "descriptor");
        stackReader = constants.reader(metadata, "jdk.types.StackTrace", "frames");
        Field frames = stackReader == null ? null : stackReader.field(FRAMES);
        frameReader = frames == null || !frames.array() || frames.constant()
                ? null
                : constants.reader(frames.type(), "method", "lineNumber");
    }

    /** The builder's number of the innermost call of a stack; -1 if there is none. */
    int call(long key) {
        if (key == FieldReader.ABSENT) {
            return NO_CALL;
        }
        long known = calls.get(key);
        if (known != LongToIntMap.NONE) {
            return (int) known - 1;
        }
        int call = NO_CALL;
        for (int frame = readFrames(key, MAX_FRAMES) - 1; frame >= 0; frame--) {
            int name = methodName(frameMethods[frame]);
            if (name >= 0) {
                int line = frameLines[frame] > 0 ? frameLines[frame] : Callstacks.NO_LINE;
                call = builder.samples().call(call, name, -1, line);
            }
        }
        calls.put(key, call + 1L);
        return call;
    }

    /**
     * The string id of a stack as text, a method per line, the innermost first, each as in {@link #site(long)}; -1 if
     * there is none.
     */
    int stack(long key) {
        if (key == FieldReader.ABSENT) {
            return NO_TEXT;
        }
        long known = stacks.get(key);
        if (known != LongToIntMap.NONE) {
            return (int) known - 1;
        }
        StringJoiner lines = new StringJoiner("\n");
        int count = readFrames(key, MAX_FRAMES_AS_TEXT);
        for (int frame = 0; frame < count; frame++) {
            lines.add(Objects.requireNonNullElse(site(frameMethods[frame], frameLines[frame]), JavaNames.UNKNOWN_SITE));
        }
        int text = count == 0 ? NO_TEXT : builder.intern(lines.toString());
        stacks.put(key, text + 1L);
        return text;
    }

    /**
     * The innermost method of a stack, as Android's runtime writes it, with the outermost class instead of the source
     * file, which a recording does not contain; null if there is none.
     */
    @Nullable
    String site(long key) {
        return key == FieldReader.ABSENT || readFrames(key, 1) == 0 ? null : site(frameMethods[0], frameLines[0]);
    }

    /**
     * As {@link #site(long)}, for the innermost method outside some packages or classes; for the innermost of all if
     * there is none.
     */
    @Nullable
    String siteOutside(long key, List<String> inner) {
        int count = key == FieldReader.ABSENT ? 0 : readFrames(key, MAX_LIBRARY_FRAMES);
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

    /** Reads the innermost frames of a stack and returns their number. */
    private int readFrames(long key, int most) {
        ConstantReader stack = stackReader;
        ConstantReader frame = frameReader;
        if (stack == null || frame == null || !stack.read(key)) {
            return 0;
        }
        try {
            cursor.seek(stack.value(FRAMES));
            int count = Math.min(most, cursor.count());
            if (count > frameMethods.length) {
                frameMethods = new long[count];
                frameLines = new int[count];
            }
            for (int i = 0; i < count; i++) {
                frame.readElement();
                frameMethods[i] = frame.value(METHOD);
                frameLines[i] = (int) frame.value(LINE); // -1 for native methods, written as four unsigned bytes
            }
            return count;
        } catch (DamagedRecordingException e) {
            return 0;
        }
    }

    private int methodName(long key) {
        long known = methodNames.get(key);
        if (known != LongToIntMap.NONE) {
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
        ConstantReader reader = methodReader;
        if (reader == null || !reader.read(key)) {
            return null;
        }
        String className = constants.text(reader.field(CLASS), reader.value(CLASS));
        String methodName = constants.text(reader.field(NAME), reader.value(NAME));
        String descriptorText = constants.text(reader.field(DESCRIPTOR), reader.value(DESCRIPTOR));
        if (methodName == null) {
            return null;
        }
        return new String[] {
            className == null ? "" : JavaNames.ofClass(className),
            methodName,
            descriptorText == null ? "" : descriptorText
        };
    }
}
