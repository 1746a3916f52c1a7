package dev.unjank.trace;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a trace says of the machine that it is of.
 *
 * @param facts by Perfetto's names for them: {@code android_build_fingerprint}, {@code android_sdk_version}, {@code system_release}
 *     and so on, in the order in which they were told
 * @param packages the Android packages on it, empty if not told
 */
public record Machine(Map<String, String> facts, List<App> packages) {
    /** Keeps its own copies. */
    public Machine {
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
        packages = List.copyOf(packages);
    }

    /**
     * An Android package.
     *
     * @param name the package's name
     * @param uid the number of the user that it runs as
     * @param debuggable whether a debugger may be attached
     * @param profileable whether the shell may profile it
     * @param versionCode its version
     */
    public record App(String name, long uid, boolean debuggable, boolean profileable, long versionCode) {
        // Written out since the JVM makes the code of a record's own at its first use, which takes milliseconds.

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
