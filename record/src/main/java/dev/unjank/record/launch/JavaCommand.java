package dev.unjank.record.launch;

import dev.unjank.record.linux.JavaCommandLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A command that starts a JVM, and the options that hold it. */
final class JavaCommand {
    /** The first Java version that warns when an agent is loaded into a running JVM, as the recorder does. */
    private static final int WARNS_SINCE = 21;

    private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"([0-9]+)");

    private JavaCommand() {}

    static boolean isJava(List<String> command) {
        return JavaCommandLine.isJava(command.getFirst());
    }

    /** The command with an agent. */
    static List<String> withAgent(List<String> command, Path program, Path jar, String arguments) {
        List<String> held = new ArrayList<>();
        held.add(command.getFirst());
        held.add("-javaagent:" + jar + "=" + arguments);
        if (feature(program) >= WARNS_SINCE) {
            held.add("-XX:+EnableDynamicAgentLoading");
        }
        held.addAll(command.subList(1, command.size()));
        return held;
    }

    /** The Java version, from the file in the JDK's folder; 0 if unknown. */
    private static int feature(Path java) {
        try {
            Path bin = java.toRealPath().getParent();
            Path home = bin == null ? null : bin.getParent();
            Matcher version = VERSION.matcher(home == null ? "" : Files.readString(home.resolve("release")));
            return version.find() ? Integer.parseInt(version.group(1)) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    /** The file of a command, found as a shell does; null if there is none. */
    static @Nullable Path find(String command, String path) {
        if (command.contains("/")) {
            Path file = Path.of(command);
            return Files.isExecutable(file) && Files.isRegularFile(file) ? file : null;
        }
        for (String folder : path.split(":", -1)) {
            Path file = Path.of(folder.isEmpty() ? "." : folder).resolve(command);
            if (Files.isExecutable(file) && Files.isRegularFile(file)) {
                return file;
            }
        }
        return null;
    }
}
