package dev.unjank.trace.read.jfr;

import dev.unjank.trace.model.TraceNote;
import dev.unjank.trace.read.jfr.format.ChunkMetadata;
import dev.unjank.trace.read.jfr.format.JfrType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The settings of a recording: what it omits, and which settings would record it. */
final class RecordingSettings {
    private static final String MONITORS = "jdk.JavaMonitorEnter";
    private static final String PARKS = "jdk.ThreadPark";
    private static final String THREAD_DUMPS = "jdk.ThreadDump";
    private static final String SAMPLES = "jdk.ExecutionSample";
    private static final String CPU_TIME_SAMPLES = "jdk.CPUTimeSample";

    /** Waits other than those for locks. */
    private static final List<String> OTHER_WAITS = List.of(
            "jdk.JavaMonitorWait",
            "jdk.ThreadSleep",
            "jdk.SocketRead",
            "jdk.SocketWrite",
            "jdk.FileRead",
            "jdk.FileWrite",
            "jdk.FileForce",
            "jdk.VirtualThreadPinned");

    private static final double LONG_THRESHOLD_MS = 1;

    private record Setting(String event, String name) {}

    private final Map<Setting, String> values = new HashMap<>();
    private final Map<Long, String> events = new HashMap<>();
    private long lostBytes;

    /** Reads the types of a chunk, since settings refer to them by id. */
    void read(ChunkMetadata metadata) {
        events.clear();
        Stream.concat(Stream.of(MONITORS, PARKS, SAMPLES, CPU_TIME_SAMPLES), OTHER_WAITS.stream())
                .forEach(name -> {
                    JfrType type = metadata.type(name);
                    if (type != null) {
                        events.put(type.id(), name);
                    }
                });
    }

    void set(long event, String name, String value) {
        String known = events.get(event);
        if (known != null) {
            values.put(new Setting(known, name), value);
        }
    }

    /** Adds bytes of events that the recorder dropped. */
    void lost(long bytes) {
        lostBytes += Math.max(0, bytes);
    }

    /**
     * {@return warnings about missing data}
     *
     * @param monitorWaits the number of recorded waits for monitors
     * @param hasThreadDumps whether the recording has dumps of the threads' stacks
     */
    List<TraceNote> warnings(int monitorWaits, boolean hasThreadDumps) {
        List<TraceNote> warnings = new ArrayList<>();
        if (lostBytes > 0) {
            warnings.add(TraceNote.of("recorderLost", lostBytes));
        }
        if (monitorWaits == 0 && isOff(MONITORS)) {
            warnings.add(TraceNote.of("noMonitorWaits", MONITORS));
        } else {
            addThreshold(MONITORS, "noShortMonitorWaits", warnings);
        }
        if (isOff(PARKS)) {
            warnings.add(TraceNote.of("noParks", PARKS));
        } else {
            addThreshold(PARKS, "noShortParks", warnings);
        }
        List<String> off = OTHER_WAITS.stream().filter(this::isOff).toList();
        if (!off.isEmpty()) {
            warnings.add(TraceNote.of("noOtherWaits", String.join(", ", off)));
        }
        addOtherThresholds(warnings);
        if (!hasThreadDumps && isOn(MONITORS)) {
            warnings.add(TraceNote.of("noThreadDumps", THREAD_DUMPS));
        }
        if (isOff(SAMPLES) && !isOn(CPU_TIME_SAMPLES)) {
            warnings.add(TraceNote.of("noSamples", SAMPLES));
        }
        return warnings;
    }

    private boolean isOff(String event) {
        return "false".equals(values.get(new Setting(event, "enabled")));
    }

    private boolean isOn(String event) {
        return "true".equals(values.get(new Setting(event, "enabled")));
    }

    private double thresholdMs(String event) {
        return milliseconds(values.getOrDefault(new Setting(event, "threshold"), ""));
    }

    private void addOtherThresholds(List<TraceNote> warnings) {
        List<String> events = OTHER_WAITS.stream()
                .filter(event -> !isOff(event) && thresholdMs(event) > LONG_THRESHOLD_MS)
                .map(event -> "%s (%.0f ms)".formatted(event, thresholdMs(event)))
                .toList();
        if (!events.isEmpty()) {
            warnings.add(TraceNote.of("noShortWaits", String.join(", ", events)));
        }
    }

    private void addThreshold(String event, String key, List<TraceNote> warnings) {
        double threshold = thresholdMs(event);
        if (threshold > LONG_THRESHOLD_MS) {
            warnings.add(TraceNote.of(key, "%.0f".formatted(threshold), event));
        }
    }

    /** Parses {@code 20 ms} or {@code 1 s}; 0 for anything else. */
    static double milliseconds(String duration) {
        String[] parts = duration.strip().split("\\s+", -1);
        if (parts.length != 2) {
            return 0;
        }
        double unit = switch (parts[1].toLowerCase(Locale.ROOT)) {
            case "ns" -> 1e-6;
            case "us" -> 1e-3;
            case "ms" -> 1;
            case "s" -> 1e3;
            case "m" -> 60e3;
            case "h" -> 3600e3;
            default -> 0;
        };
        try {
            return Long.parseLong(parts[0]) * unit;
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
