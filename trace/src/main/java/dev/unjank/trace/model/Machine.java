package dev.unjank.trace.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The machine that was recorded.
 *
 * @param facts entries by Perfetto's names: {@code android_build_fingerprint}, {@code android_sdk_version}, {@code
 *     system_release} and so on, in recorded order
 * @param packages the installed Android packages, empty if unknown
 */
public record Machine(Map<String, String> facts, List<App> packages) {
    /** Copies its arguments. */
    public Machine {
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
        packages = List.copyOf(packages);
    }

    /** {@return the version of the kernel, null if unknown} */
    public @Nullable Kernel kernel() {
        String release = facts.get("system_release");
        return release == null ? null : Kernel.parse(release);
    }

    /**
     * A version of Linux.
     *
     * @param major the first number
     * @param minor the second number
     */
    public record Kernel(int major, int minor) {
        private static final int MAX_DIGITS = 6;

        /**
         * {@return the version in the output of {@code uname -r}, such as {@code 4.19.191-gc4209e6f7f25}; null if it
         * does not begin with two numbers}
         *
         * @param release the output
         */
        public static @Nullable Kernel parse(String release) {
            int dot = endOfNumber(release, 0);
            if (dot == 0 || dot == release.length() || release.charAt(dot) != '.') {
                return null;
            }
            int end = endOfNumber(release, dot + 1);
            return end == dot + 1 || Math.max(dot, end - dot) > MAX_DIGITS
                    ? null
                    : new Kernel(
                            Integer.parseInt(release.substring(0, dot)),
                            Integer.parseInt(release.substring(dot + 1, end)));
        }

        private static int endOfNumber(String text, int from) {
            int end = from;
            while (end < text.length() && Character.isDigit(text.charAt(end))) {
                end++;
            }
            return end;
        }

        /**
         * {@return whether this kernel is older than another}
         *
         * @param thanMajor the other's first number
         * @param thanMinor the other's second number
         */
        public boolean isOlder(int thanMajor, int thanMinor) {
            return major < thanMajor || (major == thanMajor && minor < thanMinor);
        }
    }

    /**
     * An Android package.
     *
     * @param name its name
     * @param uid its user id
     * @param debuggable whether a debugger may be attached
     * @param profileable whether the shell may profile it
     * @param versionCode its version
     */
    public record App(String name, long uid, boolean debuggable, boolean profileable, long versionCode) {
        // Written by hand because the JVM generates a record's methods at their first use, which takes milliseconds.

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof App app
                    && name.equals(app.name)
                    && uid == app.uid
                    && debuggable == app.debuggable
                    && profileable == app.profileable
                    && versionCode == app.versionCode;
        }

        @Override
        public int hashCode() {
            return 31 * name.hashCode() + Long.hashCode(uid);
        }
    }
}
