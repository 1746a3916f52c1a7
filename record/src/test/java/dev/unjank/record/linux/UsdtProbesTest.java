package dev.unjank.record.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.linux.UsdtProbes.Probe;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class UsdtProbesTest {
    private static final Path LIBJVM = Path.of(System.getProperty("java.home"), "lib", "server", "libjvm.so");
    private static final int ADDRESS = 0x401234;
    private static final int EXECUTABLE = 5;

    @TempDir
    Path folder;

    private List<Probe> read(byte[] library) throws IOException {
        return read(Files.write(folder.resolve("library"), library));
    }

    private static List<Probe> read(Path library) throws IOException {
        try (FileChannel channel = FileChannel.open(library, StandardOpenOption.READ)) {
            return UsdtProbes.read(channel);
        }
    }

    @Test
    void theVirtualMachineHasProbesAroundCriticalSections() throws IOException {
        assumeTrue(Files.exists(LIBJVM), "this virtual machine is not in a file of the usual name");
        List<Probe> probes = read(LIBJVM);
        assumeTrue(!probes.isEmpty(), "this virtual machine was built without probes");

        assertThat(probes)
                .filteredOn(probe -> probe.provider().equals("hotspot_jni"))
                .extracting(Probe::name)
                .contains("GetPrimitiveArrayCritical__return", "ReleasePrimitiveArrayCritical__entry");
        if (System.getProperty("os.arch").equals("amd64")) {
            byte[] library = Files.readAllBytes(LIBJVM);
            assertThat(probes)
                    .allSatisfy(probe -> assertThat(library[Math.toIntExact(probe.fileOffset())])
                            .as("a nop at %s", probe.name())
                            .isEqualTo((byte) 0x90));
        }
    }

    @Test
    void aNoteIsRead() throws IOException {
        assertThat(read(library(0x5000, 0x5000))).containsExactly(new Probe("app", "begin", 0x334, "8@%rdi"));
    }

    @Test
    void aLibraryThatWasMovedIsReadAsIfItWasNot() throws IOException {
        assertThat(read(library(0x5000, 0x5010))).extracting(Probe::fileOffset).containsExactly(0x344L);
    }

    @Test
    void damageIsNoFailure() throws IOException {
        byte[] whole = library(0x5000, 0x5000);
        for (int length = 0; length < whole.length; length++) {
            assertThat(read(Arrays.copyOf(whole, length))).hasSizeLessThanOrEqualTo(1);
        }
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] = (byte) 0xff;
            read(damaged);
        }
    }

    /**
     * A probe anywhere else would change what the program reads, or another file's code if the offset were taken for
     * that.
     */
    @Test
    void whatIsNotInTheFilesCodeIsLeftOut() throws IOException {
        byte[] notCode = library(0x5000, 0x5000);
        notCode[68] = 4;
        assertThat(read(notCode)).isEmpty();
        for (long offset : new long[] {0x400, -0x234, -0x235, Long.MAX_VALUE - 0x233, Long.MAX_VALUE}) {
            byte[] outside = library(0x5000, 0x5000);
            ByteBuffer.wrap(outside).order(ByteOrder.LITTLE_ENDIAN).putLong(72, offset);
            assertThat(read(outside))
                    .as("%x", offset)
                    .allSatisfy(probe -> assertThat(probe.fileOffset()).isBetween(0L, (long) outside.length - 1));
        }
    }

    /** Sixty thousand sections of notes that are all the same sixteen megabytes. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void theSameNotesInManySectionsAreReadOnce() throws IOException {
        int sections = 60_000;
        ByteBuffer elf = ByteBuffer.allocate(1024 + sections * 64).order(ByteOrder.LITTLE_ENDIAN);
        elf.put(0, library(0x5000, 0x5000));
        elf.putLong(40, 1024).putShort(60, (short) sections).putShort(62, (short) 0);
        elf.putLong(1024 + 24, 600);
        for (int i = 1; i < sections; i++) {
            int at = 1024 + i * 64;
            elf.putInt(at, 1).putLong(at + 24, 1024 + sections * 64L).putLong(at + 32, 1L << 40);
        }
        Path library = Files.write(folder.resolve("many"), elf.array());
        try (RandomAccessFile file = new RandomAccessFile(library.toFile(), "rw")) {
            file.setLength(1L << 42);
        }
        assertThat(read(library)).isEmpty();
    }

    /** A section that claims to be as long as a number allows, in a file as long as a disk allows. */
    @Test
    void theWorkForAHostileLibraryIsBounded() throws IOException {
        Path library = Files.write(folder.resolve("hostile"), library(0x5000, 0x5000));
        try (RandomAccessFile file = new RandomAccessFile(library.toFile(), "rw")) {
            file.setLength(1L << 42);
        }
        assertThat(read(library)).hasSize(1);
    }

    /** An ELF file with one loaded segment, one note, and a base that is where the note says, or elsewhere. */
    private static byte[] library(long baseThen, long baseNow) {
        ByteBuffer elf = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);
        elf.putInt(0, 0x464c457f).putShort(4, (short) 0x0102);
        elf.putLong(32, 64).putShort(56, (short) 1); // segments
        elf.putLong(40, 256).putShort(60, (short) 4).putShort(62, (short) 3); // sections
        elf.putInt(64, 1)
                .putInt(68, EXECUTABLE)
                .putLong(72, 0x100)
                .putLong(80, 0x401000)
                .putLong(96, 0x2000);
        byte[] names = "\0.note.stapsdt\0.stapsdt.base\0.names\0".getBytes(StandardCharsets.ISO_8859_1);
        elf.put(600, names);
        section(elf, 1, 1, 0, 700, 128);
        section(elf, 2, 15, baseNow, 0, 1);
        section(elf, 3, 29, 0, 600, names.length);
        byte[] texts = "app\0begin\0008@%rdi\0".getBytes(StandardCharsets.ISO_8859_1);
        elf.putInt(700, 8).putInt(704, 24 + texts.length).putInt(708, 3);
        elf.put(712, "stapsdt\0".getBytes(StandardCharsets.ISO_8859_1));
        elf.putLong(720, ADDRESS).putLong(728, baseThen).putLong(736, 0).put(744, texts);
        return elf.array();
    }

    private static void section(ByteBuffer elf, int number, int name, long address, long offset, long size) {
        int at = 256 + number * 64;
        elf.putInt(at, name).putLong(at + 16, address).putLong(at + 24, offset).putLong(at + 32, size);
    }
}
