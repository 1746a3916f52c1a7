package dev.unjank.record.helper;

import dev.unjank.record.linux.FileCalls;
import dev.unjank.record.linux.LibcException;
import dev.unjank.record.linux.ProcessCalls;
import dev.unjank.record.linux.ProcessCredentials;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The main class of the helper process. It opens the target's {@code /tmp} and a pidfd of the target, switches to the
 * target's user permanently, and executes requests until its standard input ends. Then it removes its files, even if
 * the recorder was killed.
 *
 * <p>Its classes are loaded before the switch, since the target's user may not be allowed to read them.
 */
public final class HelperMain {
    /** The classes to load before the switch: the classes of this package, and other classes that requests need. */
    static final List<String> CLASSES = List.of(
            "helper.AttachProtocol",
            "helper.RequestConnection",
            "helper.HelperProtocol",
            "helper.HelperProtocol$Reply",
            "helper.HelperProtocol$Request",
            "helper.HelperMain$RequestTask",
            "helper.UserFixableException",
            "helper.SharedFolder",
            "helper.SharedFolder$Taker",
            "helper.TargetTmpFolder",
            "linux.LibcException",
            "linux.LibcFunction",
            "linux.LibcFunction$Texts",
            "linux.FileCalls",
            "linux.FileCalls$C",
            "linux.FileCalls$Stat",
            "linux.ProcessCredentials",
            "linux.ProcFile",
            "linux.Proc",
            "linux.StoppedProcess",
            "linux.ProcessCalls",
            "linux.ProcessCalls$C",
            "linux.SocketCalls",
            "linux.SocketCalls$C",
            "linux.SocketCalls$Peer");

    private static final int MOST_AT_ONCE = 64;
    private static final long LAST_COMMANDS_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final DataInputStream in;
    private final DataOutputStream out;
    private final int pid;
    private final TargetTmpFolder temporary;
    private final AttachProtocol attach;
    private final Map<Integer, RequestTask> requests = new ConcurrentHashMap<>();
    private final Map<String, SharedFolder> folders = new ConcurrentHashMap<>();
    private String lastCommands = "";

    private HelperMain(
            DataInputStream in, DataOutputStream out, int pid, TargetTmpFolder temporary, AttachProtocol attach) {
        this.in = in;
        this.out = out;
        this.pid = pid;
        this.temporary = temporary;
        this.attach = attach;
    }

