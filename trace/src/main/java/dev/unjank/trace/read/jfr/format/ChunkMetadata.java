package dev.unjank.trace.read.jfr.format;

import dev.unjank.trace.read.jfr.format.JfrType.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The types of a chunk, from its metadata event: a table of strings, and a tree of elements; their names and
 * attributes are indexes into it. {@code class} elements contain {@code field} elements; annotations and others are
 * ignored.
 */
public final class ChunkMetadata {
    /** The type of the metadata event itself, also written by some writers for invalid references. */
    public static final long TYPE = 0;

    private static final int DEEPEST = 16;
    private static final String EVENT_PREFIX_OF_JDK_9 = "com.oracle.jdk.";
    private static final String TYPE_PREFIX_OF_JDK_9 = "com.oracle.jfr.types.";

    private final Map<Long, JfrType> byId = new HashMap<>();
    private final Map<String, JfrType> byName = new HashMap<>();

    private ChunkMetadata() {}

    /** The type with an id; null if there is none. */
    @Nullable
    public JfrType type(long id) {
        return byId.get(id);
    }

    /** The type with a name; null if the chunk has none. */
    @Nullable
    public JfrType type(String name) {
        return byName.get(name);
    }

    public Iterable<JfrType> types() {
        return byId.values();
    }

    /** Reads the metadata event at a position of a chunk that ends at {@code to}. */
    static ChunkMetadata at(Cursor cursor, long position, long to) throws DamagedRecordingException {
        cursor.seek(position);
        long length = cursor.varint();
        if (cursor.varint() != TYPE || length <= 0 || length > to - position) {
            throw new DamagedRecordingException("no metadata");
        }
        long end = position + length;
        cursor.endAt(end);
        cursor.skipVarints(3); // start, duration and id
        int textCount = cursor.count();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < textCount; i++) {
            String text = cursor.string(cursor.one());
            texts.add(text == null ? "" : text);
        }
        Element root = new Tree(cursor, texts).element(0);
        if (cursor.position() > end) {
            throw new DamagedRecordingException("metadata continues after its end");
        }
        ChunkMetadata metadata = new ChunkMetadata();
        metadata.declare(root);
        if (metadata.byId.isEmpty()) {
            throw new DamagedRecordingException("metadata without types");
        }
        return metadata;
    }

    private void declare(Element root) {
        List<Element> classes = new ArrayList<>();
        root.collect("class", classes);
        List<@Nullable JfrType> types = new ArrayList<>();
        for (Element element : classes) {
            long id = number(element.attribute("id"));
            String name = currentName(element.attribute("name"));
            JfrType type = id < 0 || name == null ? null : new JfrType(id, name, element.attribute("superType"));
            types.add(type);
            if (type != null) {
                byId.put(id, type);
                byName.put(type.name(), type);
            }
        }
        for (int i = 0; i < types.size(); i++) {
            JfrType type = types.get(i);
            if (type != null) {
                declareFields(classes.get(i), type);
            }
        }
    }

    /** The name of a type since JDK 11; those of JDK 9 and 10 had other prefixes. */
    private static @Nullable String currentName(@Nullable String name) {
        if (name != null && name.startsWith(EVENT_PREFIX_OF_JDK_9)) {
            return "jdk." + name.substring(EVENT_PREFIX_OF_JDK_9.length());
        } else if (name != null && name.startsWith(TYPE_PREFIX_OF_JDK_9)) {
            return "jdk.types." + name.substring(TYPE_PREFIX_OF_JDK_9.length());
        }
        return name;
    }

    private void declareFields(Element element, JfrType type) {
        for (Element child : element.children()) {
            if (child.name().equals("field")) {
                JfrType of = byId.get(number(child.attribute("class")));
                String name = child.attribute("name");
                if (of == null || name == null) {
                    type.endUnknown();
                    return;
                }
                type.fields()
                        .add(new Field(
                                name,
                                of,
                                number(child.attribute("dimension")) > 0,
                                "true".equals(child.attribute("constantPool"))));
            }
        }
    }

    public static long number(@Nullable String text) {
        if (text == null) {
            return -1;
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** An element of the tree; its attributes alternate between name and value. */
    private record Element(String name, List<String> attributes, List<Element> children) {
        @Nullable
        String attribute(String wanted) {
            for (int i = 0; i < attributes.size(); i += 2) {
                if (attributes.get(i).equals(wanted)) {
                    return attributes.get(i + 1);
                }
            }
            return null;
        }

        void collect(String wanted, List<Element> into) {
            for (Element child : children) {
                if (child.name.equals(wanted)) {
                    into.add(child);
                } else {
                    child.collect(wanted, into);
                }
            }
        }
    }

    /** Reads elements. */
    private record Tree(Cursor cursor, List<String> texts) {
        Element element(int depth) throws DamagedRecordingException {
            if (depth > DEEPEST) {
                throw new DamagedRecordingException("metadata is nested too deep");
            }
            String name = text();
            int attributeCount = cursor.count();
            List<String> attributes = new ArrayList<>();
            for (int i = 0; i < attributeCount; i++) {
                attributes.add(text());
                attributes.add(text());
            }
            int childCount = cursor.count();
            List<Element> children = new ArrayList<>();
            for (int i = 0; i < childCount; i++) {
                children.add(element(depth + 1));
            }
            return new Element(name, attributes, children);
        }

        private String text() throws DamagedRecordingException {
            long index = cursor.varint();
            if (index < 0 || index >= texts.size()) {
                throw new DamagedRecordingException("metadata refers to a missing string");
            }
            return texts.get((int) index);
        }
    }
}
