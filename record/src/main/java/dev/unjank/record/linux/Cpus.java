package dev.unjank.record.linux;

import dev.unjank.trace.write.TraceWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The machine's CPUs, from {@code /proc/cpuinfo} and {@code /sys/devices/system/cpu}. */
public final class Cpus {
    /** The keys of the model name, for different architectures. */
    private static final List<String> NAMES = List.of("model name", "uarch", "cpu model", "cpu");

    private Cpus() {}

    /** The CPUs of this machine, indexed by CPU number; empty if unknown. */
    public static List<TraceWriter.CpuEntry> all() {
        return all(Path.of("/proc/cpuinfo"), Path.of("/sys/devices/system/cpu"));
    }

    /** The number of CPUs of this machine; if unknown, the number of CPUs that this process may use. */
    public static int count() {
        int count = all().size();
        return count == 0 ? Runtime.getRuntime().availableProcessors() : count;
    }

    static List<TraceWriter.CpuEntry> all(Path info, Path devices) {
        List<TraceWriter.CpuEntry> cpus = new ArrayList<>();
        int number = -1;
        for (String line : text(info).split("\n", -1)) {
            int colon = line.indexOf(':');
            String key = colon < 0 ? "" : line.substring(0, colon).strip();
            String value = colon < 0 ? "" : line.substring(colon + 1).strip();
            if (key.equals("processor")) {
                number = number(value, -1);
                while (cpus.size() <= number) { // offline CPUs are not listed
                    int capacity = number(text(devices.resolve("cpu" + cpus.size() + "/cpu_capacity")), 0);
                    cpus.add(new TraceWriter.CpuEntry("", capacity));
                }
            } else if (number >= 0
                    && NAMES.contains(key)
                    && cpus.get(number).model().isEmpty()) {
                cpus.set(
                        number, new TraceWriter.CpuEntry(value, cpus.get(number).capacity()));
            }
        }
        return cpus;
    }

    private static int number(String text, int otherwise) {
        String number = text.strip();
        return number.matches("[0-9]{1,4}") ? Integer.parseInt(number) : otherwise;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
