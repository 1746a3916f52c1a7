package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Args;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.proto.TrackEventFields.DebugAnnotation;

/**
 * Imports debug annotations of track events as args. Nested values become one row each, with a key such as {@code
 * debug.request.headers[2].name}.
 */
final class DebugAnnotationImporter {
    /** Further annotations of an event, in damaged traces, are dropped. */
    private static final int MAX_PER_EVENT = 256;

    private static final int MAX_DEPTH = 16;

    /** Longer names are truncated. */
    private static final int MAX_NAME = 1024;

    private final TraceBuilder builder;
    private final ArgKey root = new ArgKey("debug");
    private PacketSequence sequence = new PacketSequence(0);
    /** The first row of the event. */
    int first;
    /** The number of rows of the event. */
    int count;

    DebugAnnotationImporter(TraceBuilder builder) {
        this.builder = builder;
    }

    /** Starts another event. */
    void begin(PacketSequence ofEvent) {
        sequence = ofEvent;
        count = 0;
    }

    /** Imports the annotation in an event's current field. */
    void read(ProtoReader event) {
        read(event, root, 0);
    }

    private void read(ProtoReader outer, ArgKey around, int depth) {
        if (depth == MAX_DEPTH) {
            return;
        }
        ProtoReader annotation = new ProtoReader().resetToField(outer);
        ArgKey key = around;
        while (annotation.next()) {
            switch (annotation.field()) {
                case DebugAnnotation.NAME -> key = around.member(annotation.string(MAX_NAME));
                case DebugAnnotation.NAME_IID -> key = around.member(sequence.annotationName(annotation.value()));
                default -> {}
            }
        }
        annotation.resetToField(outer);
        int elements = 0;
        while (annotation.next()) {
            switch (annotation.field()) {
                case DebugAnnotation.DICT_ENTRIES -> read(annotation, key, depth + 1);
                case DebugAnnotation.ARRAY_VALUES -> read(annotation, key.element(elements++), depth + 1);
                case DebugAnnotation.NESTED_VALUE -> nested(annotation, key, depth + 1);
                default -> value(annotation, key);
            }
        }
    }

    /** The older form of nesting: separate lists of keys and values. */
    private void nested(ProtoReader outer, ArgKey key, int depth) {
        if (depth == MAX_DEPTH) {
            return;
        }
        ProtoReader keys = new ProtoReader().resetToField(outer);
        ProtoReader values = new ProtoReader().resetToField(outer);
        int elements = 0;
        while (values.next()) {
            switch (values.field()) {
                case DebugAnnotation.NESTED_DICT_VALUES -> {
                    while (keys.next() && keys.field() != DebugAnnotation.NESTED_DICT_KEYS) {
                        // move to the value's key
                    }
                    String name = keys.field() == DebugAnnotation.NESTED_DICT_KEYS && keys.isBytes()
                            ? keys.string(MAX_NAME)
                            : "";
                    nested(values, key.member(name), depth + 1);
                }
                case DebugAnnotation.NESTED_ARRAY_VALUES -> nested(values, key.element(elements++), depth + 1);
                case DebugAnnotation.NESTED_INT_VALUE -> add(key, Args.Type.INT, values.value());
                case DebugAnnotation.NESTED_DOUBLE_VALUE -> add(key, Args.Type.REAL, values.value());
                case DebugAnnotation.NESTED_BOOL_VALUE -> add(key, Args.Type.BOOL, values.boolValue() ? 1 : 0);
                case DebugAnnotation.NESTED_STRING_VALUE -> add(key, Args.Type.TEXT, intern(values));
                default -> {}
            }
        }
    }

    private void value(ProtoReader annotation, ArgKey key) {
        switch (annotation.field()) {
            case DebugAnnotation.BOOL_VALUE -> add(key, Args.Type.BOOL, annotation.boolValue() ? 1 : 0);
            case DebugAnnotation.UINT_VALUE -> add(key, Args.Type.UINT, annotation.value());
            case DebugAnnotation.INT_VALUE -> add(key, Args.Type.INT, annotation.value());
            case DebugAnnotation.DOUBLE_VALUE -> add(key, Args.Type.REAL, annotation.value());
            case DebugAnnotation.POINTER_VALUE -> add(key, Args.Type.POINTER, annotation.value());
            case DebugAnnotation.STRING_VALUE -> add(key, Args.Type.TEXT, intern(annotation));
            case DebugAnnotation.LEGACY_JSON_VALUE -> add(key, Args.Type.JSON, intern(annotation));
            case DebugAnnotation.STRING_VALUE_IID -> {
                int text = sequence.annotationTexts.get(annotation.value());
                if (text >= 0) {
                    add(key, Args.Type.TEXT, text);
                }
            }
            default -> {}
        }
    }

    private void add(ArgKey key, Args.Type type, long value) {
        if (count < MAX_PER_EVENT) {
            int row = builder.tracks().arg(key.id(builder), type, value);
            first = count++ == 0 ? row : first;
        }
    }

    private int intern(ProtoReader reader) {
        return builder.intern(reader.bytes(), reader.from(), reader.length());
    }
}