    /**
     * Runs the helper.
     *
     * @param arguments the target's pid and start time, as in {@code /proc/PID/stat}, and the user, group and
     *     supplementary groups that the recorder has seen
     */
    public static void main(String[] arguments) {
        DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in)));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));
        try {
            HelperMain helper = prepared(in, out, arguments);
            helper.reply(HelperProtocol.READY, HelperProtocol.END, new byte[0]);
            helper.serve();
            helper.cleanUp();
        } catch (Throwable e) {
            try {
                HelperProtocol.write(
                        out, new HelperProtocol.Reply(HelperProtocol.READY, HelperProtocol.ERROR, message(e)));
            } catch (IOException gone) {
                // the recorder has ended
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private static HelperMain prepared(DataInputStream in, DataOutputStream out, String[] arguments)
            throws IOException, ReflectiveOperationException {
        int pid = Integer.parseInt(arguments[0]);
        leaveTerminal();
        for (String name : CLASSES) {
            Class.forName("dev.unjank.record." + name);
        }
        int process = ProcessCalls.openProcess(pid);
        ProcessCredentials target = required(pid, arguments);
        int rootOfTarget = ProcessCredentials.rootOf(Path.of("/proc/" + pid + "/uid_map"));
        long capabilities = target.uid() == 0 ? HelperProcess.sharedCapabilities(pid, target) : 0;
        int directory = TargetTmpFolder.open(pid);
        // The target may exec another program at any time, even a set-user-id program. So the credentials are read
        // again after opening.
        target = required(pid, arguments);
        become(target, capabilities & target.capabilities());
        TargetTmpFolder temporary = new TargetTmpFolder(directory, pid, target.uid());
        temporary.requireSafe(rootOfTarget);
        AttachProtocol attach =
                new AttachProtocol(temporary, pid, target.uid(), rootOfTarget, process, target.innermostPid());
        return new HelperMain(in, out, pid, temporary, attach);
    }

    /** The target's credentials. Fails if they differ from the credentials that the recorder has read. */
    private static ProcessCredentials required(int pid, String[] arguments) throws IOException {
        ProcessCredentials now = ProcessCredentials.of(pid);
        if (!HelperProcess.startTime(pid).equals(arguments[1])) {
            throw new IOException("process " + pid + " has ended");
        }
        if (!HelperProcess.identity(now).equals(List.of(arguments).subList(2, arguments.length))) {
            throw new IOException("the user or groups of process " + pid + " changed while attaching; try again");
        }
        return now;
    }

    private static void leaveTerminal() {
        try {
            ProcessCalls.leaveTerminal();
        } catch (IOException e) {
            // it is a group leader already
        }
    }

    /**
     * Switches to the target's user and groups, and checks that every thread has them, and has at most these
     * capabilities.
     */
    private static void become(ProcessCredentials target, long capabilities) throws IOException {
        ProcessCredentials own = ProcessCredentials.own();
        boolean isSameUser = own.uid() == target.uid();
        if (!isSameUser) {
            ProcessCalls.become(target.uid(), target.gid(), target.groups());
        }
        ProcessCalls.forbidTracing();
        long most = !isSameUser ? 0 : own.uid() == 0 ? capabilities : own.capabilities();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                ProcessCredentials now = ProcessCredentials.of(thread.resolve("status"));
                if (now.uid() != target.uid()
                        || (!isSameUser && now.gid() != target.gid())
                        || (now.capabilities() & ~most) != 0) {
                    throw new IOException("cannot switch to user " + target.uid());
                }
            }
        }
    }

    private void serve() throws IOException {
        while (true) {
            HelperProtocol.Request request;
            try {
                request = HelperProtocol.readRequest(in);
            } catch (IOException e) {
                return; // the recorder has ended
            }
            switch (request.operation()) {
                case HelperProtocol.SEND -> {
                    RequestTask work = requests.get(request.number(0));
                    if (work != null) {
                        work.connection.send(request.arguments().get(1));
                    }
                }
                case HelperProtocol.CANCEL -> {
                    RequestTask work = requests.get(request.number(0));
                    if (work != null) {
                        work.connection.cancel();
                    }
                }
                case HelperProtocol.LAST_COMMANDS -> lastCommands = request.text(0);
                default -> begin(request);
            }
        }
    }

    private void begin(HelperProtocol.Request request) throws IOException {
        if (requests.size() >= MOST_AT_ONCE) {
            reply(
                    request.id(),
                    HelperProtocol.ERROR,
                    message(new IOException("process " + pid + " does not answer: too many requests are pending")));
            return;
        }
        RequestTask work = new RequestTask(request);
        requests.put(request.id(), work);
        Thread.ofPlatform().daemon().name("request").start(work);
    }

    private void reply(int id, byte kind, byte[] bytes) throws IOException {
        synchronized (out) {
            HelperProtocol.write(out, new HelperProtocol.Reply(id, kind, bytes));
        }
    }

    private static byte[] message(Throwable e) {
        String text = e instanceof IOException && e.getMessage() != null ? e.getMessage() : e.toString();
        String remedy = e instanceof UserFixableException refusal ? refusal.remedy() : "";
        return (text + "\0" + remedy).getBytes(StandardCharsets.UTF_8);
    }

    /** Executes a request in a new thread. */
    private final class RequestTask implements Runnable {
        private final HelperProtocol.Request request;
        private final RequestConnection connection = new RequestConnection();

        RequestTask(HelperProtocol.Request request) {
            this.request = request;
        }

        @Override
        public void run() {
            try {
                try {
                    carryOut();
                    reply(request.id(), HelperProtocol.END, new byte[0]);
                } catch (IOException | RuntimeException e) {
                    reply(request.id(), HelperProtocol.ERROR, message(e));
                }
            } catch (IOException e) {
                // the recorder has ended
            } finally {
                requests.remove(request.id());
            }
        }

        private void carryOut() throws IOException {
            switch (request.operation()) {
                case HelperProtocol.LISTEN -> attach.listen();
                case HelperProtocol.COMMAND -> {
                    List<String> words = request.arguments().stream()
                            .map(word -> new String(word, StandardCharsets.UTF_8))
                            .toList();
                    attach.command(words, this::data, connection);
                }
                case HelperProtocol.MAKE_FOLDER -> {
                    SharedFolder made = temporary.makeFolder();
                    folders.put(made.name(), made);
                    data(made.name().getBytes(StandardCharsets.UTF_8));
                }
                case HelperProtocol.TAKE_STALE_FOLDERS -> {
                    List<SharedFolder> stale = temporary.takeStale();
                    stale.forEach(folder -> folders.put(folder.name(), folder));
                    data(stale.stream()
                            .map(SharedFolder::name)
                            .collect(Collectors.joining("\n"))
                            .getBytes(StandardCharsets.UTF_8));
                }
                case HelperProtocol.PUT ->
                    folder().put(request.text(1), request.arguments().get(2));
                case HelperProtocol.SIZE ->
                    data(Long.toString(folder().size(request.text(1))).getBytes(StandardCharsets.UTF_8));
                case HelperProtocol.READ -> folder().read(request.text(1), this::data);
                case HelperProtocol.DELETE -> folder().delete(request.text(1));
                case HelperProtocol.REMOVE_FOLDER -> folder().remove();
                case HelperProtocol.CONNECT -> relay(folder().connect(request.text(1), pid));
                default -> throw new IOException("unknown operation " + request.operation());
            }
        }

        private SharedFolder folder() throws IOException {
            SharedFolder folder = folders.get(request.text(0));
            if (folder == null) {
                throw new IOException("no such folder");
            }
            return folder;
        }

        private void data(byte[] bytes) throws IOException {
            connection.requireWanted();
            for (int at = 0; at < bytes.length; at += HelperProtocol.MOST_DATA) {
                reply(
                        request.id(),
                        HelperProtocol.DATA,
                        Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + HelperProtocol.MOST_DATA)));
            }
        }

        private void relay(int descriptor) throws IOException {
            connection.hold(descriptor);
            try {
                byte[] buffer = new byte[HelperProtocol.MOST_DATA];
                for (int count; (count = FileCalls.read(descriptor, buffer)) > 0; ) {
                    data(Arrays.copyOf(buffer, count));
                }
            } finally {
                connection.release();
            }
        }
    }

    /** Cleans up after the end of the recorder. */
    private void cleanUp() {
        Set.copyOf(requests.values()).forEach(work -> work.connection.cancel());
        Thread last = Thread.ofPlatform().daemon().name("last-commands").start(this::runLastCommands);
        try {
            boolean _ = last.join(Duration.ofNanos(LAST_COMMANDS_NANOS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        temporary.removeAll();
    }

    private void runLastCommands() {
        for (String command : lastCommands.lines().toList()) {
            try {
                attach.command(List.of("jcmd", command), _ -> {}, new RequestConnection());
            } catch (LibcException e) {
                return; // the target has ended
            } catch (IOException e) {
                // the next command may succeed
            }
        }
    }
}
