package dev.unjank.record.linux;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A reader of {@code /proc}: processes and threads. Processes and threads that end meanwhile are missing in results.
 */
public final class Proc {
    public static final Proc SYSTEM = new Proc(Path.of("/proc"));

    /** The inode number of the kernel's initial pid namespace, the same in all kernels. */
    private static final String FIRST_NAMESPACE = "pid:[4026531836]";

    private final Path root;
    private final CommandLineReader commandLines;

    /** A folder laid out like {@code /proc}. */
    public Proc(Path root) {
        this(root, System::nanoTime);
    }

    /** The same with another clock, in ns, for tests. */
    public Proc(Path root, LongSupplier clock) {
        this.root = root;
        commandLines = new CommandLineReader(root, self(), clock);
    }

    /** The user of this process; root, whose processes are trusted, if unknown. */
    private static int self() {
        try {
            return ProcessCredentials.own().uid();
        } catch (IOException e) {
            return 0;
        }
    }

    /**
     * Whether this process runs as root, possibly with fewer capabilities, as in a container; also false if unknown.
     */
    public static boolean isRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    public record Task(int pid, int tid, String comm) {}

    /**
     * A process.
     *
     * @param parentPid the pid of its parent
     * @param name the main class or jar of a Java program, otherwise the name of the command
     * @param isJvm whether it was started by a {@code java} command
     */
    public record Info(int pid, int parentPid, String name, boolean isJvm) {}

    public List<Integer> processes() {
        return numbers(root);
    }

    /** The ids of the threads of a process; empty if it has ended. */
    public List<Integer> tids(int pid) {
        return numbers(folder(pid).resolve("task"));
    }

    /** The threads of a process; empty if it has ended. */
    public List<Task> tasks(int pid) {
        return tids(pid).stream()
                .map(tid -> task(pid, tid))
                .filter(Objects::nonNull)
                .toList();
    }

    /** A thread of a process; null if it has ended. */
    public @Nullable Task task(int pid, int tid) {
        String comm = line(taskFolder(pid, tid).resolve("comm"));
        return comm == null ? null : new Task(pid, tid, comm);
    }

    /** A thread of any process; null if it has ended. */
    public @Nullable Task task(int tid) {
        String status = text(folder(tid).resolve("status")); // threads have unlisted entries
        String pid = status == null ? null : field(status, "Tgid");
        String comm = status == null ? null : line(folder(tid).resolve("comm"));
        return pid == null || comm == null ? null : new Task(Integer.parseInt(pid), tid, comm);
    }

    /** The CPU times of a thread since its start, in ns: running, and runnable, waiting for a CPU. */
    public record CpuTimes(long ranNs, long readyNs) {}

    /**
     * The CPU times of each thread of a process; empty if it has ended or the kernel does not count. Does not need
     * privileges.
     */
    public Map<Integer, CpuTimes> cpuTimes(int pid) {
        Map<Integer, CpuTimes> times = new HashMap<>();
        Path tasks = folder(pid).resolve("task");
        for (int tid : numbers(tasks)) {
            String line = line(tasks.resolve(Integer.toString(tid)).resolve("schedstat"));
            String[] fields = line == null ? new String[0] : line.split(" ", -1);
            if (fields.length >= 2) {
                times.put(tid, new CpuTimes(Long.parseLong(fields[0]), Long.parseLong(fields[1])));
            }
        }
        return times;
    }

    /** The system call in which a thread sleeps. */
    public record InKernel(int call, long stack) {}

    /**
     * The system call in which a thread sleeps; null if it runs, has ended, or may not be inspected. Needs permission
     * to inspect the process.
     */
    public @Nullable InKernel inKernel(int pid, int tid) {
        String line = line(taskFolder(pid, tid).resolve("syscall"));
        String[] fields = line == null ? new String[0] : line.split(" ", -1);
        int stack = fields.length - 2; // after the call's number and arguments, before the program counter
        if (stack < 1 || !fields[stack].startsWith("0x")) {
            return null; // "running"
        }
        int call = Integer.parseInt(fields[0]);
        return call < 0 ? null : new InKernel(call, Long.parseUnsignedLong(fields[stack].substring(2), 16));
    }

    /** The run time of a thread since its start, in ns; -1 if it has ended. */
    public long ranNs(int pid, int tid) {
        String line = line(taskFolder(pid, tid).resolve("schedstat"));
        return line == null ? -1 : Long.parseLong(line.split(" ", 2)[0]);
    }

    private Path taskFolder(int pid, int tid) {
        return folder(pid).resolve("task").resolve(Integer.toString(tid));
    }

    /**
     * The state of a thread, as the kernel's letter: {@code R} running or runnable, {@code S} sleeping, {@code D}
     * uninterruptible sleep; {@code '?'} if it has ended.
     */
    public char state(int tid) {
        String stat = text(folder(tid).resolve("stat"));
        int behindName = stat == null ? -1 : stat.lastIndexOf(") ");
        return stat == null || behindName < 0 || behindName + 2 >= stat.length() ? '?' : stat.charAt(behindName + 2);
    }

    /** The process of a thread, or the process itself; 0 if there is none. */
    public int processOf(int tid) {
        String status = text(folder(tid).resolve("status"));
        String process = status == null ? null : field(status, "Tgid");
        return process == null ? 0 : Integer.parseInt(process);
    }

    /** A process; null if it has ended. */
    public @Nullable Info process(int pid) {
        try {
            return process(pid, commandLines.read(pid));
        } catch (IOException e) {
            return process(pid, null);
        }
    }

