package dev.unjank.record.jvm;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
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
import java.util.Arrays;
import java.util.List;

/**
 * A virtual machine whose program answers the recorder in place of the virtual machine, and does so to harm it. It is started
 * with {@code -XX:+DisableAttachMechanism}, so that the socket is its own.
 */
final class HostileTarget {
    private static final byte[] LETTERS = new byte[1 << 16];
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
        System.out.println("ready");
        while (System.in.read() >= 0) {
            // until the test is over
        }
    }

    private interface Peer {
        void talk(SocketChannel channel) throws Exception;
    }

    private void listen(Path path, Peer peer) throws IOException {
        Files.deleteIfExists(path);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path));
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
        if (is("endless " + command)) {
            out.write('0');
            out.write('\n');
            while (true) {
                out.write(LETTERS);
            }
        }
        String said = switch (command) {
            case "properties" -> "java.specification.version=25\njava.vm.version=25+hostile\n";
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
        if (is("flood of texts")) {
            for (int number = 0; ; number++) {
                out.writeByte(2); // TEXT
                out.writeInt(number);
                out.writeShort(60_000);
                out.write(LETTERS, 0, 60_000);
            }
        }
        Thread.sleep(Long.MAX_VALUE);
    }
}
