package dev.unjank.record.jvm;

import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A virtual machine whose program answers the recorder in place of the virtual machine, and does so to harm it. It is
 * started with {@code -XX:+DisableAttachMechanism}, so that the socket is its own.
 */
final class HostileTarget {
    private static final byte[] LETTERS = new byte[1 << 16];
    private static final String MOUNT_OVER = "mount over ";
    private static final long MS_BIND = 4096;
    private static final long TERABYTES = 4L << 40;

    private final List<String> ways;

    private HostileTarget(List<String> ways) {
        this.ways = ways;
    }

    public static void main(String[] ways) throws Exception {
        Arrays.fill(LETTERS, (byte) 'x');
        HostileTarget target = new HostileTarget(List.of(ways));
        String pid = ManagementFactory.getRuntimeMXBean().getName().split("@", 2)[0];
        target.listen(Paths.get("/tmp/.java_pid" + pid), target::answer);
        for (String way : ways) {
            if (way.startsWith(MOUNT_OVER)) {
                Thread thread = new Thread(() -> mountOver(way.substring(MOUNT_OVER.length())));
                thread.setDaemon(true);
                thread.start();
            }
        }
        System.out.println("ready");
        while (System.in.read() >= 0) {
            // until the test is over
        }
    }

    /** Mounts a directory over every folder of a recorder as soon as it is there. */
    @SuppressWarnings("restricted") // as mount(2) has it
    private static void mountOver(String directory) {
        MethodHandle mount = Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().findOrThrow("mount"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.ADDRESS,
                                ValueLayout.ADDRESS,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.ADDRESS));
        Set<String> done = new HashSet<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocateFrom(directory);
            while (true) {
                for (String name : new File("/tmp").list()) {
                    if (name.startsWith("unjank-") && done.add(name)) {
                        MemorySegment over = arena.allocateFrom("/tmp/" + name);
                        int failed =
                                (int) mount.invokeExact(source, over, MemorySegment.NULL, MS_BIND, MemorySegment.NULL);
                        if (failed != 0) {
                            done.remove(name);
                        }
                    }
                }
            }
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Peer {
        void talk(SocketChannel channel) throws Exception;
    }

    private void listen(Path path, Peer peer) throws IOException {
        Files.deleteIfExists(path);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------")); // the JDK's client looks
        Thread thread = new Thread(() -> {
            while (true) {
                try {
                    SocketChannel channel = server.accept();
                    Thread each = new Thread(() -> {
                        try (channel) {
                            peer.talk(channel);
                        } catch (Exception e) {
                            // the recorder has had enough
                        }
                    });
                    each.setDaemon(true);
                    each.start();
                } catch (IOException e) {
                    return;
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private boolean is(String way) {
        return ways.contains(way);
    }

    private static String[] request(SocketChannel channel) throws IOException {
        StringBuilder text = new StringBuilder();
        ByteBuffer buffer = ByteBuffer.allocate(1 << 12);
        while (text.chars().filter(c -> c == 0).count() < 5 && channel.read(buffer) >= 0) {
            text.append(StandardCharsets.UTF_8.decode(buffer.flip()));
            buffer.clear();
        }
        return text.toString().split("\0", -1); // version, command, three arguments
    }

    private void answer(SocketChannel channel) throws Exception {
        String[] request = request(channel);
        if (request.length < 5) {
            return;
        }
        OutputStream out = Channels.newOutputStream(channel);
        String command = request[1].equals("jcmd") ? request[2].split(" ", 2)[0] : request[1];
        if (is("silent " + command)) {
            Thread.sleep(Long.MAX_VALUE);
        }
        if (is("refused " + command)) {
            out.write("1\n\u001b[31m".getBytes(StandardCharsets.UTF_8));
            for (int bytes = 0; bytes < 900_000; bytes += LETTERS.length) {
                out.write(LETTERS);
            }
            return;
        }
        if (is("endless " + command)) {
            out.write('0');
            out.write('\n');
            while (true) {
                out.write(LETTERS);
            }
        }
        String said = switch (command) {
            case "properties" ->
                is("malformed properties")
                        ? "java.vm.version=\\uwxyz\n"
                        : "java.specification.version=25\njava.vm.version=25+hostile\n";
            case "load" -> load(request[4]);
            case "JFR.start" -> started(request[2]);
            case "JFR.stop" -> "Stopped recording.\n";
            default -> "nothing\n";
        };
        out.write(("0\n" + said).getBytes(StandardCharsets.UTF_8));
    }

    private String load(String argument) throws IOException {
        String socket = argument.substring(argument.indexOf('\n') + 1);
        listen(Path.of(socket), this::observe);
        return "return code: 0\n";
    }

    private String started(String command) throws IOException {
        Path file = Path.of(command.replaceFirst(".*filename=(\\S+).*", "$1"));
        if (is("sparse piece")) {
            try (RandomAccessFile piece = new RandomAccessFile(file.toFile(), "rw")) {
                piece.setLength(TERABYTES);
            }
        } else if (is("shrinking piece")) {
            shrink(file);
        } else if (is("linked piece")) {
            Files.createSymbolicLink(file, Path.of("/etc/passwd"));
        } else {
            Files.write(file, LETTERS);
        }
        return "Started recording 1.\n";
    }

    /** A file that is long and short in turns. */
    private static void shrink(Path file) {
        Thread thread = new Thread(() -> {
            try (RandomAccessFile piece = new RandomAccessFile(file.toFile(), "rw")) {
                while (true) {
                    piece.setLength(1 << 24);
                    piece.setLength(1);
                }
            } catch (IOException e) {
                // the folder is gone
            }
        });
        thread.setDaemon(true);
        thread.start();
        while (!Files.exists(file)) {
            Thread.onSpinWait();
        }
    }

    private void observe(SocketChannel channel) throws Exception {
        DataOutputStream out = new DataOutputStream(Channels.newOutputStream(channel));
        out.writeByte(1); // HELLO
        out.writeInt(5);
        out.flush();
        int length = is("flood of texts") ? 5_000 : is("long text") ? 60_000 : 0;
        if (length == 0) {
            Thread.sleep(Long.MAX_VALUE);
        }
        for (int number = 0; ; number++) {
            out.writeByte(2); // TEXT
            out.writeInt(number);
            out.writeShort(length);
            out.write(LETTERS, 0, length);
        }
    }
}
