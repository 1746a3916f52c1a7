package dev.unjank.record.hotspot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The memory of another process, read through {@code /proc/PID/mem}. Not thread-safe. */
final class ProcessMemory implements AutoCloseable {
    private static final int LONGEST_TEXT = 512;

    private final FileChannel memory;
    private final ByteBuffer word = buffer(Long.BYTES);
    private final ByteBuffer text = buffer(LONGEST_TEXT);

    /** The memory is the content of a file, with addresses as positions. */
    ProcessMemory(FileChannel memory) {
        this.memory = memory;
    }

    /** Opens the memory of a process. Permitted for root and the user of the process, unless the system forbids it. */
    static ProcessMemory of(int pid) throws IOException {
        return new ProcessMemory(FileChannel.open(Path.of("/proc/" + pid + "/mem"), StandardOpenOption.READ));
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** Reads up to a number of bytes; fewer where the mapping ends. */
    ByteBuffer read(long address, int bytes) throws IOException {
        ByteBuffer into = buffer(bytes);
        read(address, into);
        return into.flip();
    }

    private int read(long address, ByteBuffer into) throws IOException {
        if (address <= 0) {
            throw new IOException(String.format("cannot read address 0x%x of the process: not mapped", address));
        }
        return memory.read(into, address);
    }

    long longAt(long address) throws IOException {
        return word(address, Long.BYTES).getLong(0);
    }

    int intAt(long address) throws IOException {
        return word(address, Integer.BYTES).getInt(0);
    }

    int shortAt(long address) throws IOException {
        return Short.toUnsignedInt(word(address, Short.BYTES).getShort(0));
    }

    int byteAt(long address) throws IOException {
        return Byte.toUnsignedInt(word(address, 1).get(0));
    }

    private ByteBuffer word(long address, int bytes) throws IOException {
        word.clear().limit(bytes);
        if (read(address, word) < bytes) {
            throw new IOException(String.format("cannot read address 0x%x of the process: not mapped", address));
        }
        return word;
    }

    /** A string of a maximum length, up to the first zero. */
    String textAt(long address, int most) throws IOException {
        text.clear().limit(Math.min(most, LONGEST_TEXT));
        int length = Math.max(0, read(address, text));
        byte[] bytes = new byte[length];
        text.get(0, bytes);
        int end = 0;
        while (end < length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        memory.close();
    }
}
