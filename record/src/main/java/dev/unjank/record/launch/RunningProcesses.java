package dev.unjank.record.launch;

import dev.unjank.record.helper.HelperMain;
import dev.unjank.record.linux.Proc;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The running processes that can be recorded, by kind and by name. This process is not one of them. */
public final class RunningProcesses {
    /** The state of a process that has ended, while its parent has not read its exit code. */
    private static final char ZOMBIE = 'Z';

    private final Proc proc;

    /** The processes of this machine. */
    public RunningProcesses() {
        this(Proc.SYSTEM);
    }

    /** The processes in a folder laid out like {@code /proc}. */
    public RunningProcesses(Path folder) {
        this(new Proc(folder));
    }

    RunningProcesses(Proc proc) {
        this.proc = proc;
    }

    /**
     * A process.
     *
     * @param name the main class or jar of a Java program, otherwise the name of the command
     * @param user the name of its user, empty if unknown
     * @param uptime the time since its start
     */
    public record RunningProcess(int pid, String name, String user, Duration uptime) {}

    /** The JVMs, by pid. */
    public List<RunningProcess> jvms() {
        return matching(Proc.Info::isJvm);
    }

    /**
     * The processes with a name, by pid: a main class with or without its package, a jar with or without {@code .jar},
     * or a command.
     */
    public List<RunningProcess> named(String name) {
        return matching(process -> isName(process.name(), name) || isCommand(process.pid(), name));
    }

    private List<RunningProcess> matching(Predicate<Proc.Info> condition) {
        List<RunningProcess> found = new ArrayList<>();
        for (int pid : probableJvmsFirst()) {
            Proc.Info process = proc.process(pid);
            if (process != null && isOther(process) && condition.test(process)) {
                found.add(described(process));
            }
        }
        found.sort(Comparator.comparingInt(RunningProcess::pid));
        return found;
    }

    /** The time for command lines of a user's processes is limited, so those of JVMs are read first. */
    private List<Integer> probableJvmsFirst() {
        List<Integer> jvms = new ArrayList<>();
        List<Integer> others = new ArrayList<>();
        for (int pid : proc.processes()) {
            (isCommand(pid, "java") ? jvms : others).add(pid);
        }
        jvms.addAll(others);
        return jvms;
    }

    /**
     * The users of whom a command line was not read so far, since reading took too long: their JVMs may be missing in
     * the lists.
     */
    public List<String> unreadUsers() {
        return proc.unreadUsers();
    }

    /** The name of a process; empty if it has ended. */
    public static String name(int pid) {
        Proc.Info process = Proc.SYSTEM.process(pid);
        return process == null ? "" : process.name();
    }

    private static boolean isOther(Proc.Info process) {
        return process.pid() != ProcessHandle.current().pid() && !process.name().equals(HelperMain.class.getName());
    }

    static boolean isName(String full, String wanted) {
        String file = full.substring(full.lastIndexOf('/') + 1);
        return full.equals(wanted)
                || file.equals(wanted)
                || file.equals(wanted + ".jar")
                || file.equals(wanted + ".java")
                || file.endsWith("." + wanted);
    }

    /** Whether the kernel's name of a process is this one; a JVM's is only that of its launcher. */
    private boolean isCommand(int pid, String name) {
        Proc.Task main = proc.task(pid);
        return main != null && main.comm().equals(name);
    }

    /**
     * Not by {@link ProcessHandle#info}, which reads the command line without a limit: a hostile process may block
     * that.
     */
    private RunningProcess described(Proc.Info process) {
        int pid = process.pid();
        return new RunningProcess(pid, process.name(), proc.user(pid), proc.age(pid));
    }

    /** The uptime for a table: {@code 5 s}, {@code 3 min}, {@code 2 h 10 min}, {@code 4 d 3 h}. */
    public static String text(Duration uptime) {
        if (uptime.toMinutes() < 1) {
            return Math.max(0, uptime.toSeconds()) + " s";
        }
        if (uptime.toHours() < 1) {
            return uptime.toMinutes() + " min";
        }
        return uptime.toDays() < 1
                ? String.format(Locale.ROOT, "%d h %d min", uptime.toHours(), uptime.toMinutesPart())
                : String.format(Locale.ROOT, "%d d %d h", uptime.toDays(), uptime.toHoursPart());
    }

    /** The error message if a pid is that of a thread or of a process that has ended; otherwise null. */
    public static @Nullable String refusal(int pid) {
        int owner = Proc.SYSTEM.processOf(pid);
        if (owner > 0 && owner != pid) {
            return pid + " is a thread of process " + owner + "; use --pid " + owner;
        }
        // a process whose main thread alone has ended has other threads
        boolean hasEnded =
                Proc.SYSTEM.state(pid) == ZOMBIE && Proc.SYSTEM.tids(pid).size() <= 1;
        return hasEnded ? "process " + pid + " has ended" : null;
    }
}
