package dev.unjank.trace.proto;

/**
 * Field numbers of Perfetto's published messages: those of packets; {@link FtraceFields} has those of kernel events,
 * {@link TrackEventFields} those of track events, {@link FrameFields} those of frames. One nested class per message,
 * each constant named after its field. The authority is {@code protos/perfetto/trace} of <a
 * href="https://github.com/google/perfetto">Perfetto's repository</a>; only fields that this module reads or writes are
 * listed.
 */
@SuppressWarnings(
        "doclint:missing") // each constant is its own documentation: the field's name in the published proto file
public final class PacketFields {
    private PacketFields() {}

    public static final class Trace {
        public static final int PACKET = 1;
    }

    public static final class TracePacket {
        public static final int FTRACE_EVENTS = 1;
        public static final int PROCESS_TREE = 2;
        public static final int CLOCK_SNAPSHOT = 6;
        public static final int SYS_STATS = 7;
        public static final int TIMESTAMP = 8;
        public static final int PROCESS_STATS = 9;
        public static final int TRUSTED_PACKET_SEQUENCE_ID = 10;
        public static final int TRACK_EVENT = 11;
        public static final int INTERNED_DATA = 12;
        public static final int SEQUENCE_FLAGS = 13;
        public static final int FTRACE_STATS = 34;
        public static final int TRACE_STATS = 35;
        public static final int TRIGGER = 46;
        public static final int SERVICE_EVENT = 69;
        public static final int CLONE_SNAPSHOT_TRIGGER = 113;
        public static final int ANDROID_LOG = 39;
        public static final int INCREMENTAL_STATE_CLEARED = 41;
        public static final int PREVIOUS_PACKET_DROPPED = 42;
        public static final int SYSTEM_INFO = 45;
        public static final int COMPRESSED_PACKETS = 50;
        public static final int TIMESTAMP_CLOCK_ID = 58;
        public static final int TRACE_PACKET_DEFAULTS = 59;
        public static final int TRACK_DESCRIPTOR = 60;
        public static final int PACKAGES_LIST = 47;
        public static final int PERF_SAMPLE = 66;
        public static final int CPU_INFO = 67;
        public static final int INITIAL_DISPLAY_STATE = 70;
        public static final int FRAME_TIMELINE_EVENT = 76;
        public static final int ANDROID_SYSTEM_PROPERTY = 86;

        /** Bit of SEQUENCE_FLAGS: interned data and defaults of this sequence start afresh with this packet. */
        public static final int SEQ_INCREMENTAL_STATE_CLEARED = 1;
        /** Bit of SEQUENCE_FLAGS: this packet depends on the state since the last clearing. */
        public static final int SEQ_NEEDS_INCREMENTAL_STATE = 2;
    }

    public static final class AndroidLogPacket {
        public static final int EVENTS = 1;
    }

    public static final class LogEvent {
        public static final int TIMESTAMP = 5;
    }

    public static final class TracePacketDefaults {
        public static final int TRACK_EVENT_DEFAULTS = 11;
        public static final int TIMESTAMP_CLOCK_ID = 58;
    }

    public static final class ClockSnapshot {
        public static final int CLOCKS = 1;
        public static final int PRIMARY_TRACE_CLOCK = 2;
    }

    public static final class Clock {
        public static final int CLOCK_ID = 1;
        public static final int TIMESTAMP = 2;
        public static final int IS_INCREMENTAL = 3;
        public static final int UNIT_MULTIPLIER_NS = 4;
    }

    /** Values of BuiltinClock. */
    public static final class BuiltinClock {
        public static final int REALTIME = 1;
        public static final int MONOTONIC = 3;
        public static final int BOOTTIME = 6;
    }

    public static final class SystemInfo {
        public static final int UTSNAME = 1;
        public static final int ANDROID_BUILD_FINGERPRINT = 2;
        public static final int TRACING_SERVICE_VERSION = 4;
        public static final int ANDROID_SDK_VERSION = 5;
        public static final int NUM_CPUS = 8;
        public static final int ANDROID_SOC_MODEL = 9;
        public static final int ANDROID_DEVICE_MANUFACTURER = 14;
        public static final int TIMEZONE_OFF_MINS = 7;
        public static final int SYSTEM_RAM_BYTES = 16;
    }

    public static final class CpuInfo {
        public static final int CPUS = 1;
    }

    public static final class CpuInfoCpu {
        public static final int PROCESSOR = 1;
        public static final int FREQUENCIES = 2;
        public static final int CAPACITY = 3;
    }

    public static final class Utsname {
        public static final int SYSNAME = 1;
        public static final int VERSION = 2;
        public static final int RELEASE = 3;
        public static final int MACHINE = 4;
    }

