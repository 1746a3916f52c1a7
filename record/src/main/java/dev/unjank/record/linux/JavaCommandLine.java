package dev.unjank.record.linux;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A parser of {@code java} command lines, which finds the program that is run. */
public final class JavaCommandLine {
    /** Options whose value is a separate word. */
    private static final Set<String> WITH_VALUE = Set.of(
            "-cp",
            "-classpath",
            "--class-path",
            "-p",
            "--module-path",
            "--upgrade-module-path",
            "--add-modules",
            "--enable-native-access",
            "--add-exports",
            "--add-opens",
            "--add-reads",
            "--patch-module",
            "--limit-modules",
            "--source",
            "--describe-module",
            "-d");

    private JavaCommandLine() {}

    /** Whether a command is {@code java}, in any folder. */
    public static boolean isJava(String command) {
        String name = command.substring(command.lastIndexOf('/') + 1);
        return name.equals("java") || name.equals("javaw");
    }

    /** The main class, the module or the jar's name; null if the words contain none. */
    static @Nullable String program(List<String> words) {
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            boolean last = i + 1 == words.size();
            if (word.equals("-jar")) {
                return last ? null : words.get(i + 1).substring(words.get(i + 1).lastIndexOf('/') + 1);
            } else if (word.equals("-m") || word.equals("--module")) {
                return last ? null : words.get(i + 1);
            } else if (WITH_VALUE.contains(word)) {
                i++;
            } else if (!word.startsWith("-") && !word.startsWith("@")) {
                return word;
            }
        }
        return null;
    }
}
