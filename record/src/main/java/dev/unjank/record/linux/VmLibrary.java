package dev.unjank.record.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The library of a process that is its Java virtual machine.
 *
 * @param file as this process sees it
 * @param base where in the process's memory it begins
 */
public record VmLibrary(Path file, long base) {
    private static final String NAME = "/libjvm.so";

    /**
     * Finds it.
     *
     * @param pid the process
     * @return the library
     * @throws IOException if the process has none, or may not be looked into
     */
    public static VmLibrary of(int pid) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/maps"), StandardCharsets.ISO_8859_1)) {
            String line = lines.filter(each -> each.endsWith(NAME))
                    .findFirst()
                    .orElseThrow(() -> new IOException("process " + pid + " is no Java virtual machine"));
            Path file = Path.of("/proc/" + pid + "/root" + line.substring(line.indexOf('/')))
                    .toRealPath();
            return new VmLibrary(file, Long.parseLong(line.substring(0, line.indexOf('-')), 16));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * What the library has for others.
     *
     * @param prefix how their names begin
     * @return addresses in the process's memory, by name; empty for a file of another kind
     * @throws IOException if the library cannot be read
     */
    public Map<String, Long> symbols(String prefix) throws IOException {
        Map<String, Long> symbols = new HashMap<>();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                Arena arena = Arena.ofConfined()) {
            ElfFile elf = new ElfFile(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena));
            if (elf.isReadable()) {
                elf.symbols(prefix).forEach((name, address) -> symbols.put(name, base + address));
            }
        } catch (IndexOutOfBoundsException e) {
            throw new IOException(file + " is damaged", e);
        }
        return symbols;
    }
}
