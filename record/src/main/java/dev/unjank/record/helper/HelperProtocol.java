package dev.unjank.record.helper;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The protocol between recorder and helper, over two pipes. Numbers are big-endian.
 *
 * <pre>
 * request   int id, byte operation, byte count, count times (int length, bytes)
 * reply     int id, byte kind, int length, bytes
 * </pre>
 *
 * <p>A request has any number of replies of kind {@link #DATA}, then one {@link #END} or {@link #ERROR}. Each side
 * checks every length: the helper's replies hold data from the target.
 */
final class HelperProtocol {
    /** Makes the JVM listen for attach requests. */
    static final byte LISTEN = 1;

    /** Sends a command of the attach protocol: its name and arguments. Replies with the target's reply. */
    static final byte COMMAND = 2;

    /** Creates a shared folder. Replies with its name. */
    static final byte MAKE_FOLDER = 3;

    /** Writes a new file: folder, name, content. */
    static final byte PUT = 4;

    /** Replies with a file's size in decimal digits, -1 if there is none: folder, name. */
    static final byte SIZE = 5;

    /** Replies with a file's content: folder, name. */
    static final byte READ = 6;

    /** Deletes a file, if it exists: folder, name. */
    static final byte DELETE = 7;

    /** Deletes a folder and its files with permitted names: folder. */
    static final byte REMOVE_FOLDER = 8;

    /** Connects to a socket, and replies with the data from it: folder, name. */
    static final byte CONNECT = 9;

    /** Sends bytes over a connection: id of its request, bytes. No reply. */
    static final byte SEND = 10;

    /** Cancels a request: its id. No reply. */
    static final byte CANCEL = 11;

    /** Takes over the folders of killed recorders. Replies with their names, one per line. */
    static final byte TAKE_STALE_FOLDERS = 12;

    /**
     * Sets the commands to execute if the recorder is killed: in the syntax of {@code jcmd}, one per line. No reply.
     */
    static final byte LAST_COMMANDS = 13;

    /** A part of the reply. */
    static final byte DATA = 1;

    /** The reply is complete. */
    static final byte END = 2;

    /** The request has failed: a message and a remedy, which may be empty, separated by a zero byte. */
    static final byte ERROR = 3;

    /** The id of the helper's first reply: it is ready. */
    static final int READY = 0;

    /** The longest {@link #DATA}. */
    static final int MOST_DATA = 1 << 16;

    /** The longest argument of a request: the agent's jar. */
    static final int MOST_ARGUMENT = 1 << 22;

    private static final int MOST_ARGUMENTS = 8;

    private HelperProtocol() {}

    /** A request as the helper reads it. */
    record Request(int id, byte operation, List<byte[]> arguments) {
        String text(int argument) {
            return new String(arguments.get(argument), StandardCharsets.UTF_8);
        }

        int number(int argument) {
            return Integer.parseInt(text(argument));
        }
    }

    /** A reply as the recorder reads it. */
    @SuppressWarnings("ArrayRecordComponent") // replies are never compared
    record Reply(int id, byte kind, byte[] bytes) {
        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    static void write(DataOutputStream out, Request request) throws IOException {
        out.writeInt(request.id);
        out.writeByte(request.operation);
        out.writeByte(request.arguments.size());
        for (byte[] argument : request.arguments) {
            out.writeInt(argument.length);
            out.write(argument);
        }
        out.flush();
    }

    static Request readRequest(DataInputStream in) throws IOException {
        int id = in.readInt();
        byte operation = in.readByte();
        int count = in.readUnsignedByte();
        if (count > MOST_ARGUMENTS) {
            throw new IOException("invalid request: " + count + " arguments; the maximum is " + MOST_ARGUMENTS);
        }
        List<byte[]> arguments = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            arguments.add(bytes(in, MOST_ARGUMENT));
        }
        return new Request(id, operation, arguments);
    }

    static void write(DataOutputStream out, Reply reply) throws IOException {
        out.writeInt(reply.id);
        out.writeByte(reply.kind);
        out.writeInt(reply.bytes.length);
        out.write(reply.bytes);
        out.flush();
    }

    static Reply readReply(DataInputStream in) throws IOException {
        return new Reply(in.readInt(), in.readByte(), bytes(in, MOST_DATA));
    }

    private static byte[] bytes(DataInputStream in, int most) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > most) {
            throw new IOException("invalid frame: " + length + " bytes; the maximum is " + most);
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }
}
