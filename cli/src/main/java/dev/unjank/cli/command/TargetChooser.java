package dev.unjank.cli.command;

import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.record.launch.RunningProcesses;
import dev.unjank.record.launch.RunningProcesses.RunningProcess;
import dev.unjank.trace.text.TerminalText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the process to record: by its id, by its name, or by asking at the terminal. */
final class TargetChooser {
    private static final String CHOICE = "; give a PID, main class or process name";

    private final Terminal terminal;
    private final RunningProcesses processes;
    private final InputStream in;

    TargetChooser(Terminal terminal) {
        this(terminal, new RunningProcesses(), System.in);
    }

    /** A chooser with other processes and another input, for tests. */
    TargetChooser(Terminal terminal, RunningProcesses processes, InputStream in) {
        this.terminal = terminal;
        this.processes = processes;
        this.in = in;
    }

    /** The pid of the wanted process; null asks the user. */
    int choose(@Nullable String wanted) throws IOException {
        if (wanted == null) {
            return chosen();
        }
        return wanted.matches("[0-9]+") ? number(wanted) : named(wanted);
    }

    /** Prints of which users processes may be missing. */
    private void printUnread() {
        List<String> users = processes.unreadUsers();
        if (!users.isEmpty()) {
            terminal.err.println("Reading command lines took too long, so JVMs of these users may be missing: "
                    + TerminalText.printable(String.join(", ", users)) + "; give the PID to record them");
        }
    }

    private static int number(String pid) {
        try {
            int number = Integer.parseInt(pid);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new UserError("'" + pid + "' is no process id; without one, the running JVMs are listed");
    }

    private int named(String name) {
        List<RunningProcess> found = processes.named(name);
        printUnread();
        if (found.size() == 1) {
            return found.getFirst().pid();
        }
        String shown = TerminalText.printable(name);
        if (found.isEmpty()) {
            throw refusal("no process is named '" + shown + "'", "; ps -e lists all processes", processes.jvms());
        }
        throw refusal(found.size() + " processes are named '" + shown + "'", "; give the PID", found);
    }

    /** An error of one line, below the processes that can be given instead. */
    private UserError refusal(String reason, String advice, List<RunningProcess> instead) {
        if (instead.isEmpty()) {
            return new UserError(reason + advice + "; no JVM is running");
        }
        terminal.err.println(table(instead));
        return new UserError(reason + advice);
    }

    private int chosen() throws IOException {
        List<RunningProcess> jvms = processes.jvms();
        printUnread();
        if (jvms.isEmpty() || !terminal.isInteractive()) {
            throw refusal("no process is given", CHOICE, jvms);
        }
        terminal.err.println(table(jvms));
        BufferedReader keyboard = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        while (true) {
            terminal.err.print("Which process? PID"
                    + (jvms.size() == 1 ? " (Enter: " + jvms.getFirst().pid() + ")" : "") + ": ");
            terminal.err.flush();
            String answer = keyboard.readLine();
            if (answer == null) {
                throw new UserError("no process is chosen");
            }
            for (RunningProcess jvm : jvms) {
                boolean isOnly = jvms.size() == 1 && answer.isBlank();
                if (isOnly || answer.strip().equals(Integer.toString(jvm.pid()))) {
                    return jvm.pid();
                }
            }
        }
    }

    /** A table of processes, without a line break at its end. */
    static String table(List<RunningProcess> processes) {
        int name = "MAIN CLASS".length();
        int user = "USER".length();
        for (RunningProcess process : processes) {
            name = Math.max(name, TerminalText.printable(process.name()).length());
            user = Math.max(user, TerminalText.printable(process.user()).length());
        }
        String format = "%7s  %-" + name + "s  %-" + user + "s  %s";
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, format, "PID", "MAIN CLASS", "USER", "UPTIME"));
        for (RunningProcess process : processes) {
            lines.add(String.format(
                    Locale.ROOT,
                    format,
                    process.pid(),
                    TerminalText.printable(process.name()),
                    TerminalText.printable(process.user()),
                    RunningProcesses.text(process.uptime())));
        }
        return String.join("\n", lines);
    }
}
