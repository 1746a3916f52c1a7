package dev.unjank.record.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * The USDT probes of a library: no-op instructions on which the kernel can set uprobes. They are listed in notes of the
 * ELF section {@code .note.stapsdt}, as SystemTap defined them. HotSpot has several hundred.
 *
 * <p>64-bit, little-endian files only. Damaged notes and addresses outside of the file's code are skipped.
 */
public final class UsdtProbes {
    private static final String SECTION = ".note.stapsdt";
    private static final String BASE_SECTION = ".stapsdt.base";
    private static final String OWNER = "stapsdt";
    private static final int NOTE_TYPE = 3;

    /** More notes than any library has: bounds the work for a damaged or hostile file. */
    private static final long MOST_BYTES = 1 << 24;

    private final ElfFile file;
    private final List<Probe> probes = new ArrayList<>();
    private long rest = MOST_BYTES;

    private UsdtProbes(ElfFile file) {
        this.file = file;
    }

    /**
     * A probe.
     *
     * @param provider its provider, such as {@code hotspot_jni}
     * @param name its name, such as {@code GetPrimitiveArrayCritical__entry}
     * @param fileOffset the file offset of its instruction, as for uprobes
     * @param arguments the locations of its arguments, in SystemTap's format: {@code 8@%r14 -4@%r15d}
     */
    public record Probe(String provider, String name, long fileOffset, String arguments) {}

    /**
     * Reads the probes of a library or a program in their order; empty for a file that has none or is of another kind.
     */
    static List<Probe> read(FileChannel library) throws IOException {
        UsdtProbes notes = new UsdtProbes(new ElfFile(new FileWindow(library)));
        try {
            notes.run();
        } catch (IndexOutOfBoundsException e) {
            // an offset is outside of the file: keep the probes found so far
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return notes.probes;
    }

    private void run() {
        if (!file.isReadable()) {
            return;
        }
        List<ElfFile.Section> sections = file.sections();
        long base = sections.stream()
                .filter(section -> section.name().equals(BASE_SECTION))
                .mapToLong(ElfFile.Section::address)
                .findFirst()
                .orElse(0);
        for (ElfFile.Section section : sections) {
            if (section.name().equals(SECTION)) {
                notes(section, base);
            }
        }
    }

    private void notes(ElfFile.Section section, long base) {
        long at = section.offset();
        long end = Math.min(file.size(), section.offset() + Math.clamp(section.size(), 0, rest));
        rest -= Math.clamp(end - at, 0, rest);
        while (at + 12 <= end) {
            long nameSize = Integer.toUnsignedLong(file.intAt(at));
            long size = Integer.toUnsignedLong(file.intAt(at + 4));
            int type = file.intAt(at + 8);
            long content = at + 12 + aligned(nameSize);
            if (type == NOTE_TYPE && file.text(at + 12, end).equals(OWNER)) {
                probe(content, Math.min(end, content + size), base);
            }
            at = content + aligned(size);
        }
    }

    private void probe(long at, long end, long base) {
        // The library may have been moved after the notes were written; the base section was moved along.
        long address = file.longAt(at) + (base == 0 ? 0 : base - file.longAt(at + 8));
        long texts = at + 3 * Long.BYTES;
        String provider = file.text(texts, end);
        long nameAt = texts + provider.length() + 1;
        String name = file.text(nameAt, end);
        String arguments = file.text(nameAt + name.length() + 1, end);
        long offset = file.codeOffset(address);
        if (offset >= 0) {
            probes.add(new Probe(provider, name, offset, arguments));
        }
    }

    private static long aligned(long size) {
        return size + 3 & ~3L;
    }
}
