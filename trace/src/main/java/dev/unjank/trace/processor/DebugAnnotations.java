package dev.unjank.trace.processor;

import dev.unjank.trace.processor.ArgSets.Type;

/** Reads the debug annotations of a track event as arguments. */
final class DebugAnnotations {
    private static final int NAMES = 3;
    private static final int TEXTS = 29;

    private final PacketSequence.Generation generation;
    private final ArgList args;
    private final ProcessorContext context;

    DebugAnnotations(ProcessorContext context, PacketSequence.Generation generation, ArgList args) {
        this.context = context;
        this.generation = generation;
        this.args = args;
    }

    void read(ProtoFields annotation) {
        String name = name(annotation);
        String key = "debug." + name.replace('.', '_').replace('[', '_').replace(']', '_');
        value(annotation, key, key);
    }

    private String name(ProtoFields annotation) {
        if (annotation.has(10)) {
            return annotation.text(10);
        }
        String interned = generation.text(NAMES, annotation.number(1));
        return interned == null ? "" : interned;
    }

    /** Adds the value of an annotation; returns whether there was one. */
    private boolean value(ProtoFields annotation, String flatKey, String key) {
        if (annotation.has(2)) {
            args.add(flatKey, key, Type.BOOL, annotation.number(2));
        } else if (annotation.has(3)) {
            args.add(flatKey, key, Type.UINT, annotation.number(3));
        } else if (annotation.has(4)) {
            args.add(flatKey, key, Type.INT, annotation.number(4));
        } else if (annotation.has(5)) {
            args.add(flatKey, key, Type.REAL, annotation.number(5));
        } else if (annotation.has(6)) {
            args.add(flatKey, key, Type.STRING, context.intern(annotation.text(6)));
        } else if (annotation.has(17)) {
            String text = generation.text(TEXTS, annotation.number(17));
            args.add(flatKey, key, Type.STRING, context.intern(text == null ? "" : text));
        } else if (annotation.has(7)) {
            args.add(flatKey, key, Type.POINTER, annotation.number(7));
        } else if (annotation.has(9)) {
            args.add(flatKey, key, Type.JSON, context.intern(annotation.text(9)));
        } else {
            return nested(annotation, flatKey, key);
        }
        return true;
    }

    private boolean nested(ProtoFields annotation, String flatKey, String key) {
        boolean any = false;
        for (ProtoFields.Bytes part : annotation.all(11)) {
            ProtoFields entry = part.fields();
            String name = name(entry).replace('.', '_');
            any |= value(entry, flatKey + "." + name, key + "." + name);
        }
        int index = 0;
        for (ProtoFields.Bytes part : annotation.all(12)) {
            any |= value(part.fields(), flatKey, key + "[" + index++ + "]");
        }
        ProtoFields old = annotation.message(8);
        return any | (old != null && oldNested(old, flatKey, key));
    }

    private boolean oldNested(ProtoFields value, String flatKey, String key) {
        boolean any = false;
        var keys = value.all(2);
        var values = value.all(3);
        for (int i = 0; i < keys.size() && i < values.size(); i++) {
            String name = keys.get(i).text().replace('.', '_');
            any |= oldNested(values.get(i).fields(), flatKey + "." + name, key + "." + name);
        }
        int index = 0;
        for (ProtoFields.Bytes part : value.all(4)) {
            any |= oldNested(part.fields(), flatKey, key + "[" + index++ + "]");
        }
        Type type = value.has(5) ? Type.INT : value.has(6) ? Type.REAL : value.has(7) ? Type.BOOL : null;
        if (type != null) {
            args.add(flatKey, key, type, value.number(type == Type.INT ? 5 : type == Type.REAL ? 6 : 7));
            return true;
        } else if (value.has(8)) {
            args.add(flatKey, key, Type.STRING, context.intern(value.text(8)));
            return true;
        }
        return any;
    }
}
