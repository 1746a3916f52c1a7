package dev.unjank.trace.read.jfr;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Writes chunks of recordings, right or wrong ones: types, constants and events as a test wants them. Names of threads, classes,
 * methods and so on get the types that the virtual machine has for them.
 */
final class ChunkWriter {
    static final String LONG = "long";
    static final String INT = "int";
    static final String BOOLEAN = "boolean";
    static final String FLOAT = "float";
    static final String STRING = "java.lang.String";
    static final String THREAD = "java.lang.Thread";
    static final String CLASS = "java.lang.Class";
    static final String SYMBOL = "jdk.types.Symbol";
    static final String METHOD = "jdk.types.Method";
    static final String FRAME = "jdk.types.StackFrame";
    static final String STACK = "jdk.types.StackTrace";

    private static final String EVENT = "jdk.jfr.Event";

    /** A field; {@code [n]} behind the type for an array, {@code @} in front for a constant. */
    record F(String name, String type) {}

    private record Declared(int id, String superType, List<F> fields) {}

    private final long startNs;
    private final long startTicks;
    private final long ticksPerSecond;
    private final Map<String, Declared> types = new LinkedHashMap<>();
    private final Map<String, TreeMap<Long, byte[]>> constants = new LinkedHashMap<>();
    private final Out body = new Out();
    private long metadataAt;
    private long checkpointAt;
    private boolean finished = true;
    private boolean sized = true;

    ChunkWriter(long startNs, long startTicks, long ticksPerSecond) {
        this.startNs = startNs;
        this.startTicks = startTicks;
        this.ticksPerSecond = ticksPerSecond;
        int id = 10;
        for (String primitive : List.of(BOOLEAN, "byte", "char", "short", INT, LONG, FLOAT, "double", STRING)) {
            types.put(primitive, new Declared(id++, "", List.of()));
        }
        type(SYMBOL, new F("string", STRING));
        type(CLASS, new F("classLoader", LONG), new F("name", "@" + SYMBOL), new F("modifiers", INT));
        type(
                THREAD,
                new F("osName", STRING),
                new F("osThreadId", LONG),
                new F("javaName", STRING),
                new F("javaThreadId", LONG));
        type(
                METHOD,
                new F("type", "@" + CLASS),
                new F("name", "@" + SYMBOL),
                new F("descriptor", "@" + SYMBOL),
                new F("modifiers", INT));
        type(FRAME, new F("method", "@" + METHOD), new F("lineNumber", INT), new F("bytecodeIndex", INT));
        type(STACK, new F("truncated", BOOLEAN), new F("frames", FRAME + "[]"));
    }

    ChunkWriter type(String name, F... fields) {
        types.put(name, new Declared(types.size() + 20, "", List.of(fields)));
        return this;
    }

    ChunkWriter eventType(String name, F... fields) {
        types.put(name, new Declared(types.size() + 20, EVENT, List.of(fields)));
        return this;
    }

    long id(String type) {
        Declared declared = types.get(type);
        if (declared == null) {
            throw new IllegalArgumentException(type);
        }
        return declared.id;
    }

    ChunkWriter constant(String type, long key, Consumer<Out> value) {
        Out out = new Out();
        value.accept(out);
        constants.computeIfAbsent(type, _ -> new TreeMap<>()).put(key, out.toByteArray());
        return this;
    }

    ChunkWriter symbol(long key, String text) {
        return constant(SYMBOL, key, out -> out.text(text));
    }

    ChunkWriter thread(long key, int osId, int javaId, String name) {
        return constant(
                THREAD, key, out -> out.text(name).number(osId).text(name).number(javaId));
    }

    /** A class, with its name as the constant of the same number. */
    ChunkWriter klass(long key, String name) {
        symbol(key, name);
        return constant(CLASS, key, out -> out.number(0).number(key).number(0));
    }

    /** A method, with its name and descriptor as the constants of ten and twenty times the number. */
    ChunkWriter method(long key, long klass, String name, String descriptor) {
        symbol(key * 10_000, name);
        symbol(key * 20_000, descriptor);
        return constant(
                METHOD,
                key,
                out -> out.number(klass)
                        .number(key * 10_000)
                        .number(key * 20_000)
                        .number(0));
    }

