package dev.unjank.record.jvm;

import dev.unjank.record.helper.HelperProcess;
import dev.unjank.record.helper.UserFixableException;
import dev.unjank.record.linux.JvmLibrary;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.linux.ProcessCredentials;
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
 * A running Java virtual machine: its diagnostic commands, and a way to load an agent into it. All of it goes through a helper process
 * that has the identity of the target's user. Any thread.
 */
final class JvmAttachClient implements AutoCloseable {
    private static final int LONGEST_ARGUMENT = 1023;
    private static final int FEATURE_OF_EIGHT = 8;
    private static final String AGENT_RESULT = "return code: ";
    private static final Pattern RECORDING = Pattern.compile("name=((unjank-[0-9]+-[0-9a-f]{16})-[0-9]+)\\b");

    private final int pid;
    private final TargetDeadline patience;
    private final HelperProcess helper;
    private final int feature;
    private final String version;

    private JvmAttachClient(int pid, TargetDeadline patience, HelperProcess helper, Properties properties) {
        this.pid = pid;
        this.patience = patience;
        this.helper = helper;
        version = properties.getProperty("java.vm.version", "?");
        feature = feature(properties.getProperty("java.specification.version", "0"));
    }

    /**
     * Attaches to a virtual machine.
     *
     * @param pid its process
     * @param patience how long to wait for its answers
     * @throws IOException if that fails; the message says why
     */
    static JvmAttachClient attach(int pid, TargetDeadline patience) throws IOException {
        ProcessCredentials identity = patience.ask(() -> virtualMachine(pid));
        patience.requireGoing();
        HelperProcess helper = patience.ask(() -> HelperProcess.start(pid, identity));
        try {
            return patience.ask(() -> {
                helper.listen();
                Properties properties = new Properties();
                properties.load(new StringReader(output(helper.command("properties"), "properties")));
                return new JvmAttachClient(pid, patience, helper, properties);
            });
        } catch (IOException | RuntimeException e) {
            helper.close();
            throw e;
        }
    }

    /**
     * The identity that a virtual machine has: seen first, so that a process that becomes another user's by another program is refused later.
     * Attaching sends SIGQUIT, which would end many programs that are none.
     */
    private static ProcessCredentials virtualMachine(int pid) throws IOException {
        Path process = Path.of("/proc/" + pid);
        if (!Files.exists(process)) {
            throw new IOException("there is no process " + pid);
        }
        ProcessCredentials seen = ProcessCredentials.of(pid);
        try {
            if (!JvmLibrary.isIn(process.resolve("maps"))) {
                throw new IOException("process " + pid + " is no Java virtual machine");
            }
            return seen;
        } catch (AccessDeniedException e) {
            throw forbidden(pid);
        }
    }

    private static UserFixableException forbidden(int pid) {
        return Proc.isRoot()
                ? new UserFixableException(
                        "the kernel lets not even this root look into process " + pid + ", which may do more than it",
                        "record from outside of the container, or give it the capability SYS_PTRACE")
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

    /** Which Java it is: 17, 25. */
    int feature() {
        return feature;
    }

    /** The machine's version, for people. */
    String version() {
        return version;
    }

    /** Whether the process exists. */
    boolean isAlive() {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    /**
     * Has the machine carry out a diagnostic command.
     *
     * @param command as for {@code jcmd}
     * @return its output
     * @throws IOException if the machine has ended, does not answer, or refuses; the message says why
     */
    String command(String command) throws IOException {
        if (command.length() > LONGEST_ARGUMENT) {
            throw new IllegalArgumentException("a longer command than virtual machines take: " + command);
        }
        return patience.ask(() -> output(helper.command("jcmd", command), command));
    }

    /** The output in an answer, whose first line is the result. */
    private static String output(String answer, String command) throws IOException {
        int end = answer.indexOf('\n');
        String result = end < 0 ? answer : answer.substring(0, end);
        String output = end < 0 ? "" : answer.substring(end + 1).strip();
        if (!result.equals("0")) {
            throw new IOException(output.isEmpty() ? "the virtual machine refused: " + command : output);
        }
        return output;
    }

    /**
     * Loads an agent into the machine.
     *
     * @param jar its jar, as the target names it
     * @param arguments what its {@code agentmain} gets
     * @throws IOException if it cannot be loaded or fails
     */
    void load(Path jar, String arguments) throws IOException {
        patience.ask(() -> {
            String output;
            try {
                output = output(helper.command("load", "instrument", "false", jar + "=" + arguments), "load");
            } catch (UserFixableException e) {
                throw e;
            } catch (IOException e) {
                throw new IOException("the virtual machine takes no agent: " + e.getMessage(), e);
            }
            if (!output.equals(AGENT_RESULT + "0")) {
                throw new IOException("the virtual machine takes no agent: "
                        + (output.startsWith(AGENT_RESULT) ? "it fails to start, " + output : output));
            }
            return jar;
        });
    }

    /** Makes a folder that is shared with the target, with a file in it. */
    SharedWorkspace workspace(String file, byte[] content) throws IOException {
        removeStale();
        SharedWorkspace made = new SharedWorkspace(helper, patience, patience.ask(helper::makeFolder));
        try {
            made.put(file, content);
            return made;
        } catch (IOException e) {
            made.closeQuietly();
            throw e;
        }
    }

    /**
     * Removes what recorders have left in the target that were killed together with their helpers: their recordings first, which could
     * not write their files otherwise and would stay listed.
     */
    private void removeStale() throws IOException {
        List<String> stale = patience.ask(helper::takeStaleFolders);
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
            new SharedWorkspace(helper, patience, folder).closeQuietly();
        }
    }

    /** What the helper is to command if the recorder is killed. */
    void lastCommands(List<String> commands) {
        helper.lastCommands(commands);
    }

    /** Ends the helper. */
    @Override
    public void close() {
        helper.close();
    }
}
