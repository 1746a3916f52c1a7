package dev.unjank.record.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.record.ProcessOutput;
import dev.unjank.record.linux.JvmLibrary;
import dev.unjank.record.linux.Proc;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A target that maps another file in place of its library, at the same addresses, between the moment when the recorder
 * reads the probes and the moment when it gives them to the kernel: it wants a probe at an offset of its choice in a
 * file of its choice.
 */
class RemappedLibraryTest {
    /** Below everything else, so that the table of mappings has it first. */
    private static final long ADDRESS = 0x2000_0000L;

    private static final int BYTES = 4096;

    @TempDir
    private Path folder;

    private Path library;
    private Path other;

    @BeforeEach
    void programs() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "needs Linux");
        assumeTrue(Proc.isRoot(), "needs root, for probes");
        // programs of which it can be seen whether they come by a probe
        library = copyOfSleep("library");
        other = copyOfSleep("other");
    }

    private Path copyOfSleep(String name) throws IOException {
        Path copy = Files.createDirectory(folder.resolve(name)).resolve("libjvm.so");
        return Files.copy(Path.of("/bin/sleep").toRealPath(), copy);
    }

    /** A program that has the first file in its memory, and puts the second one in its place. */
    static final class Remapper {
        private static final int PROT_READ = 1;
        private static final int MAP_PRIVATE_FIXED = 0x12;

        private Remapper() {}

        public static void main(String[] files) throws Throwable {
            map(files[0]);
            System.out.println("mapped");
            System.in.read();
            map(files[1]);
            System.out.println("remapped");
            while (System.in.read() >= 0) {
                // until the test is over
            }
        }

        @SuppressWarnings("restricted") // as open(2) and mmap(2) have them
        private static void map(String file) throws Throwable {
            Linker linker = Linker.nativeLinker();
            MethodHandle open = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("open"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
            MethodHandle mmap = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("mmap"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG));
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment name = arena.allocateFrom(file);
                int descriptor = (int) open.invokeExact(name, 0);
                long at = (long) mmap.invokeExact(ADDRESS, (long) BYTES, PROT_READ, MAP_PRIVATE_FIXED, descriptor, 0L);
                if (at != ADDRESS) {
                    throw new IllegalStateException("mmap: " + at);
                }
            }
        }
    }

    /** Where the program begins in its file. */
    private static long entry(Path program) throws IOException {
        ByteBuffer elf = ByteBuffer.wrap(Files.readAllBytes(program)).order(ByteOrder.LITTLE_ENDIAN);
        long address = elf.getLong(24);
        for (int i = 0; i < elf.getShort(56); i++) {
            int at = (int) elf.getLong(32) + i * 56;
            long start = elf.getLong(at + 16);
            if (elf.getInt(at) == 1 && address >= start && address < start + elf.getLong(at + 32)) {
                return address - start + elf.getLong(at + 8);
            }
        }
        throw new IOException("no entry");
    }

    private static void run(Path program) throws Exception {
        assertThat(new ProcessBuilder(program.toString(), "0").start().waitFor())
                .isZero();
    }

    private static long hits(TraceFs fs, String event) throws IOException {
        String name = event.substring(event.indexOf('/') + 1);
        return Files.readAllLines(fs.root.resolve("uprobe_profile")).stream()
                .map(line -> line.strip().split("\\s+", -1))
                .filter(fields -> fields[1].equals(name))
                .mapToLong(fields -> Long.parseLong(fields[2]))
                .sum();
    }

    @Test
    void theProbeIsInTheFileThatWasRead() throws Exception {
        assumeTrue(
                new JniCriticalSource((int) ProcessHandle.current().pid())
                        .probe()
                        .isOn(),
                "needs root and uprobes");
        Process target = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Remapper.class.getName(),
                        library.toString(),
                        other.toString())
                .start();
        try (BufferedReader says = target.inputReader(StandardCharsets.UTF_8);
                Writer hears = target.outputWriter(StandardCharsets.UTF_8)) {
            ProcessOutput.expect(target.toHandle(), says, "mapped");
            int pid = (int) target.pid();
            try (JvmLibrary opened = JvmLibrary.of(pid, () -> false)) {
                assertThat(Files.isSameFile(opened.file(), library)).isTrue();
                assertThat(opened.probes()).as("what is read").isNotNull();
                hears.write("\n");
                hears.flush();
                ProcessOutput.expect(target.toHandle(), says, "remapped");
                String range = "%x-%x".formatted(ADDRESS, ADDRESS + BYTES);
                assertThat(Files.isSameFile(Path.of("/proc/" + pid + "/map_files", range), other))
                        .as("the attack")
                        .isTrue();

                assertOnlyTheLibraryHasAProbe(opened);
            }
        } finally {
            ProcessOutput.kill(target.toHandle());
            ProcessOutput.awaitEnd(target);
        }
    }

    private void assertOnlyTheLibraryHasAProbe(JvmLibrary opened) throws Exception {
        TraceFs fs = TraceFs.find();
        try (Uprobes uprobes = new Uprobes(fs);
                TraceInstance instance = TraceInstance.create(fs, 1 << 16)) {
            String event = uprobes.add("remapped", opened.file(), entry(library));
            instance.enable(event);
            instance.turnOn();
            run(other);
            assertThat(hits(fs, event)).as("in the other file").isZero();
            run(library);
            assertThat(hits(fs, event)).as("in the library").isPositive();
        } finally {
            fs.release();
        }
    }
}
