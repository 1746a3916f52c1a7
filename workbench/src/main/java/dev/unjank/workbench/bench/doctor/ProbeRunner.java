package dev.unjank.workbench.bench.doctor;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program that repeats one operation in a Java VM of its own, with the options of this one but without its cache of
 * classes, and prints a line {@code took NANOSECONDS} for each time.
 */
final class ProbeRunner {
    private static final String TOOK = "took ";

    private ProbeRunner() {}

    /** Says, in the probe's own VM, how long something took. */
    static void tell(long nanos) {
        System.out.println(TOOK + nanos);
    }

    /** How long each time took that a probe does its thing, in ns. */
    static long[] run(Class<?> probe, String classPath, int times, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-XX:") && !option.startsWith("-XX:AOT"))
                .forEach(command::add);
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-cp");
        command.add(classPath);
        command.add(probe.getName());
        command.add(String.valueOf(times));
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        try (BufferedReader lines = process.inputReader()) {
            long[] took = lines.lines()
                    .filter(line -> line.startsWith(TOOK))
                    .mapToLong(line -> Long.parseLong(line.substring(TOOK.length())))
                    .toArray();
            if (process.waitFor() != 0 || took.length != times) {
                throw new IOException(probe.getSimpleName() + " ended with status " + process.exitValue());
            }
            return took;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** The class path that some classes come from. */
    static String classPath(Class<?>... types) {
        return Stream.of(types).map(ProbeRunner::whereFrom).distinct().collect(Collectors.joining(File.pathSeparator));
    }

    private static String whereFrom(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("class files at an odd place", e);
        }
    }
}
