package dev.unjank.cli;

import java.io.IOException;
import java.io.OutputStream;
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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;

/**
 * A program that answers the recorder in place of its virtual machine, which is started with {@code
 * -XX:+DisableAttachMechanism}. It does not answer one command ({@code silent JFR.stop}), or without end ({@code
 * endless JFR.stop}), and prints {@code asked} then.
 */
final class HostileProgram {
    private static final int PARTS_OF_A_REQUEST = 5;

    private final List<String> ways;

    private HostileProgram(List<String> ways) {
        this.ways = ways;
    }

    /** Runs until its input ends. */
    public static void main(String[] ways) throws Exception {
        HostileProgram program = new HostileProgram(List.of(ways));
        String pid = ManagementFactory.getRuntimeMXBean().getName().split("@", 2)[0];
        Path path = Path.of("/tmp/.java_pid" + pid);
        Files.deleteIfExists(path); // of a process that had this number
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
            Thread.ofPlatform().daemon().start(() -> program.serve(server));
            System.out.println("ready");
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        } finally {
            Files.deleteIfExists(path);
        }
    }

    private void serve(ServerSocketChannel server) {
        while (true) {
            try {
                SocketChannel channel = server.accept();
                Thread.ofPlatform().daemon().start(() -> {
                    try (channel) {
                        answer(channel);
                    } catch (Exception e) {
                        // the recorder has had enough
                    }
                });
            } catch (IOException e) {
                return;
            }
        }
    }

    /** Else the recorder would take it that there is no recording, and have nothing to ask at the end. */
    private static String started(String command) throws IOException {
        Files.writeString(Path.of(command.replaceFirst(".*filename=(\\S+).*", "$1")), "no recording");
        return "Started recording 1.\n";
    }

    private void answer(SocketChannel channel) throws Exception {
        StringBuilder text = new StringBuilder();
        ByteBuffer buffer = ByteBuffer.allocate(1 << 12);
        while (text.chars().filter(c -> c == 0).count() < PARTS_OF_A_REQUEST) {
            if (channel.read(buffer) < 0) {
                return; // asked whether it listens only
            }
            text.append(StandardCharsets.UTF_8.decode(buffer.flip()));
            buffer.clear();
        }
        String[] request = text.toString().split("\0", -1); // version, command, three arguments
        String command = request[1].equals("jcmd") ? request[2].split(" ", 2)[0] : request[1];
        OutputStream out = Channels.newOutputStream(channel);
        if (ways.contains("silent " + command)) {
            System.out.println("asked");
            Thread.sleep(Long.MAX_VALUE);
        }
        if (ways.contains("endless " + command)) {
            System.out.println("asked");
            byte[] letters = new byte[1 << 16];
            Arrays.fill(letters, (byte) 'x');
            out.write("0\n".getBytes(StandardCharsets.UTF_8));
            while (true) {
                out.write(letters);
            }
        }
        String said = switch (command) {
            case "properties" -> "java.specification.version=25\njava.vm.version=25+hostile\n";
            case "load" -> "return code: 1\n";
            case "JFR.start" -> started(request[2]);
            case "JFR.stop" -> "Stopped recording.\n";
            default -> "nothing\n";
        };
        out.write(("0\n" + said).getBytes(StandardCharsets.UTF_8));
    }
}
