package dev.unjank.record.helper;

import dev.unjank.record.lifecycle.ClosingTask;
import dev.unjank.record.lifecycle.EndLimits;
import dev.unjank.record.linux.ProcFile;
import dev.unjank.record.linux.ProcessCalls;
import dev.unjank.record.linux.ProcessCredentials;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The recorder's client of the {@linkplain dev.unjank.record.helper helper process}. Thread-safe; requests run
 * concurrently. Interrupting a thread cancels its request.
 *
 * <p>All replies are bounded, since the target controls their content. If the helper ends, for example because the
 * target's user killed it, all requests fail.
 */
public final class HelperProcess implements AutoCloseable {
    /** The maximum size of a reply to a command, in bytes. */
    public static final int MOST_ANSWER = 1 << 20;

    private static final int START_TIME = 19; // the index in /proc/PID/stat, counted after the name
    static final String GONE = "the helper process has ended";

    private final Process process;
    private final RequestWriter out;
    private final Map<Integer, ReplyStream> waiting = new ConcurrentHashMap<>();
    private final AtomicInteger ids = new AtomicInteger(HelperProtocol.READY);
    private volatile boolean isOver;

    private HelperProcess(Process process, String name) {
        this.process = process;
        out = new RequestWriter(process.getOutputStream(), name + "-requests");
    }

    /**
     * Starts a helper, and waits until it has the target's credentials. They are read before any decision about the
     * target; the helper fails if they have changed since.
     */
    public static HelperProcess start(int pid, ProcessCredentials target) throws IOException {
        ProcessCredentials own = ProcessCredentials.own();
        if (own.uid() != 0 && own.uid() != target.uid()) {
            throw new UserFixableException(
                    "process " + pid + " belongs to another user", "record as the user that runs it, or as root");
        }
        String name = "helper-" + pid;
        HelperProcess helper = new HelperProcess(started(command(pid, target), excess(pid, own, target)), name);
        ReplyStream ready = helper.expect(HelperProtocol.READY);
        helper.listen(name);
        try (ready) {
            ready.readNBytes(MOST_ANSWER);
            return helper;
        } catch (IOException | RuntimeException e) {
            helper.process.destroyForcibly();
            throw e;
        }
    }

    /**
     * The capabilities of this process that the target lacks. A helper for another user loses all capabilities when it
     * changes its user; a helper for a root target must be started without these.
     */
    private static long excess(int pid, ProcessCredentials own, ProcessCredentials target) throws IOException {
        if (own.uid() != target.uid() || own.uid() != 0) {
            return 0;
        }
        return own.capabilities() & ~sharedCapabilities(pid, target);
    }

    /**
     * The target's capabilities if it is in this process's user namespace; otherwise 0, because they apply only in the
     * target's namespace.
     */
    static long sharedCapabilities(int pid, ProcessCredentials target) throws IOException {
        return userNamespace("self").equals(userNamespace(Integer.toString(pid))) ? target.capabilities() : 0;
    }

    /** User, group and supplementary groups, as arguments of the helper. */
    static List<String> identity(ProcessCredentials of) {
        return List.of(
                Integer.toUnsignedString(of.uid()),
                Integer.toUnsignedString(of.gid()),
                of.groups().toString());
    }