    public static final class ProcessTree {
        public static final int PROCESSES = 1;
        public static final int THREADS = 2;
        public static final int COLLECTION_END_TIMESTAMP = 3;
    }

    /** ProcessTree.Process. */
    public static final class ProcessTreeProcess {
        public static final int PID = 1;
        public static final int PPID = 2;
        public static final int CMDLINE = 3;
        public static final int UID = 5;
        public static final int START_FROM_BOOT = 7;
        public static final int IS_KTHREAD = 8;
    }

    /** ProcessTree.Thread. */
    public static final class ProcessTreeThread {
        public static final int TID = 1;
        public static final int NAME = 2;
        public static final int TGID = 3;
    }

    public static final class ProcessStats {
        public static final int PROCESSES = 1;
    }

    /** ProcessStats.Process: memory in KiB, times in ns. */
    public static final class ProcessStatsProcess {
        public static final int PID = 1;
        public static final int VM_SIZE_KB = 2;
        public static final int VM_RSS_KB = 3;
        public static final int RSS_ANON_KB = 4;
        public static final int RSS_FILE_KB = 5;
        public static final int RSS_SHMEM_KB = 6;
        public static final int VM_SWAP_KB = 7;
        public static final int VM_LOCKED_KB = 8;
        public static final int VM_HWM_KB = 9;
        public static final int OOM_SCORE_ADJ = 10;
        public static final int RUNTIME_USER_MODE = 21;
        public static final int RUNTIME_KERNEL_MODE = 22;
    }

    public static final class SysStats {
        public static final int CPU_STAT = 3;
        public static final int NUM_FORKS = 4;
        public static final int NUM_IRQ_TOTAL = 5;
        public static final int NUM_SOFTIRQ_TOTAL = 7;
        public static final int DEVFREQ = 10;
        public static final int CPUFREQ_KHZ = 11;
        public static final int CPUIDLE_STATE = 16;
    }

    /** SysStats.CpuTimes; its other fields are times in ns, numbered from 2. */
    public static final class CpuTimes {
        public static final int CPU_ID = 1;
    }

    /** SysStats.DevfreqValue. */
    public static final class DevfreqValue {
        public static final int KEY = 1;
        public static final int VALUE = 2;
    }

    /** SysStats.CpuIdleState. */
    public static final class CpuIdleState {
        public static final int CPU_ID = 1;
        public static final int CPUIDLE_STATE_ENTRY = 2;
    }

    /** SysStats.CpuIdleStateEntry. */
    public static final class CpuIdleStateEntry {
        public static final int STATE = 1;
        public static final int DURATION_US = 2;
    }

    public static final class InitialDisplayState {
        public static final int DISPLAY_STATE = 1;
    }

    public static final class AndroidSystemProperty {
        public static final int VALUES = 1;
    }

    /** AndroidSystemProperty.PropertyValue. */
    public static final class PropertyValue {
        public static final int NAME = 1;
        public static final int VALUE = 2;
    }

    public static final class PackagesList {
        public static final int PACKAGES = 1;
    }

    /** PackagesList.PackageInfo. */
    public static final class PackageInfo {
        public static final int NAME = 1;
        public static final int UID = 2;
        public static final int DEBUGGABLE = 3;
        public static final int PROFILEABLE_FROM_SHELL = 4;
        public static final int VERSION_CODE = 5;
    }

    public static final class PerfSample {
        public static final int CPU = 1;
        public static final int PID = 2;
        public static final int TID = 3;
        public static final int CALLSTACK_IID = 4;
        public static final int KERNEL_RECORDS_LOST = 17;
        public static final int SAMPLE_SKIPPED_REASON = 18;
    }

    public static final class Mapping {
        public static final int IID = 1;
        public static final int PATH_STRING_IDS = 7;
    }

    public static final class Frame {
        public static final int IID = 1;
        public static final int FUNCTION_NAME_ID = 2;
        public static final int MAPPING_ID = 3;
        public static final int REL_PC = 4;
    }

    public static final class Callstack {
        public static final int IID = 1;
        /** From the outermost frame to the innermost. */
        public static final int FRAME_IDS = 2;
    }

    public static final class InternedData {
        public static final int EVENT_CATEGORIES = 1;
        public static final int EVENT_NAMES = 2;
        public static final int DEBUG_ANNOTATION_NAMES = 3;
        public static final int FUNCTION_NAMES = 5;
        public static final int FRAMES = 6;
        public static final int CALLSTACKS = 7;
        public static final int MAPPING_PATHS = 17;
        public static final int MAPPINGS = 19;
        public static final int KERNEL_SYMBOLS = 26;
        public static final int DEBUG_ANNOTATION_STRING_VALUES = 29;
    }

    /** InternedString, EventCategory and EventName alike. */
    public static final class InternedString {
        public static final int IID = 1;
        public static final int STR = 2;
    }
}
