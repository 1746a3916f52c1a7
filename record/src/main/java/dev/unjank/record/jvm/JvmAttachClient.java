package dev.unjank.record.jvm;

import dev.unjank.record.helper.HelperProcess;
import dev.unjank.record.helper.UserFixableException;
import dev.unjank.record.linux.JvmLibrary;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.linux.ProcessCredentials;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client of a running JVM's attach interface: diagnostic commands and agent loading. All requests go through a helper
 * process that runs as the target's user. Thread-safe.
 */
final class JvmAttachClient implements AutoCloseable {
    private static final int LONGEST_ARGUMENT = 1023;
    private static final int FEATURE_OF_EIGHT = 8;
    private static final String AGENT_RESULT = "return code: ";
    private static final Pattern RECORDING = Pattern.compile("name=((unjank-[0-9]+-[0-9a-f]{16})-[0-9]+)\\b");

    private final int pid;
    private final TargetDeadline deadline;
    private final HelperProcess helper;
    private final int feature;
    private final String version;

    private JvmAttachClient(int pid, TargetDeadline deadline, HelperProcess helper, Properties properties) {
        this.pid = pid;
        this.deadline = deadline;
        this.helper = helper;
        version = TerminalText.start(properties.getProperty("java.vm.version", "?"));
        feature = feature(properties.getProperty("java.specification.version", "0"));
    }

    /**
     * Attaches to a JVM, with a time limit for requests. Fails if the process is not a JVM or does not accept requests.
     */
    static JvmAttachClient attach(int pid, TargetDeadline deadline) throws IOException {
        ProcessCredentials identity = deadline.ask(() -> virtualMachine(pid));
        deadline.requireRunning();
        HelperProcess helper = deadline.ask(() -> HelperProcess.start(pid, identity));
        try {
            return deadline.ask(() -> {
                helper.listen();
                return new JvmAttachClient(
                        pid, deadline, helper, properties(output(helper.command("properties"), "properties")));
            });
        } catch (IOException | RuntimeException e) {
            helper.close();
            throw e;
        }
    }

    /** Parses the JVM's system properties. */
    static Properties properties(String text) throws IOException {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IllegalArgumentException e) {
            throw new IOException("the target's system properties cannot be read: " + e.getMessage(), e);
        }
        return properties;
    }

    /**
     * The credentials of a JVM. They are read first, so that the helper refuses a process that has changed its user
     * since. Other programs are refused: attaching sends SIGQUIT, which would end many of them.
     */
    private static ProcessCredentials virtualMachine(int pid) throws IOException {
        Path process = Path.of("/proc/" + pid);
        if (!Files.exists(process)) {
            throw new IOException("there is no process " + pid);
        }
        ProcessCredentials seen = ProcessCredentials.of(pid);
        try {
            if (!JvmLibrary.isIn(process.resolve("maps"))) {
                throw new IOException("process " + pid + " is not a JVM");
            }
            return seen;
        } catch (AccessDeniedException e) {
            throw forbidden(pid);
        }
    }

    private static UserFixableException forbidden(int pid) {
        return Proc.isRoot()
                ? new UserFixableException(
                        "process " + pid
                                + " has capabilities that root lacks in this container, so it cannot be inspected",
                        "run the recorder on the host, or start its container with --cap-add SYS_PTRACE")
                : new UserFixableException(
                        "process " + pid + " belongs to another user", "record as the user that runs it, or as root");
    }

    private static int feature(String specification) {
        String number = specification.startsWith("1.") ? specification.substring(2) : specification;
        try {
            return Integer.parseInt(number);
        } catch (NumberFormatException e) {
            return FEATURE_OF_EIGHT;
        }
    }

    int pid() {
        return pid;
    }

    /** The Java version: 17, 25. */
    int feature() {
        return feature;
    }

    /** The version of the JVM, for messages. */
    String version() {
        return version;
    }

    /** Whether the process exists. */
    boolean isAlive() {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    /**
     * Executes a diagnostic command, as {@code jcmd} does. Fails if the JVM has ended, does not answer, or reports an
     * error.
     */
    String command(String command) throws IOException {
        if (command.length() > LONGEST_ARGUMENT) {
            throw new IllegalArgumentException("the command is too long: " + command);
        }
        return deadline.ask(() -> output(helper.command("jcmd", command), command));
    }

    /** The output in a reply, whose first line is the result. */
    static String output(String answer, String command) throws IOException {
        int end = answer.indexOf('\n');
        String result = end < 0 ? answer : answer.substring(0, end);
        String output = end < 0 ? "" : answer.substring(end + 1).strip();
        if (!result.equals("0")) {
            throw new IOException(output.isEmpty() ? "the JVM refused: " + command : TerminalText.start(output));
        }
        return output;
    }

    /** Loads an agent into the JVM, from the path of its jar in the target. */
    void load(Path jar, String arguments) throws IOException {
        deadline.ask(() -> {
            String output;
            try {
                output = output(helper.command("load", "instrument", "false", jar + "=" + arguments), "load");
            } catch (UserFixableException e) {
                throw e;
            } catch (IOException e) {
                throw new IOException("the agent could not be loaded: " + e.getMessage(), e);
            }
            if (!output.equals(AGENT_RESULT + "0")) {
                throw new IOException("the agent could not be loaded: "
                        + (output.startsWith(AGENT_RESULT) ? "it failed to start, " : "")
                        + TerminalText.start(output));
            }
            return jar;
        });
    }

    /** Creates a shared folder with a file in it. */
    SharedWorkspace workspace(String file, byte[] content) throws IOException {
        removeStale();
        SharedWorkspace made = new SharedWorkspace(helper, deadline, deadline.ask(helper::makeFolder));
        try {
            made.put(file, content);
            return made;
        } catch (IOException e) {
            made.closeQuietly();
            throw e;
        }
    }

    /**
     * Removes leftovers of recorders that were killed together with their helpers. Recordings are stopped before the
     * folders are removed; otherwise they could not write their files and would stay listed.
     */
    private void removeStale() throws IOException {
        List<String> stale = deadline.ask(helper::takeStaleFolders);
        if (stale.isEmpty()) {
            return;
        }
        Matcher recordings = RECORDING.matcher(command("JFR.check"));
        while (recordings.find()) {
            if (stale.contains(recordings.group(2))) {
                String _ = command("JFR.stop name=" + recordings.group(1));
            }
        }
        for (String folder : stale) {
            new SharedWorkspace(helper, deadline, folder).closeQuietly();
        }
    }

    /** Sets the commands that the helper executes if the recorder is killed. */
    void lastCommands(List<String> commands) {
        helper.lastCommands(commands);
    }

    /** Ends the helper. */
    @Override
    public void close() {
        helper.close();
    }
}
