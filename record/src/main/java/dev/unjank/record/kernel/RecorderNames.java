package dev.unjank.record.kernel;

import dev.unjank.trace.tempfile.ProcessIdentity;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of a recorder's things in the kernel: a prefix, the pid, the start time, and a number. Earlier versions left
 * out the start time. Thread-safe.
 */
final class RecorderNames {
    private final String separator;
    private final Pattern names;
    private final AtomicInteger count = new AtomicInteger();

    /** Creates names of which {@code separator} separates the parts. */
    RecorderNames(String separator) {
        this.separator = separator;
        names = Pattern.compile("unjank@([0-9]{1,10})(?:@([0-9]{1,20}))?@[0-9]+".replace("@", separator));
    }

    /** A new name for this process. */
    String next() {
        ProcessIdentity own = ProcessIdentity.of(ProcessHandle.current().pid());
        return String.join(separator, "unjank", own.pid(), own.start(), Integer.toString(count.incrementAndGet()));
    }

    /**
     * Whether it is the name of a recorder that has ended. A name without a start time is not if any process has its
     * pid.
     */
    boolean isStale(String name) {
        Matcher parts = names.matcher(name);
        if (!parts.matches()) {
            return false;
        }
        String start = parts.group(2);
        return start == null
                ? ProcessHandle.of(Long.parseLong(parts.group(1))).isEmpty()
                : new ProcessIdentity(parts.group(1), start).hasEnded();
    }
}
