package dev.unjank.trace.read.jfr;

import dev.unjank.trace.read.jfr.format.ChunkMetadata;
import dev.unjank.trace.read.jfr.format.JfrType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How a recording was made: what it leaves out, and what would have to be switched on. */
final class RecordingSettings {
    private static final String MONITORS = "jdk.JavaMonitorEnter";
    private static final String PARKS = "jdk.ThreadPark";
    private static final String SAMPLES = "jdk.ExecutionSample";
    private static final double LONG_THRESHOLD_MS = 1;

    private record Setting(String event, String name) {}

    private final Map<Setting, String> values = new HashMap<>();
    private final Map<Long, String> events = new HashMap<>();
    private long lostBytes;

    /** The events of a chunk, since settings name them by number. */
    void read(ChunkMetadata metadata) {
        events.clear();
        for (String name : List.of(MONITORS, PARKS, SAMPLES)) {
            JfrType type = metadata.type(name);
            if (type != null) {
                events.put(type.id(), name);
            }
        }
    }

    void set(long event, String name, String value) {
        String known = events.get(event);
        if (known != null) {
            values.put(new Setting(known, name), value);
        }
    }

    /** The recorder had to throw away events. */
    void lost(long bytes) {
        lostBytes += Math.max(0, bytes);
    }

    /** {@return what a reader of the results should know, a line each} */
    List<String> warnings(int monitorWaits) {
        List<String> warnings = new ArrayList<>();
        if (lostBytes > 0) {
            warnings.add("the recorder was too slow and lost " + lostBytes + " bytes of events");
        }
        if (monitorWaits == 0 && isOff(MONITORS)) {
            warnings.add("waits for monitors were not recorded; record with " + MONITORS + "#enabled=true");
        } else {
            addThreshold(MONITORS, "waits for monitors", warnings);
        }
        if (isOff(PARKS)) {
            warnings.add("waits for locks of java.util.concurrent were not recorded; record with " + PARKS
                    + "#enabled=true");
        } else {
            addThreshold(PARKS, "waits for locks of java.util.concurrent", warnings);
        }
        return warnings;
    }

    private boolean isOff(String event) {
        return "false".equals(values.get(new Setting(event, "enabled")));
    }

    private void addThreshold(String event, String what, List<String> warnings) {
        double threshold = milliseconds(values.getOrDefault(new Setting(event, "threshold"), ""));
        if (threshold > LONG_THRESHOLD_MS) {
            warnings.add("%s shorter than %.0f ms were not recorded; record with %s#threshold=1ms to see them"
                    .formatted(what, threshold, event));
        }
    }

    /** From {@code 20 ms} or {@code 1 s}; 0 for what is none. */
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
