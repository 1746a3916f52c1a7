package dev.unjank.record.linux;

import dev.unjank.trace.write.TraceWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The machine's CPUs, as {@code /proc/cpuinfo} and the kernel's folder of devices have them. */
public final class Cpus {
    /** What kernels of different processors call the processor's name. */
    private static final List<String> NAMES = List.of("model name", "uarch", "cpu model", "cpu");

    private Cpus() {}

    /**
     * Those of this machine.
     *
     * @return them, by their numbers from 0 on; empty if the kernel does not tell
     */
    public static List<TraceWriter.CpuEntry> all() {
        return all(Path.of("/proc/cpuinfo"), Path.of("/sys/devices/system/cpu"));
    }

    /**
     * How many the machine has, whichever of them this process may use.
     *
     * @return their number; if the kernel does not tell, of those that this process may use
     */
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
                while (cpus.size() <= number) { // those that are off are not listed
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
