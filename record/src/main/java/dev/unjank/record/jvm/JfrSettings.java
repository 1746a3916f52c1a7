package dev.unjank.record.jvm;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** The configuration file for the target's Flight Recorder, which selects the events. */
final class JfrSettings {
    /** The waits of threads, with a duration threshold and a stack trace. */
    private static final List<String> WAITS = List.of(
            "jdk.JavaMonitorEnter",
            "jdk.JavaMonitorWait",
            "jdk.ThreadPark",
            "jdk.ThreadSleep",
            "jdk.VirtualThreadPinned",
            "jdk.SocketRead",
            "jdk.SocketWrite",
            "jdk.FileRead",
            "jdk.FileWrite",
            "jdk.FileForce");

    /** Other events with a duration threshold. */
    private static final List<String> TIMED =
            List.of("jdk.ClassLoad", "jdk.ZAllocationStall", "jdk.GCPhasePauseLevel1", "dev.unjank.MessageDispatch");

    /** Events without a threshold. */
    private static final List<String> ALL = List.of(
            "jdk.GCPhasePause",
            "jdk.GarbageCollection",
            "jdk.GCHeapSummary",
            "jdk.SystemGC",
            "jdk.GCLocker",
            "jdk.AllocationRequiringGC",
            "jdk.SafepointBegin",
            "jdk.SafepointStateSynchronization",
            "jdk.SafepointEnd",
            "jdk.ExecuteVMOperation",
            "jdk.ThreadStart",
            "jdk.ThreadEnd",
            "jdk.JVMInformation",
            "jdk.DataLoss",
            "dev.unjank.Frame",
            "dev.unjank.Stall",
            "dev.unjank.Clock");

    /** Other events with a stack trace. */
    private static final List<String> WITH_STACK = List.of("jdk.SystemGC");

    private JfrSettings() {}

    /** The first Java version with a sampler by CPU time, which also samples native code and misses no thread. */
    private static final int CPU_TIME_SAMPLER = 25;

    /**
     * The file.
     *
     * @param threshold the minimum duration of recorded events
     * @param samplesPerSecond the stack samples of each running thread; 0 for none
     * @param feature the target's Java version
     */
    static byte[] configuration(Duration threshold, int samplesPerSecond, int feature) {
        StringBuilder text = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
                .append("<configuration version=\"2.0\" label=\"unjank\"")
                .append(" description=\"Lock waits, parks and pauses for unjank record\"")
                .append(" provider=\"unjank\">\n");
        WAITS.forEach(event -> event(text, event, threshold.toNanos()));
        TIMED.forEach(event -> event(text, event, threshold.toNanos()));
        for (String event : ALL) {
            event(text, event, -1);
        }
        if (samplesPerSecond > 0) {
            long period = Math.max(1, 1_000 / samplesPerSecond);
            boolean byCpuTime = isByCpuTime(feature);
            text.append("  <event name=\"").append(sampler(feature)).append("\">\n");
            setting(text, "enabled", "true");
            setting(text, byCpuTime ? "throttle" : "period", period + (byCpuTime ? "ms" : " ms"));
            text.append("  </event>\n");
        }
        return text.append("</configuration>\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static boolean isByCpuTime(int feature) {
        return feature >= CPU_TIME_SAMPLER;
    }

    /** {@return how stacks are sampled, with the sampler's event; empty if they are not} */
    static String samples(int samplesPerSecond, int feature) {
        return samplesPerSecond == 0
                ? ""
                : ", %d stack samples of a running thread per second (%s)"
                        .formatted(samplesPerSecond, sampler(feature));
    }

    private static String sampler(int feature) {
        return isByCpuTime(feature) ? "jdk.CPUTimeSample" : "jdk.ExecutionSample";
    }

    private static void event(StringBuilder text, String event, long threshold) {
        text.append("  <event name=\"").append(event).append("\">\n");
        setting(text, "enabled", "true");
        setting(text, "stackTrace", Boolean.toString(WAITS.contains(event) || WITH_STACK.contains(event)));
        if (threshold >= 0) {
            setting(text, "threshold", threshold + " ns");
        }
        text.append("  </event>\n");
    }

    private static void setting(StringBuilder text, String name, String value) {
        text.append("    <setting name=\"")
                .append(name)
                .append("\">")
                .append(value)
                .append("</setting>\n");
    }
}
