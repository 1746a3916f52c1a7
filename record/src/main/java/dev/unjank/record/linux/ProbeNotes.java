package dev.unjank.record.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The probes that a program's authors have left in a library: places of one instruction that does nothing, at which the kernel can
 * be told to note who comes by. They are listed in notes of the ELF section {@code .note.stapsdt}, as SystemTap defined them. The
 * virtual machine has several hundred.
 *
 * <p>64-bit, little-endian files only. What is damaged is left out.
 */
public final class ProbeNotes {
    private static final String SECTION = ".note.stapsdt";
    private static final String BASE_SECTION = ".stapsdt.base";
    private static final String OWNER = "stapsdt";
    private static final int NOTE_TYPE = 3;

    private static final int MAGIC = 0x464c457f;
    private static final int CLASS_64_LITTLE_ENDIAN = 0x0102;
    private static final int HEADER_SIZE = 64;
    private static final int SECTION_SIZE = 64;
    private static final int SEGMENT_SIZE = 56;
    private static final int LOADED = 1;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment file;
    private final List<Probe> probes = new ArrayList<>();

    private ProbeNotes(MemorySegment file) {
        this.file = file;
    }

    /**
     * A probe.
     *
     * @param provider the part of the program that it is of, such as {@code hotspot_jni}
     * @param name its name, such as {@code GetPrimitiveArrayCritical__entry}
     * @param fileOffset where its instruction is in the file, which is what the kernel's uprobes are told
     * @param arguments where its arguments are at that moment, as SystemTap writes it: {@code 8@%r14 -4@%r15d}
     */
    public record Probe(String provider, String name, long fileOffset, String arguments) {}

    /** A section of the file: where it is in memory and in the file. */
    private record Section(String name, long address, long offset, long size) {}

    /**
     * Reads the probes of a library or a program.
     *
     * @param library a file
     * @return its probes in their order; empty for a file that has none or is of another kind
     * @throws IOException if it cannot be read
     */
    public static List<Probe> read(Path library) throws IOException {
        try (FileChannel channel = FileChannel.open(library, StandardOpenOption.READ);
                Arena arena = Arena.ofConfined()) {
            return read(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena));
        }
    }

    static List<Probe> read(MemorySegment file) {
        ProbeNotes notes = new ProbeNotes(file);
        try {
            notes.run();
        } catch (IndexOutOfBoundsException e) {
            // Some place lies outside of the file: what has been found until then is all there is.
        }
        return notes.probes;
    }

    private void run() {
        if (file.byteSize() < HEADER_SIZE
                || file.get(INT, 0) != MAGIC
                || file.get(SHORT, 4) != CLASS_64_LITTLE_ENDIAN) {
            return;
        }
        List<Section> sections = sections();
        long base = sections.stream()
                .filter(section -> section.name.equals(BASE_SECTION))
                .mapToLong(Section::address)
                .findFirst()
                .orElse(0);
        for (Section section : sections) {
            if (section.name.equals(SECTION)) {
                notes(section, base);
            }
        }
    }

    private List<Section> sections() {
        long table = file.get(LONG, 40);
        int count = Short.toUnsignedInt(file.get(SHORT, 60));
        long names = file.get(LONG, table + (long) Short.toUnsignedInt(file.get(SHORT, 62)) * SECTION_SIZE + 24);
        List<Section> sections = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long at = table + (long) i * SECTION_SIZE;
            sections.add(new Section(
                    text(names + Integer.toUnsignedLong(file.get(INT, at)), file.byteSize()),
                    file.get(LONG, at + 16),
                    file.get(LONG, at + 24),
                    file.get(LONG, at + 32)));
        }
        return sections;
    }

    private void notes(Section section, long base) {
        long at = section.offset;
        long end = Math.min(file.byteSize(), section.offset + section.size);
        while (at + 12 <= end) {
            long nameSize = Integer.toUnsignedLong(file.get(INT, at));
            long size = Integer.toUnsignedLong(file.get(INT, at + 4));
            int type = file.get(INT, at + 8);
            long content = at + 12 + aligned(nameSize);
            if (type == NOTE_TYPE && text(at + 12, end).equals(OWNER)) {
                probe(content, Math.min(end, content + size), base);
            }
            at = content + aligned(size);
        }
    }

    private void probe(long at, long end, long base) {
        // The library may have been moved after the notes were written; the base section was moved along.
        long address = file.get(LONG, at) + (base == 0 ? 0 : base - file.get(LONG, at + 8));
        long texts = at + 3 * Long.BYTES;
        String provider = text(texts, end);
        long nameAt = texts + provider.length() + 1;
        String name = text(nameAt, end);
        String arguments = text(nameAt + name.length() + 1, end);
        long offset = offset(address);
        if (offset >= 0) {
            probes.add(new Probe(provider, name, offset, arguments));
        }
    }

    /** Where in the file the byte is that is loaded to an address; -1 if none is. */
    private long offset(long address) {
        long table = file.get(LONG, 32);
        int count = Short.toUnsignedInt(file.get(SHORT, 56));
        for (int i = 0; i < count; i++) {
            long at = table + (long) i * SEGMENT_SIZE;
            long start = file.get(LONG, at + 16);
            if (file.get(INT, at) == LOADED && address >= start && address - start < file.get(LONG, at + 32)) {
                return address - start + file.get(LONG, at + 8);
            }
        }
        return -1;
    }

    private static long aligned(long size) {
        return size + 3 & ~3L;
    }

    /** The bytes up to the next zero; probes and sections have names of plain letters. */
    private String text(long from, long limit) {
        long to = from;
        while (to < limit && file.get(ValueLayout.JAVA_BYTE, to) != 0) {
            to++;
        }
        return new String(file.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
    }
}
