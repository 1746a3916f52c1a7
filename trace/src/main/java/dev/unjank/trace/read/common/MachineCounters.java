package dev.unjank.trace.read.common;

import dev.unjank.trace.build.TraceBuilder;
import java.util.Map;

/** Adds counters of CPUs and clocks under the names that they have in Perfetto's tables. */
public final class MachineCounters {
    private static final String SCREEN_STATE = "ScreenState";

    /** What the properties have in common that Android sets for traces. */
    private static final String TRACING = "debug.tracing.";

    private static final String BATTERY = "battery_stats.";
    private static final Map<String, String> PROPERTIES = Map.of(
            "screen_state",
            SCREEN_STATE,
            "battery_status",
            "BatteryStatus",
            "plug_type",
            "PlugType",
            "mcc",
            "mcc",
            "mnc",
            "mnc");

    private static final String DEVICE_STATE = "device_state";

    private final TraceBuilder builder;
    private int deviceTrack = -1;

    public MachineCounters(TraceBuilder builder) {
        this.builder = builder;
    }

    /** Adds the limits of a CPU's frequency in kHz. */
    public void frequencyLimits(long ts, int cpu, long least, long most) {
        ofCpu(ts, cpu, "Max Freq Limit", most);
        ofCpu(ts, cpu, "Min Freq Limit", least);
    }

    /** Adds what the scheduler estimates for a CPU: its load and capacity, and the number of threads there. */
    public void utilization(long ts, int cpu, long utilization, long capacity, long running) {
        ofCpu(ts, cpu, "Util", utilization);
        ofCpu(ts, cpu, "Cap", capacity);
        ofCpu(ts, cpu, "Nr Running", running);
    }

    private void ofCpu(long ts, int cpu, String what, long value) {
        builder.rareKernel().cpuCounter(ts, cpu, builder.intern("Cpu " + cpu + " " + what), value);
    }

    /** Adds the frequency of a clock of a device, a bus or memory. */
    public void clockRate(long ts, String clock, long rate) {
        counter(ts, clock + " Frequency", rate);
    }

    /** Adds whether a clock runs, as 1 or 0. */
    public void clockState(long ts, String clock, long state) {
        counter(ts, clock + " State", state);
    }

    /** Adds the state of the screen, by Android's number. */
    public void screenState(long ts, long state) {
        counter(ts, SCREEN_STATE, state);
    }

    /** Adds the value of a system property if it is one of those for traces. */
    public void property(long ts, String property, String value) {
        if (!property.startsWith(TRACING)) {
            return;
        }
        String what = property.substring(TRACING.length());
        if (what.equals(DEVICE_STATE)) {
            deviceState(ts, value);
            return;
        }
        String name = what.startsWith(BATTERY) ? what : PROPERTIES.get(what);
        if (name != null) {
            try {
                counter(ts, name, Integer.parseInt(value));
            } catch (NumberFormatException _) {
                // it has no number at this time
            }
        }
    }

    private void deviceState(long ts, String state) {
        if (deviceTrack < 0) {
            deviceTrack = builder.tracks().newTrack(-1, -1, builder.intern("DeviceStateChanged"));
        }
        builder.tracks().trackInstant(ts, deviceTrack, -1, builder.intern(state));
    }

    /** Adds a value of a counter of the whole machine. */
    public void counter(long ts, String name, long value) {
        builder.rareKernel().counter(ts, builder.intern(name), value);
    }
}
