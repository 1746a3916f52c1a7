package dev.unjank.trace.read.input;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;

/** All unpacked data of a source, in one segment outside the heap, for formats that are not read sequentially. */
public final class UnpackedBytes {
    private static final int PIECE = 1 << 22;

    private final ByteSource source;

    public UnpackedBytes(ByteSource source) {
        this.source = source;
    }

    /** Reads to the end. Pieces are released while they are joined, so the data never exists twice. */
    public MemorySegment readAll(Arena arena) throws IOException {
        Deque<Piece> pieces = new ArrayDeque<>();
        try {
            long size = 0;
            byte[] buffer = new byte[1 << 16];
            for (int read; (read = source.read(buffer, 0, buffer.length)) >= 0; size += read) {
                int taken = 0;
                while (taken < read) {
                    if (pieces.isEmpty() || pieces.getLast().room() == 0) {
                        pieces.addLast(new Piece());
                    }
                    taken += pieces.getLast().add(buffer, taken, read - taken);
                }
            }
            MemorySegment all = arena.allocate(size);
            long at = 0;
            while (!pieces.isEmpty()) {
                try (Piece piece = pieces.removeFirst()) {
                    MemorySegment.copy(piece.bytes, 0, all, at, piece.used);
                    at += piece.used;
                }
            }
            return all;
        } finally {
            pieces.forEach(Piece::close);
        }
    }

    private static final class Piece implements AutoCloseable {
        private final Arena arena = Arena.ofConfined();
        private final MemorySegment bytes = arena.allocate(PIECE);
        private int used;

        int room() {
            return PIECE - used;
        }

        int add(byte[] from, int at, int length) {
            int taken = Math.min(length, room());
            MemorySegment.copy(from, at, bytes, ValueLayout.JAVA_BYTE, used, taken);
            used += taken;
            return taken;
        }

        @Override
        public void close() {
            arena.close();
        }
    }
}
