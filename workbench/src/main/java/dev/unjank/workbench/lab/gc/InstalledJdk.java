package dev.unjank.workbench.lab.gc;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An installed JDK.
 *
 * @param feature the feature version, such as 25
 */
record InstalledJdk(Path home, int feature) {
    private static final int ANSWER_SECONDS = 60;

    /** The JDK that runs this process. */
    static InstalledJdk ours() {
        return new InstalledJdk(
                Path.of(System.getProperty("java.home")), Runtime.version().feature());
    }

    /**
     * A JDK of the given version, from {@code JAVA_17_HOME} and similar variables, or from the folders of Linux
     * packages and SDKMAN.
     */
    static Optional<InstalledJdk> installed(int feature) throws IOException {
        List<Path> places = new ArrayList<>();
        String configured = System.getenv("JAVA_" + feature + "_HOME");
        if (configured != null) {
            places.add(Path.of(configured));
        }
        places.addAll(directoriesOf(Path.of("/usr/lib/jvm")));
        places.addAll(directoriesOf(Path.of(System.getProperty("user.home"), ".sdkman", "candidates", "java")));
        places.addAll(directoriesOf(Path.of(System.getProperty("user.home"), ".jdks")));
        for (Path place : places) {
            if (Files.isExecutable(place.resolve("bin").resolve("java")) && feature(place) == feature) {
                return Optional.of(new InstalledJdk(place.toRealPath(), feature));
            }
        }
        return Optional.empty();
    }

    private static List<Path> directoriesOf(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(Files::isDirectory).sorted().toList();
        }
    }

    /** The version in the JDK's {@code release} file; 0 if the file is missing. */
    private static int feature(Path home) throws IOException {
        Path release = home.resolve("release");
        if (!Files.isReadable(release)) {
            return 0;
        }
        Properties properties = new Properties();
        try (var reader = Files.newBufferedReader(release)) {
            properties.load(reader);
        }
        String version = properties.getProperty("JAVA_VERSION", "0").replace("\"", "");
        return Integer.parseInt(version.split("[.+_-]", -1)[0]);
    }

    /** Whether the JVM accepts an option. */
    boolean takes(String option) throws IOException {
        Process process = new ProcessBuilder(
                        home.resolve("bin").resolve("java").toString(), option, "-Xmx64m", "-version")
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
        try {
            return process.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
