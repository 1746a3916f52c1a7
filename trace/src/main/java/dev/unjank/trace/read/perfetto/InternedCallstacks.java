package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Callstacks;
import dev.unjank.trace.proto.PacketFields.Callstack;
import dev.unjank.trace.proto.PacketFields.Frame;
import dev.unjank.trace.proto.PacketFields.InternedData;
import dev.unjank.trace.proto.PacketFields.InternedString;
import dev.unjank.trace.proto.PacketFields.Mapping;
import dev.unjank.trace.proto.ProtoReader;
import java.util.HashMap;
import java.util.Map;

/**
 * The interned call stacks of a packet sequence: stacks of frames, frames of functions in mapped files, and paths of
 * files in pieces. A stack is defined before the first sample that refers to it.
 */
final class InternedCallstacks {
    /** The limit per kind, for damaged traces; the excess is dropped. */
    private static final int MAX_INTERNED = 1 << 20;

    /** Deeper stacks are truncated. */
    private static final int MAX_DEPTH = 1024;

    private static final int NONE = -1;

    private final ProtoReader part = new ProtoReader();
    private final Map<Long, Integer> functions = new HashMap<>();
    private final Map<Long, String> pathPieces = new HashMap<>();
    private final Map<Long, Integer> files = new HashMap<>();
    private final Map<Long, FrameOfCode> frames = new HashMap<>();
    private final Map<Long, Integer> stacks = new HashMap<>();

    private record FrameOfCode(int function, int file) {}

    /** Whether a field of the interned data belongs to {@link #intern}. */
    static boolean isOfStacks(int field) {
        return field == InternedData.FUNCTION_NAMES
                || field == InternedData.FRAMES
                || field == InternedData.CALLSTACKS
                || field == InternedData.MAPPING_PATHS
                || field == InternedData.MAPPINGS;
    }

    /** Adds the current field of interned data. */
    void intern(ProtoReader data, TraceBuilder builder) {
        part.resetToField(data);
        switch (data.field()) {
            case InternedData.FUNCTION_NAMES -> function(builder);
            case InternedData.MAPPING_PATHS -> pathPiece();
            case InternedData.MAPPINGS -> mapping(builder);
            case InternedData.FRAMES -> frame(builder);
            default -> stack(builder);
        }
    }

    /** The number of a stack's innermost call, -1 if it is undefined. */
    int stack(long number) {
        return stacks.getOrDefault(number, NONE);
    }

    private void function(TraceBuilder builder) {
        long number = 0;
        int name = NONE;
        while (part.next()) {
            switch (part.field()) {
                case InternedString.IID -> number = part.value();
                case InternedString.STR ->
                    name = part.length() == 0 ? NONE : builder.intern(part.bytes(), part.from(), part.length());
                default -> {}
            }
        }
        keep(functions, number, name);
    }

    private void pathPiece() {
        long number = 0;
        String piece = "";
        while (part.next()) {
            switch (part.field()) {
                case InternedString.IID -> number = part.value();
                case InternedString.STR -> piece = part.string(Integer.MAX_VALUE);
                default -> {}
            }
        }
        keep(pathPieces, number, piece);
    }

    private void mapping(TraceBuilder builder) {
        long number = 0;
        StringBuilder path = new StringBuilder();
        while (part.next()) {
            switch (part.field()) {
                case Mapping.IID -> number = part.value();
                case Mapping.PATH_STRING_IDS -> {
                    String piece = pathPieces.getOrDefault(part.value(), "");
                    if (path.length() + piece.length() < MAX_INTERNED) {
                        path.append('/').append(piece);
                    }
                }
                default -> {}
            }
        }
        keep(files, number, path.isEmpty() ? NONE : builder.intern(path.toString()));
    }

    private void frame(TraceBuilder builder) {
        long number = 0;
        int function = NONE;
        int file = NONE;
        long address = 0;
        while (part.next()) {
            switch (part.field()) {
                case Frame.IID -> number = part.value();
                case Frame.FUNCTION_NAME_ID -> function = functions.getOrDefault(part.value(), NONE);
                case Frame.MAPPING_ID -> file = files.getOrDefault(part.value(), NONE);
                case Frame.REL_PC -> address = part.value();
                default -> {}
            }
        }
        int name = function == NONE ? builder.intern("0x" + Long.toHexString(address)) : function;
        keep(frames, number, new FrameOfCode(name, file));
    }

    private void stack(TraceBuilder builder) {
        long number = 0;
        int call = NONE;
        int depth = 0;
        while (part.next()) {
            if (part.field() == Callstack.IID) {
                number = part.value();
            } else if (part.field() == Callstack.FRAME_IDS && depth++ < MAX_DEPTH) {
                FrameOfCode frame = frames.get(part.value());
                if (frame != null) {
                    call = builder.samples().call(call, frame.function, frame.file, Callstacks.NO_LINE);
                }
            }
        }
        keep(stacks, number, call);
    }

    private static <T> void keep(Map<Long, T> map, long number, T value) {
        if (map.size() < MAX_INTERNED) {
            map.put(number, value);
        }
    }
}