    private static Path userNamespace(String process) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc", process, "ns", "user"));
    }

    /** The start time of a process in clock ticks. Start time and pid together identify a process. */
    static String startTime(int pid) throws IOException {
        String stat = ProcFile.text(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return fields.length > START_TIME ? fields[START_TIME] : "";
    }

    private static List<String> command(int pid, ProcessCredentials target) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-XX:+DisableAttachMechanism",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=/dev/null",
                "-Xlog:disable",
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(classPath());
        command.addAll(List.of(HelperMain.class.getName(), Integer.toString(pid), startTime(pid)));
        command.addAll(identity(target));
        return command;
    }

    /** The class path options of the helper: this module's jar or folder, or the run-time image. */
    private static List<String> classPath() throws IOException {
        try {
            URI location = HelperMain.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI();
            return location.getScheme().equals("jrt")
                    ? List.of("--add-modules", HelperMain.class.getModule().getName())
                    : List.of("-cp", Path.of(location).toString());
        } catch (URISyntaxException e) {
            throw new IOException("the helper's classes are not found", e);
        }
    }

    /** Starts the helper from a thread with reduced privileges, which the new process inherits. */
    private static Process started(List<String> command, long excess) throws IOException {
        ClosingTask<Process> start = new ClosingTask<>(
                () -> {
                    ProcessCalls.forbidNewPrivileges();
                    ProcessCalls.dropFromBoundingSet(excess);
                    ProcessBuilder builder = new ProcessBuilder(command)
                            .directory(new File("/"))
                            .redirectError(ProcessBuilder.Redirect.DISCARD);
                    builder.environment().clear();
                    return builder.start();
                },
                Process::destroyForcibly);
        Thread.ofPlatform().daemon().name("start-helper").start(start);
        try {
            return start.get();
        } catch (InterruptedException e) {
            if (!start.cancel(false) && start.state() == Future.State.SUCCESS) {
                start.resultNow().destroyForcibly();
            }
            Thread.currentThread().interrupt();
            throw interrupted();
        } catch (ExecutionException e) {
            throw new IOException(
                    "the helper process cannot be started: "
                            + Objects.requireNonNull(e.getCause()).getMessage(),
                    e);
        }
    }

    static InterruptedIOException interrupted() {
        return new InterruptedIOException("interrupted");
    }

    // ---- replies

    private void listen(String name) {
        Thread.ofPlatform().daemon().name(name).start(() -> {
            try (InputStream from = process.getInputStream()) {
                DataInputStream in = new DataInputStream(new BufferedInputStream(from));
                while (true) {
                    HelperProtocol.Reply reply = HelperProtocol.readReply(in);
                    ReplyStream stream = waiting.get(reply.id());
                    if (stream != null) {
                        stream.take(reply);
                    }
                }
            } catch (IOException e) {
                isOver = true;
                waiting.values().forEach(ReplyStream::fail);
            }
        });
    }

    private ReplyStream expect(int id) throws IOException {
        ReplyStream stream = new ReplyStream(id, isFinished -> {
            waiting.remove(id);
            if (!isFinished) {
                post(HelperProtocol.CANCEL, bytes(Integer.toString(id)));
            }
        });
        waiting.put(id, stream);
        if (isOver) {
            stream.fail();
        }
        return stream;
    }

    // ---- requests

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private ReplyStream ask(byte operation, byte[]... arguments) throws IOException {
        int id = ids.incrementAndGet();
        ReplyStream reply = expect(id);
        try {
            out.send(new HelperProtocol.Request(id, operation, List.of(arguments)));
            return reply;
        } catch (IOException e) {
            waiting.remove(id);
            throw e;
        }
    }

    /** Sends a request without a reply. */
    private void post(byte operation, byte[]... arguments) {
        try {
            out.send(new HelperProtocol.Request(ids.incrementAndGet(), operation, List.of(arguments)));
        } catch (IOException e) {
            // the next request fails
        }
    }

    private String answer(byte operation, byte[]... arguments) throws IOException {
        try (ReplyStream reply = ask(operation, arguments)) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] buffer = new byte[HelperProtocol.MOST_DATA];
            for (int count; (count = reply.read(buffer)) >= 0; ) {
                all.write(buffer, 0, count);
                if (all.size() > MOST_ANSWER) {
                    throw new IOException("the target's reply is longer than " + (MOST_ANSWER >> 20) + " MB");
                }
            }
            return all.toString(StandardCharsets.UTF_8);
        }
    }

    /** Makes the target's JVM listen for attach requests. */
    public void listen() throws IOException {
        String _ = answer(HelperProtocol.LISTEN);
    }

    /**
     * Executes a command of the attach protocol.
     *
     * @param words its name and at most three arguments, without zero bytes
     * @return the reply, including the line with the result
     * @throws IOException if the target does not listen, if another process listens instead, or if the reply is longer
     *     than {@link #MOST_ANSWER}
     */
    public String command(String... words) throws IOException {
        return answer(
                HelperProtocol.COMMAND,
                Arrays.stream(words).map(HelperProcess::bytes).toArray(byte[][]::new));
    }

    /** Creates a folder in the target's {@code /tmp} that recorder and target share. */
    public String makeFolder() throws IOException {
        return answer(HelperProtocol.MAKE_FOLDER);
    }

    /**
     * Takes over the folders left by recorders that were killed together with their helpers. This helper removes them
     * at its end.
     */
    public List<String> takeStaleFolders() throws IOException {
        return answer(HelperProtocol.TAKE_STALE_FOLDERS).lines().toList();
    }

    /** Writes a new file in a folder created by {@link #makeFolder}, under a permitted name. */
    public void put(String folder, String file, byte[] content) throws IOException {
        String _ = answer(HelperProtocol.PUT, bytes(folder), bytes(file), content);
    }

    /** The size in bytes of a file in a folder created by {@link #makeFolder}; -1 if the target has not written it. */
    public long size(String folder, String file) throws IOException {
        String size = answer(HelperProtocol.SIZE, bytes(folder), bytes(file));
        try {
            return Long.parseLong(size);
        } catch (NumberFormatException e) {
            throw new IOException("the helper process sent no size", e);
        }
    }

    /**
     * Reads a file that the target has written in a folder created by {@link #makeFolder}, of at most {@link
     * #mostBytes}. Reads from the returned stream may also fail.
     */
    public InputStream read(String folder, String file) throws IOException {
        return ask(HelperProtocol.READ, bytes(folder), bytes(file));
    }

    /** The maximum size of a file to read, in bytes. */
    public static int mostBytes() {
        return (int) SharedFolder.MOST_BYTES;
    }

    /** Deletes a file in a folder created by {@link #makeFolder}, if it exists. */
    public void delete(String folder, String file) throws IOException {
        String _ = answer(HelperProtocol.DELETE, bytes(folder), bytes(file));
    }

    /**
     * Removes a folder created by {@link #makeFolder} with its files. If that fails, the exception's message names the
     * folder.
     */
    public void removeFolder(String folder) throws IOException {
        String _ = answer(HelperProtocol.REMOVE_FOLDER, bytes(folder));
    }

    /**
     * Connects to the target's socket in a folder created by {@link #makeFolder}. If no process or another process
     * listens there, the first read fails.
     */
    public Connection connect(String folder, String file) throws IOException {
        return new Connection(ask(HelperProtocol.CONNECT, bytes(folder), bytes(file)));
    }

    /**
     * Sets the diagnostic commands that the helper executes if this process ends without closing the helper, for
     * example because it was killed.
     */
    public void lastCommands(List<String> commands) {
        post(HelperProtocol.LAST_COMMANDS, bytes(String.join("\n", commands)));
    }

    /** A connection to the target. */
    public final class Connection implements AutoCloseable {
        private final ReplyStream in;

        private Connection(ReplyStream in) {
            this.in = in;
        }

        /** The data from the target; the stream fails if the connection does. */
        public InputStream in() {
            return in;
        }

        /** Sends bytes if that is possible without waiting; otherwise drops them. */
        public void send(byte[] bytes) {
            post(HelperProtocol.SEND, bytes(Integer.toString(in.id())), bytes);
        }

        @Override
        public void close() {
            in.close();
        }
    }

    /** Ends the helper, which removes its remaining folders. Waits only briefly for its exit. */
    @Override
    public void close() {
        lastCommands(List.of());
        out.end();
        try {
            if (!process.waitFor(EndLimits.HELPER.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    ProcessHandle handle() {
        return process.toHandle();
    }
}
