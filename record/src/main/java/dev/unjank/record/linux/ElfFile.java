package dev.unjank.record.linux;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A reader of ELF files: sections, dynamic symbols, and the mapping of addresses to file offsets. 64-bit, little-endian
 * files only. Offsets outside of a damaged file cause an {@link IndexOutOfBoundsException}.
 */
final class ElfFile {
    private static final int MAGIC = 0x464c457f;
    private static final int CLASS_64_LITTLE_ENDIAN = 0x0102;
    private static final int HEADER_SIZE = 64;
    private static final int SECTION_SIZE = 64;
    private static final int SEGMENT_SIZE = 56;
    private static final int LOADED = 1;
    private static final int EXECUTABLE = 1;
    private static final int SYMBOL_SIZE = 24;
    private static final int DYNAMIC_SYMBOLS = 11;

    /** The maximum number of sections, more than any library has: a bound for damaged or hostile files. */
    private static final int MOST_SYMBOLS = 1 << 20;

    /** More than any library has. */
    private static final int MOST_SECTIONS = 1 << 12;

    private static final int LONGEST_TEXT = 1 << 12;

    private final FileWindow file;

    /** The bytes of a file. */
    ElfFile(FileWindow file) {
        this.file = file;
    }

    /** A section; {@code link} is the number of an associated section, such as the one with its names. */
    record Section(String name, int type, long address, long offset, long size, int link) {}

    /** Whether the file is a supported ELF file. */
    boolean isReadable() {
        return file.size() >= HEADER_SIZE && intAt(0) == MAGIC && shortAt(4) == CLASS_64_LITTLE_ENDIAN;
    }

    /** The sections, in file order. */
    List<Section> sections() {
        long table = longAt(40);
        int count = Math.min(shortAt(60), MOST_SECTIONS);
        long names = longAt(table + (long) shortAt(62) * SECTION_SIZE + 24);
        List<Section> sections = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long at = table + (long) i * SECTION_SIZE;
            sections.add(new Section(
                    text(names + Integer.toUnsignedLong(intAt(at)), file.size()),
                    intAt(at + 4),
                    longAt(at + 16),
                    longAt(at + 24),
                    longAt(at + 32),
                    intAt(at + 40)));
        }
        return sections;
    }

    /** The file offset of the instruction at an address; -1 if there is none. */
    long codeOffset(long address) {
        long table = longAt(32);
        int count = shortAt(56);
        for (int i = 0; i < count; i++) {
            long at = table + (long) i * SEGMENT_SIZE;
            long start = longAt(at + 16);
            boolean isCode = intAt(at) == LOADED && (intAt(at + 4) & EXECUTABLE) != 0;
            if (isCode && address >= start && address - start < longAt(at + 32)) {
                long offset = address - start + longAt(at + 8);
                return offset < file.size() ? offset : -1;
            }
        }
        return -1;
    }

    /** The addresses of dynamic symbols with a prefix, by name. */
    Map<String, Long> symbols(String prefix) {
        Map<String, Long> found = new HashMap<>();
        List<Section> sections = sections();
        long rest = MOST_SYMBOLS;
        for (Section section : sections) {
            if (section.type == DYNAMIC_SYMBOLS) {
                long names = sections.get(section.link).offset;
                long count = Math.clamp(section.size / SYMBOL_SIZE, 0, rest);
                rest -= count;
                for (long at = section.offset; at < section.offset + count * SYMBOL_SIZE; at += SYMBOL_SIZE) {
                    String name = text(names + Integer.toUnsignedLong(intAt(at)), file.size());
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
        return file.size();
    }

    private int shortAt(long offset) {
        return (int) bytesAt(offset, Short.BYTES);
    }

    int intAt(long offset) {
        return (int) bytesAt(offset, Integer.BYTES);
    }

    long longAt(long offset) {
        return bytesAt(offset, Long.BYTES);
    }

    private long bytesAt(long offset, int count) {
        long value = 0;
        for (int i = count - 1; i >= 0; i--) {
            value = (value << 8) | (file.at(offset + i) & 0xff);
        }
        return value;
    }

    /** The bytes up to the next zero, as ISO 8859-1. */
    String text(long from, long limit) {
        StringBuilder text = new StringBuilder();
        long end = Math.min(limit, from + LONGEST_TEXT);
        for (long at = from; at < end && file.at(at) != 0; at++) {
            text.append((char) (file.at(at) & 0xff));
        }
        return text.toString();
    }
}
