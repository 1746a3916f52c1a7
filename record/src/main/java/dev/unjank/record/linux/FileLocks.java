package dev.unjank.record.linux;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The holders of file locks, for messages: every user who may read a file can lock it. */
public final class FileLocks {
    private static final Path LOCKS = Path.of("/proc/locks");

    /** What the JDK prints as the key of a file: the device in hexadecimal digits, and the inode. */
    private static final Pattern KEY = Pattern.compile("\\(dev=([0-9a-f]{1,15}),ino=([0-9]+)\\)");

    private FileLocks() {}

    /** A process that has locked a file, as {@code " (pid 4711)"}; empty if it is unknown. */
    public static String holder(@Nullable Object fileKey) {
        return holder(fileKey, LOCKS);
    }

    /** Reads another list of locks, for tests. */
    static String holder(@Nullable Object fileKey, Path locks) {
        Matcher key = KEY.matcher(String.valueOf(fileKey));
        if (!key.matches()) {
            return "";
        }
        long device = Long.parseLong(key.group(1), 16);
        long major = device >> 8 & 0xfff;
        long minor = (device & 0xff) | (device >> 12 & 0xfff00);
        Pattern lock = Pattern.compile(String.format(
                Locale.ROOT, "[0-9]+: +POSIX .* ([1-9][0-9]*) %02x:%02x:%s .*", major, minor, key.group(2)));
        try {
            String pid = ProcFile.first(locks, line -> {
                Matcher found = lock.matcher(line);
                return found.matches() ? found.group(1) : null;
            });
            return pid == null ? "" : " (pid " + pid + ")";
        } catch (IOException e) {
            return "";
        }
    }
}