    /** A stack of methods, the innermost first, each with its line behind it. */
    ChunkWriter stack(long key, long... methodsAndLines) {
        return constant(STACK, key, out -> {
            out.one(0).number(methodsAndLines.length / 2);
            for (int i = 0; i < methodsAndLines.length; i += 2) {
                out.number(methodsAndLines[i]).number(methodsAndLines[i + 1]).number(0);
            }
        });
    }

    ChunkWriter event(String type, Consumer<Out> fields) {
        return event(id(type), fields);
    }

    ChunkWriter event(long type, Consumer<Out> fields) {
        Out content = new Out().number(type);
        fields.accept(content);
        body.padded(content.size() + 4L).raw(content.toByteArray());
        return this;
    }

    ChunkWriter raw(byte... bytes) {
        body.raw(bytes);
        return this;
    }

    /** Writes the constants that were named since the last checkpoint. */
    ChunkWriter checkpoint() {
        long at = (long) ChunkHeader.SIZE + body.size();
        long delta = checkpointAt == 0 ? 0 : checkpointAt - at;
        event(ChunkScan.CHECKPOINT_TYPE, out -> {
            out.number(startTicks).number(0).number(delta).one(0).number(constants.size());
            constants.forEach((type, values) -> {
                out.number(id(type)).number(values.size());
                values.forEach((key, value) -> out.number(key).raw(value));
            });
        });
        checkpointAt = at;
        constants.clear();
        return this;
    }

    /** Writes what is known of the types. */
    ChunkWriter metadata() {
        metadataAt = (long) ChunkHeader.SIZE + body.size();
        List<String> texts = new ArrayList<>();
        Out tree = new Out();
        element(tree, texts, "root", Map.of(), 1);
        element(tree, texts, "metadata", Map.of(), types.size());
        types.forEach((name, declared) -> {
            element(
                    tree,
                    texts,
                    "class",
                    Map.of("id", "" + declared.id, "name", name, "superType", declared.superType),
                    declared.fields.size());
            for (F field : declared.fields) {
                boolean array = field.type.endsWith("[]");
                boolean constant = field.type.startsWith("@");
                String type = field.type.replace("[]", "").replace("@", "");
                Map<String, String> attributes = new LinkedHashMap<>();
                attributes.put("name", field.name);
                attributes.put("class", types.containsKey(type) ? "" + id(type) : type);
                if (array) {
                    attributes.put("dimension", "1");
                }
                if (constant) {
                    attributes.put("constantPool", "true");
                }
                element(tree, texts, "field", attributes, 0);
            }
        });
        event(Metadata.TYPE, out -> {
            out.number(startTicks).number(0).number(1).number(texts.size());
            texts.forEach(out::text);
            out.raw(tree.toByteArray());
        });
        return this;
    }

    private static void element(
            Out tree, List<String> texts, String name, Map<String, String> attributes, int children) {
        tree.number(index(texts, name)).number(attributes.size());
        attributes.forEach((key, value) -> tree.number(index(texts, key)).number(index(texts, value)));
        tree.number(children);
    }

    private static int index(List<String> texts, String text) {
        int index = texts.indexOf(text);
        if (index < 0) {
            texts.add(text);
            index = texts.size() - 1;
        }
        return index;
    }

    /** As left by a writer that was killed: the header knows no size, no checkpoint and no metadata. */
    ChunkWriter killed() {
        finished = false;
        sized = false;
        return this;
    }

    byte[] toByteArray() {
        Out chunk = new Out();
        chunk.raw(new byte[] {'F', 'L', 'R', 0, 0, 2, 0, 1});
        chunk.bigEndian(sized ? ChunkHeader.SIZE + body.size() : 0, 8);
        chunk.bigEndian(sized ? checkpointAt : 0, 8);
        chunk.bigEndian(sized ? metadataAt : 0, 8);
        chunk.bigEndian(startNs, 8);
        chunk.bigEndian(1_000_000_000, 8);
        chunk.bigEndian(startTicks, 8);
        chunk.bigEndian(ticksPerSecond, 8);
        chunk.one(finished ? 0 : 255).one(0).one(0).one(1);
        return chunk.raw(body.toByteArray()).toByteArray();
    }
}
