package dev.unjank.record.jvm;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.unjank.record.linux.Proc;
import dev.unjank.record.linux.VmLibrary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * A running Java virtual machine: its diagnostic commands, and a way to put an agent into it. The JDK's attach API makes the
 * machine listen and checks who asks; commands, for which that API has nothing public, then go over the same socket, in the
 * form that {@code jcmd} uses: a version, the kind of request and three arguments, each ended by a zero byte.
 */
final class TargetVm {
    private static final int LONGEST_ARGUMENT = 1023;
    private static final int FEATURE_OF_EIGHT = 8;

    private final int pid;
    private final Patience patience;
    private final Path root;
    private final Path socket;
    private final int feature;
    private final String version;

    private TargetVm(int pid, Patience patience, Path root, Path socket, Properties properties) {
        this.pid = pid;
        this.patience = patience;
        this.root = root;
        this.socket = socket;
        version = properties.getProperty("java.vm.version", "?");
        feature = feature(properties.getProperty("java.specification.version", "0"));
    }

    /**
     * Attaches to a machine.
     *
     * @param pid its process
     * @param patience how long to wait for its answers
     * @throws IOException if it cannot be, with a message for people
     */
    static TargetVm attach(int pid, Patience patience) throws IOException {
        requireVirtualMachine(pid);
        patience.requireGoing();
        Path root = root(pid);
        Path socket = root.resolve("tmp").resolve(".java_pid" + innermostPid(pid));
        Properties properties = patience.ask(() -> attached(pid, VirtualMachine::getSystemProperties));
        return new TargetVm(pid, patience, root, socket, properties);
    }

    /** What is done with a machine that is attached to. */
    private interface Visit<T> {
        T with(VirtualMachine vm) throws IOException, AgentLoadException, AgentInitializationException;
    }

    private static <T> T attached(int pid, Visit<T> visit) throws IOException {
        try {
            VirtualMachine vm = VirtualMachine.attach(Integer.toString(pid));
            try {
                return visit.with(vm);
            } finally {
                vm.detach();
            }
        } catch (AttachNotSupportedException e) {
            if (!Files.isWritable(root(pid).resolve("tmp"))) {
                throw new RefusalException(
                        "process " + pid + " cannot write into its /tmp, where it would have to listen",
                        "let it be written");
            }
            throw new IOException(
                    "process " + pid + " is no Java virtual machine that can be attached to: " + e.getMessage(), e);
        } catch (AgentLoadException | AgentInitializationException e) {
            throw new IOException("the virtual machine takes no agent: " + e.getMessage(), e);
        }
    }

    /** Attaching sends a signal, which would be the end of many other programs. */
    private static void requireVirtualMachine(int pid) throws IOException {
        Path maps = Path.of("/proc/" + pid + "/maps");
        if (!Files.exists(maps)) {
            throw new IOException("there is no process " + pid);
        }
        try (Stream<String> lines = Files.lines(maps, StandardCharsets.ISO_8859_1)) {
            if (!VmLibrary.isIn(lines)) {
                throw new IOException("process " + pid + " is no Java virtual machine");
            }
        } catch (AccessDeniedException e) {
            throw forbidden(pid);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static RefusalException forbidden(int pid) {
        return Proc.isRoot()
                ? new RefusalException(
                        "the kernel lets not even this root look into process " + pid + ", which may do more than it",
                        "record from outside of the container, or give it the capability SYS_PTRACE")
                : new RefusalException(
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

    /** The process's file system: the recorder's own unless it lives in a container, or has mounts of its own. */
    private static Path root(int pid) throws IOException {
        Path its = Path.of("/proc/" + pid + "/root");
        Path own = Path.of("/");
        boolean isOwn =
                Files.isSameFile(its, own) && mounts(Path.of("/proc/" + pid)).equals(mounts(Path.of("/proc/self")));
        return isOwn ? own : its;
    }

    private static Path mounts(Path process) throws IOException {
        return Files.readSymbolicLink(process.resolve("ns").resolve("mnt"));
    }

    /** The number that the process has for itself. */
    private static String innermostPid(int pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
            if (line.startsWith("NSpid:")) {
                String[] pids = line.substring("NSpid:".length()).strip().split("\\s+", -1);
                return pids[pids.length - 1];
            }
        }
        return Integer.toString(pid);
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

    /** The process's file system, as the recorder sees it: {@code /} if it is the recorder's own. */
    Path root() {
        return root;
    }

    /** Whether the process is still there. */
    boolean isAlive() {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    /**
     * Has the machine carry out a diagnostic command.
     *
     * @param command as for {@code jcmd}
     * @return what it prints
     * @throws IOException if the machine has gone, does not answer, or refuses; the message says why
     */
    String command(String command) throws IOException {
        return patience.ask(() -> answer(command));
    }

    private String answer(String command) throws IOException {
        byte[] request = ("1\0jcmd\0" + command + "\0\0\0").getBytes(StandardCharsets.UTF_8);
        if (command.length() > LONGEST_ARGUMENT) {
            throw new IllegalArgumentException("a longer command than virtual machines take: " + command);
        }
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            ByteBuffer out = ByteBuffer.wrap(request);
            while (out.hasRemaining()) {
                channel.write(out);
            }
            ByteBuffer in = ByteBuffer.allocate(4096);
            while (channel.read(in) >= 0) {
                answer.write(in.array(), 0, in.position());
                in.clear();
            }
        }
        String text = answer.toString(StandardCharsets.UTF_8);
        int end = text.indexOf('\n');
        String code = end < 0 ? text : text.substring(0, end);
        String printed = end < 0 ? "" : text.substring(end + 1).strip();
        if (!code.equals("0")) {
            throw new IOException(printed.isEmpty() ? "the virtual machine refused: " + command : printed);
        }
        return printed;
    }

    /**
     * Puts an agent into the machine.
     *
     * @param jar its jar, as the target names it
     * @param arguments what its {@code agentmain} gets
     * @throws IOException if it cannot be loaded or fails
     */
    void load(Path jar, String arguments) throws IOException {
        patience.ask(() -> attached(pid, vm -> {
            vm.loadAgent(jar.toString(), arguments);
            return jar;
        }));
    }
}
