package dev.unjank.record.linux;

import dev.unjank.record.lifecycle.EndLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads command lines of processes, with a time limit. A process can place its command line in memory that it has
 * mapped from a FUSE file system, and block every reader: even SIGKILL does not end such a read. So the command line of
 * another user's process is read by a child process ({@code head}), which is abandoned at the limit. Thread-safe.
 *
 * <p>When reading the command lines of a user's processes has taken {@link #MOST_PER_USER}, they are not read for some
 * time, so that one user cannot hide the JVMs of the others. A user may have many uids (subordinate ids), so there is a
 * limit for all users as well: {@link #MOST_IN_ALL}. The whole time of a read counts: otherwise thousands of processes
 * could delay the recorder by a little each.
 */
final class CommandLineReader {
    /** The limit of a command line, in bytes. A pipe holds as much. */
    private static final int MOST_BYTES = 1 << 15;

    static final Duration MOST_PER_USER = Duration.ofSeconds(2);
    static final Duration MOST_IN_ALL = Duration.ofSeconds(10);

    private final Path proc;
    private final int self;
    private final LongSupplier clock;

    /** The time for each user's processes, by uid. */
    private final Map<Integer, TimeBudget> ofUsers = new HashMap<>();

    private final TimeBudget inAll;

    /** The names of users of whom a command line was not read, by uid. */
    private final SortedMap<Integer, String> unread = new TreeMap<>();

    /**
     * Creates a reader.
     *
     * @param proc a folder laid out like {@code /proc}
     * @param self the user of this process
     * @param clock the time in ns, as {@link System#nanoTime}
     */
    CommandLineReader(Path proc, int self, LongSupplier clock) {
        this.proc = proc;
        this.self = self;
        this.clock = clock;
        inAll = new TimeBudget(MOST_IN_ALL, clock.getAsLong());
    }

    /**
     * Returns the words of a command line, each ended by a zero byte.
     *
     * @throws IOException if the process has ended, or is another user's and reading takes too long
     */
    String read(int pid) throws IOException {
        Path folder = proc.resolve(Integer.toString(pid));
        int user = ProcessCredentials.of(folder.resolve("status")).uid();
        Path file = folder.resolve("cmdline");
        if (isTrusted(user)) {
            return ProcFile.text(file);
        }
        synchronized (this) {
            long now = clock.getAsLong();
            TimeBudget ofUser = ofUsers.computeIfAbsent(user, uid -> new TimeBudget(MOST_PER_USER, now));
            if (ofUser.isSpent(now) || inAll.isSpent(now)) {
                throw notRead(user, folder, "processes of other users have delayed the recorder for too long");
            }
            String read = readByChild(file, ofUser);
            if (read == null) {
                throw notRead(user, folder, file + " cannot be read in time");
            }
            return read;
        }
    }

    /**
     * The same of processes of this user and of root, which do not delay the caller; null for processes of other users.
     */
    @Nullable
    String readAtOnce(int pid) throws IOException {
        Path folder = proc.resolve(Integer.toString(pid));
        int user = ProcessCredentials.of(folder.resolve("status")).uid();
        return isTrusted(user) ? ProcFile.text(folder.resolve("cmdline")) : null;
    }

    private boolean isTrusted(int user) {
        return user == 0 || user == self;
    }

    private IOException notRead(int user, Path folder, String why) {
        unread.computeIfAbsent(user, uid -> ProcessCredentials.userName(folder, uid));
        return new IOException(why);
    }

    /** The users of whom a command line was not read, since reading took too long: their names, or uids if unknown. */
    synchronized List<String> unread() {
        return List.copyOf(unread.values());
    }

    private @Nullable String readByChild(Path file, TimeBudget ofUser) throws IOException {
        ProcessBuilder command = new ProcessBuilder("head", "-c", Integer.toString(MOST_BYTES), file.toString());
        command.environment().clear();
        Process child = command.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        long begun = clock.getAsLong();
        try {
            if (child.waitFor(EndLimits.COMMAND_LINE.toMillis(), TimeUnit.MILLISECONDS)) {
                return new String(child.getInputStream().readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            long taken = clock.getAsLong() - begun;
            ofUser.spend(taken);
            inAll.spend(taken);
        }
        child.destroyForcibly();
        return null;
    }
}