    /** A process that cannot delay the caller: of this user or of root. Null if it is another user's or has ended. */
    public @Nullable Info processAtOnce(int pid) {
        try {
            String commandLine = commandLines.readAtOnce(pid);
            return commandLine == null ? null : process(pid, commandLine);
        } catch (IOException e) {
            return null;
        }
    }

    /** A process with the kernel's name, which is read without delay; null if it has ended. */
    public @Nullable Info processByKernelName(int pid) {
        return process(pid, null);
    }

    private @Nullable Info process(int pid, @Nullable String commandLine) {
        String status = text(folder(pid).resolve("status"));
        String parent = status == null ? null : field(status, "PPid");
        if (status == null || parent == null) {
            return null;
        }
        List<String> words =
                commandLine == null || commandLine.isEmpty() ? List.of() : List.of(commandLine.split("\0", -1));
        boolean isJvm = !words.isEmpty() && JavaCommandLine.isJava(words.getFirst());
        String name = isJvm ? JavaCommandLine.program(words) : words.isEmpty() ? null : words.getFirst();
        if (name == null || name.isEmpty()) {
            name = field(status, "Name");
        }
        return new Info(pid, Integer.parseInt(parent), name == null ? "" : name, isJvm);
    }

    /**
     * The users of whom a command line was not read, since reading took too long: their processes have the kernel's
     * names.
     */
    public List<String> unreadUsers() {
        return commandLines.unread();
    }

    /**
     * The scheduling of a thread.
     *
     * @param policy the kernel's name of it, such as {@code SCHED_RR}
     * @param nice the nice value, used for ordinary threads only
     * @param realTimePriority 1 to 99 for real-time threads, higher is more important; 0 for others
     */
    public record Scheduling(String policy, int nice, int realTimePriority) {
        /** The default scheduling. */
        public static final Scheduling USUAL = new Scheduling("SCHED_OTHER", 0, 0);
    }

    private static final List<String> POLICIES = List.of(
            "SCHED_OTHER", "SCHED_FIFO", "SCHED_RR", "SCHED_BATCH", "SCHED_ISO", "SCHED_IDLE", "SCHED_DEADLINE");

    /** The unit of times in {@code stat}, the same on every architecture. */
    private static final int TICKS_PER_SECOND = 100;

    // Indexes of fields after the name; the name may contain any characters.
    private static final int NICE = 16;
    private static final int START_TIME = 19;
    private static final int RT_PRIORITY = 37;
    private static final int POLICY = 38;

    /** The current scheduling of a thread; null if it has ended. */
    public @Nullable Scheduling scheduling(int tid) {
        List<String> fields = statFields(tid);
        if (fields.size() <= POLICY) {
            return null;
        }
        int policy = Integer.parseInt(fields.get(POLICY));
        return new Scheduling(
                policy >= 0 && policy < POLICIES.size() ? POLICIES.get(policy) : "policy " + policy,
                Integer.parseInt(fields.get(NICE)),
                Integer.parseInt(fields.get(RT_PRIORITY)));
    }

    /** The fields of a thread's {@code stat} after its name; empty if it has ended. */
    private List<String> statFields(int tid) {
        String stat = text(folder(tid).resolve("stat"));
        return stat == null
                ? List.of()
                : List.of(stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1));
    }

    /** The time since the start of a process; zero if that is unknown. */
    public Duration age(int pid) {
        List<String> fields = statFields(pid);
        String uptime = text(root.resolve("uptime"));
        if (fields.size() <= START_TIME || uptime == null) {
            return Duration.ZERO;
        }
        try {
            double seconds = Double.parseDouble(uptime.strip().split(" ", -1)[0]);
            long startedMs = Long.parseLong(fields.get(START_TIME)) * (1000 / TICKS_PER_SECOND);
            return Duration.ofMillis(Math.max(0, Math.round(seconds * 1000) - startedMs));
        } catch (NumberFormatException e) {
            return Duration.ZERO;
        }
    }

    /** The name of a process's user, its uid if the name is unknown; empty if the process has ended. */
    public String user(int pid) {
        try {
            Path folder = folder(pid);
            return ProcessCredentials.userName(
                    folder, ProcessCredentials.of(folder.resolve("status")).uid());
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether pids here are those of the kernel's events: not in a pid namespace of a container. */
    public boolean hasKernelsNumbers() {
        try {
            return Files.readSymbolicLink(root.resolve("self").resolve("ns").resolve("pid"))
                    .toString()
                    .equals(FIRST_NAMESPACE);
        } catch (IOException | UnsupportedOperationException e) {
            return hasOneNumber();
        }
    }

    /** The fallback without namespace links: detects a pid namespace by several pids in {@code NSpid}. */
    private boolean hasOneNumber() {
        String status = text(root.resolve("self").resolve("status"));
        String numbers = status == null ? null : field(status, "NSpid");
        return numbers == null || numbers.split("\\s+", -1).length == 1;
    }

    private Path folder(int number) {
        return root.resolve(Integer.toString(number));
    }

    private static List<Integer> numbers(Path folder) {
        List<Integer> numbers = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (name.chars().allMatch(c -> c >= '0' && c <= '9')) {
                    numbers.add(Integer.parseInt(name));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return numbers; // gone
        }
        numbers.sort(null);
        return numbers;
    }

    private static @Nullable String field(String status, String name) {
        for (String line : status.split("\n", -1)) {
            if (line.startsWith(name + ":")) {
                return line.substring(name.length() + 1).strip();
            }
        }
        return null;
    }

    private static @Nullable String line(Path file) {
        String text = text(file);
        return text == null ? null : text.strip();
    }

    private static @Nullable String text(Path file) {
        try {
            return ProcFile.text(file);
        } catch (IOException e) {
            return null;
        }
    }
}
