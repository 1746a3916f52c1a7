package dev.unjank.record.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The credentials of a thread or process, from {@code /proc/PID/status}. Ids are those of the reader's namespaces.
 *
 * @param capabilities its permitted capabilities, one bit each
 * @param innermostPid its pid in its own namespace
 * @param caughtSignals the signals that it handles: bit 0 is signal 1
 */
public record ProcessCredentials(
        int uid, int gid, List<Integer> groups, long capabilities, int innermostPid, long caughtSignals) {
    private static final int EFFECTIVE = 1;
    private static final int HEXADECIMAL = 16;

    /** The size limit of the file; a process may have 65,536 groups. */
    private static final int MOST_BYTES = 1 << 20;

    /** Keeps its own copy of the list. */
    public ProcessCredentials {
        groups = List.copyOf(groups);
    }

    public static ProcessCredentials of(int pid) throws IOException {
        return of(Path.of("/proc/" + pid + "/status"));
    }

    public static ProcessCredentials own() throws IOException {
        return of(Path.of("/proc/self/status"));
    }

    /** The credentials of a thread. */
    public static ProcessCredentials of(Path status) throws IOException {
        Map<String, String> fields = new HashMap<>();
        // The name of the program may hold any bytes, but no line break.
        for (String line :
                new String(ProcFile.bytes(status, MOST_BYTES), StandardCharsets.ISO_8859_1).split("\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.putIfAbsent(
                        line.substring(0, colon), line.substring(colon + 1).strip());
            }
        }
        try {
            List<Integer> pids = numbers(fields.getOrDefault("NSpid", fields.getOrDefault("Pid", "0")));
            return new ProcessCredentials(
                    numbers(fields.getOrDefault("Uid", "")).get(EFFECTIVE),
                    numbers(fields.getOrDefault("Gid", "")).get(EFFECTIVE),
                    numbers(fields.getOrDefault("Groups", "")),
                    bits(fields.getOrDefault("CapPrm", "0")),
                    pids.getLast(),
                    bits(fields.getOrDefault("SigCgt", "0")));
        } catch (RuntimeException e) {
            throw new IOException(status + ": not in the kernel's format", e);
        }
    }

    /**
     * The user that is root in a process's user namespace, by its {@code uid_map}, as a uid of this process's
     * namespace; 0 if unknown.
     */
    public static int rootOf(Path map) {
        try {
            for (String line : ProcFile.text(map).split("\n", -1)) {
                String[] fields = line.strip().split("\\s+", -1); // inside, outside, count
                if (fields.length == 3 && fields[0].equals("0")) {
                    return Integer.parseUnsignedInt(fields[1]);
                }
            }
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
        return 0;
    }

    /**
     * The name of a process's user; its uid if the name is unknown. The folder of a process that is not dumpable
     * belongs to root, so its owner is used only if that is the user.
     *
     * @param folder the process's folder in {@code /proc}
     */
    static String userName(Path folder, int uid) {
        try {
            if (Integer.valueOf(uid).equals(Files.getAttribute(folder, "unix:uid"))) {
                return Files.getOwner(folder).getName();
            }
        } catch (IOException | UnsupportedOperationException e) {
            // it has ended
        }
        return Integer.toUnsignedString(uid);
    }

    private static List<Integer> numbers(String text) {
        return Arrays.stream(text.split("\\s+", -1))
                .filter(number -> !number.isEmpty())
                .map(Integer::parseUnsignedInt)
                .toList();
    }

    private static long bits(String text) {
        return Long.parseUnsignedLong(text, HEXADECIMAL);
    }

    /** Whether it handles a signal that would otherwise terminate it. */
    public boolean catches(int signal) {
        return (caughtSignals >>> (signal - 1) & 1) != 0;
    }
}
