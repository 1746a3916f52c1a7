package dev.unjank.record.linux;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A program or a library in the form that Linux has them: its sections, and where what lies in the file is in memory. 64-bit,
 * little-endian files only. What lies outside of a damaged file is an {@link IndexOutOfBoundsException}.
 */
final class ElfFile {
    private static final int MAGIC = 0x464c457f;
    private static final int CLASS_64_LITTLE_ENDIAN = 0x0102;
    private static final int HEADER_SIZE = 64;
    private static final int SECTION_SIZE = 64;
    private static final int SEGMENT_SIZE = 56;
    private static final int LOADED = 1;
    private static final int SYMBOL_SIZE = 24;
    private static final int DYNAMIC_SYMBOLS = 11;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment file;

    /** The bytes of a file. */
    ElfFile(MemorySegment file) {
        this.file = file;
    }

    /**
     * A section.
     *
     * @param name its name
     * @param type what kind of content it has
     * @param address where it is in memory
     * @param offset where it is in the file
     * @param size how long it is
     * @param link the number of the section that belongs to it, such as the one with its names
     */
    record Section(String name, int type, long address, long offset, long size, int link) {}

    /** Whether it is such a file at all. */
    boolean isReadable() {
        return file.byteSize() >= HEADER_SIZE
                && file.get(INT, 0) == MAGIC
                && file.get(SHORT, 4) == CLASS_64_LITTLE_ENDIAN;
    }

    /** Its sections, in their order. */
    List<Section> sections() {
        long table = longAt(40);
        int count = Short.toUnsignedInt(file.get(SHORT, 60));
        long names = longAt(table + (long) Short.toUnsignedInt(file.get(SHORT, 62)) * SECTION_SIZE + 24);
        List<Section> sections = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long at = table + (long) i * SECTION_SIZE;
            sections.add(new Section(
                    text(names + Integer.toUnsignedLong(intAt(at)), file.byteSize()),
                    intAt(at + 4),
                    longAt(at + 16),
                    longAt(at + 24),
                    longAt(at + 32),
                    intAt(at + 40)));
        }
        return sections;
    }

    /** Where in the file the byte is that is loaded to an address; -1 if none is. */
    long offset(long address) {
        long table = longAt(32);
        int count = Short.toUnsignedInt(file.get(SHORT, 56));
        for (int i = 0; i < count; i++) {
            long at = table + (long) i * SEGMENT_SIZE;
            long start = longAt(at + 16);
            if (intAt(at) == LOADED && address >= start && address - start < longAt(at + 32)) {
                return address - start + longAt(at + 8);
            }
        }
        return -1;
    }

    /** The addresses of what it has for others whose name begins with something, by name. */
    Map<String, Long> symbols(String prefix) {
        Map<String, Long> found = new HashMap<>();
        List<Section> sections = sections();
        for (Section section : sections) {
            if (section.type == DYNAMIC_SYMBOLS) {
                long names = sections.get(section.link).offset;
                for (long at = section.offset; at < section.offset + section.size; at += SYMBOL_SIZE) {
                    String name = text(names + Integer.toUnsignedLong(intAt(at)), file.byteSize());
                    long address = longAt(at + 8);
                    if (address != 0 && name.startsWith(prefix)) {
                        found.put(name, address);
                    }
                }
            }
        }
        return found;
    }

    long size() {
        return file.byteSize();
    }

    int intAt(long offset) {
        return file.get(INT, offset);
    }

    long longAt(long offset) {
        return file.get(LONG, offset);
    }

    /** The bytes up to the next zero; probes, sections and symbols have names of plain letters. */
    String text(long from, long limit) {
        long to = from;
        while (to < limit && file.get(ValueLayout.JAVA_BYTE, to) != 0) {
            to++;
        }
        return new String(file.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
    }
}
