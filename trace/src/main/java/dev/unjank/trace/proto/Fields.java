package dev.unjank.trace.proto;

/**
 * Field numbers of Perfetto's published messages, one nested class per message, each constant named after its field. The
 * authority is {@code protos/perfetto/trace} of <a href="https://github.com/google/perfetto">Perfetto's repository</a>; only
 * fields that this module reads or writes are listed.
 */
@SuppressWarnings(
        "doclint:missing") // each constant is its own documentation: the field's name in the published proto file
public final class Fields {
    private Fields() {}

    public static final class Trace {
        private Trace() {}

        public static final int PACKET = 1;
    }

    public static final class TracePacket {
        private TracePacket() {}

        public static final int FTRACE_EVENTS = 1;
        public static final int PROCESS_TREE = 2;
        public static final int CLOCK_SNAPSHOT = 6;
        public static final int TIMESTAMP = 8;
        public static final int TRUSTED_PACKET_SEQUENCE_ID = 10;
        public static final int TRACK_EVENT = 11;
        public static final int INTERNED_DATA = 12;
        public static final int SEQUENCE_FLAGS = 13;
        public static final int FTRACE_STATS = 34;
        public static final int SYNCHRONIZATION_MARKER = 36;
        public static final int INCREMENTAL_STATE_CLEARED = 41;
        public static final int PREVIOUS_PACKET_DROPPED = 42;
        public static final int SYSTEM_INFO = 45;
        public static final int COMPRESSED_PACKETS = 50;
        public static final int TIMESTAMP_CLOCK_ID = 58;
        public static final int TRACE_PACKET_DEFAULTS = 59;
        public static final int TRACK_DESCRIPTOR = 60;
        public static final int PACKAGES_LIST = 47;
        public static final int PERF_SAMPLE = 66;
        public static final int FRAME_TIMELINE_EVENT = 76;

        /** Bit of SEQUENCE_FLAGS: interned data and defaults of this sequence start afresh with this packet. */
        public static final int SEQ_INCREMENTAL_STATE_CLEARED = 1;
        /** Bit of SEQUENCE_FLAGS: this packet means nothing without the state since the last clearing. */
        public static final int SEQ_NEEDS_INCREMENTAL_STATE = 2;
    }

    public static final class TracePacketDefaults {
        private TracePacketDefaults() {}

        public static final int TRACK_EVENT_DEFAULTS = 11;
        public static final int TIMESTAMP_CLOCK_ID = 58;
    }

    public static final class ClockSnapshot {
        private ClockSnapshot() {}

        public static final int CLOCKS = 1;
        public static final int PRIMARY_TRACE_CLOCK = 2;
    }

    public static final class Clock {
        private Clock() {}

        public static final int CLOCK_ID = 1;
        public static final int TIMESTAMP = 2;
        public static final int IS_INCREMENTAL = 3;
        public static final int UNIT_MULTIPLIER_NS = 4;
    }

    /** Values of BuiltinClock. */
    public static final class BuiltinClock {
        private BuiltinClock() {}

        public static final int REALTIME = 1;
        public static final int REALTIME_COARSE = 2;
        public static final int MONOTONIC = 3;
        public static final int MONOTONIC_COARSE = 4;
        public static final int MONOTONIC_RAW = 5;
        public static final int BOOTTIME = 6;
    }

    public static final class SystemInfo {
        private SystemInfo() {}

        public static final int UTSNAME = 1;
        public static final int ANDROID_BUILD_FINGERPRINT = 2;
        public static final int TRACING_SERVICE_VERSION = 4;
        public static final int ANDROID_SDK_VERSION = 5;
        public static final int NUM_CPUS = 8;
        public static final int ANDROID_SOC_MODEL = 9;
        public static final int ANDROID_DEVICE_MANUFACTURER = 14;
    }

    public static final class Utsname {
        private Utsname() {}

        public static final int SYSNAME = 1;
        public static final int VERSION = 2;
        public static final int RELEASE = 3;
        public static final int MACHINE = 4;
    }

    public static final class ProcessTree {
        private ProcessTree() {}

        public static final int PROCESSES = 1;
        public static final int THREADS = 2;
        public static final int COLLECTION_END_TIMESTAMP = 3;
    }

    /** ProcessTree.Process. */
    public static final class ProcessTreeProcess {
        private ProcessTreeProcess() {}

        public static final int PID = 1;
        public static final int PPID = 2;
        public static final int CMDLINE = 3;
        public static final int UID = 5;
        public static final int PROCESS_START_FROM_BOOT = 7;
        public static final int CMDLINE_IS_COMM = 9;
    }

    /** ProcessTree.Thread. */
    public static final class ProcessTreeThread {
        private ProcessTreeThread() {}

        public static final int TID = 1;
        public static final int NAME = 2;
        public static final int TGID = 3;
    }

    public static final class PackagesList {
        private PackagesList() {}

        public static final int PACKAGES = 1;
    }

    /** PackagesList.PackageInfo. */
    public static final class PackageInfo {
        private PackageInfo() {}

        public static final int NAME = 1;
        public static final int UID = 2;
        public static final int DEBUGGABLE = 3;
        public static final int PROFILEABLE_FROM_SHELL = 4;
        public static final int VERSION_CODE = 5;
    }

    public static final class PerfSample {
        private PerfSample() {}

        public static final int CPU = 1;
        public static final int PID = 2;
        public static final int TID = 3;
        public static final int CALLSTACK_IID = 4;
        public static final int CPU_MODE = 5;
        public static final int TIMEBASE_COUNT = 6;
        public static final int UNWIND_ERROR = 16;
        public static final int KERNEL_RECORDS_LOST = 17;
        public static final int SAMPLE_SKIPPED_REASON = 18;
    }

    public static final class Mapping {
        private Mapping() {}

        public static final int IID = 1;
        public static final int PATH_STRING_IDS = 7;
    }

    public static final class Frame {
        private Frame() {}

        public static final int IID = 1;
        public static final int FUNCTION_NAME_ID = 2;
        public static final int MAPPING_ID = 3;
        public static final int REL_PC = 4;
    }

    public static final class Callstack {
        private Callstack() {}

        public static final int IID = 1;
        /** From the outermost frame to the innermost. */
        public static final int FRAME_IDS = 2;
    }

    public static final class InternedData {
        private InternedData() {}

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
        private InternedString() {}

        public static final int IID = 1;
        public static final int STR = 2;
    }

    public static final class FtraceEventBundle {
        private FtraceEventBundle() {}

        public static final int CPU = 1;
        public static final int EVENT = 2;
        public static final int LOST_EVENTS = 3;
        public static final int COMPACT_SCHED = 4;
        public static final int FTRACE_CLOCK = 5;
        public static final int FTRACE_TIMESTAMP = 6;
        public static final int BOOT_TIMESTAMP = 7;
        public static final int LAST_READ_EVENT_TIMESTAMP = 9;
        public static final int PREVIOUS_BUNDLE_END_TIMESTAMP = 10;
    }

    /** Values of FtraceClock. */
    public static final class FtraceClock {
        private FtraceClock() {}

        public static final int UNSPECIFIED = 0;
        public static final int UNKNOWN = 1;
        public static final int GLOBAL = 2;
        public static final int LOCAL = 3;
        public static final int MONO_RAW = 4;
    }

    /** FtraceEventBundle.CompactSched: columns, all packed but INTERN_TABLE; timestamps are deltas, the first one absolute. */
    public static final class CompactSched {
        private CompactSched() {}

        public static final int SWITCH_TIMESTAMP = 1;
        public static final int SWITCH_PREV_STATE = 2;
        public static final int SWITCH_NEXT_PID = 3;
        public static final int SWITCH_NEXT_PRIO = 4;
        public static final int INTERN_TABLE = 5;
        public static final int SWITCH_NEXT_COMM_INDEX = 6;
        public static final int WAKING_TIMESTAMP = 7;
        public static final int WAKING_PID = 8;
        public static final int WAKING_TARGET_CPU = 9;
        public static final int WAKING_PRIO = 10;
        public static final int WAKING_COMM_INDEX = 11;
        public static final int WAKING_COMMON_FLAGS = 12;
    }

    public static final class FtraceEvent {
        private FtraceEvent() {}

        public static final int TIMESTAMP = 1;
        public static final int PID = 2;
        public static final int PRINT = 3;
        public static final int SCHED_SWITCH = 4;
        public static final int COMMON_FLAGS = 5;
        public static final int SCHED_WAKEUP = 17;
        public static final int SCHED_BLOCKED_REASON = 18;
        public static final int SCHED_WAKING = 20;
        public static final int MM_VMSCAN_DIRECT_RECLAIM_BEGIN = 46;
        public static final int MM_VMSCAN_DIRECT_RECLAIM_END = 47;
        public static final int BINDER_TRANSACTION = 50;
        public static final int BINDER_TRANSACTION_RECEIVED = 51;
        public static final int TRACING_MARK_WRITE = 80;
        public static final int SCHED_WAKEUP_NEW = 114;
        public static final int TASK_NEWTASK = 235;
        public static final int TASK_RENAME = 236;
        public static final int SCHED_PROCESS_EXEC = 237;
        public static final int SCHED_PROCESS_EXIT = 238;
        public static final int SCHED_PROCESS_FORK = 239;
        public static final int SCHED_PROCESS_FREE = 240;
        public static final int SYS_ENTER = 329;
        public static final int SYS_EXIT = 330;
        public static final int ZERO = 331;
        public static final int SDE_TRACING_MARK_WRITE = 333;
        public static final int DPU_TRACING_MARK_WRITE = 348;
        public static final int G2D_TRACING_MARK_WRITE = 349;
        public static final int MALI_TRACING_MARK_WRITE = 350;
        public static final int SCHED_PI_SETPRIO = 353;
        public static final int DMA_FENCE_INIT = 414;
        public static final int DMA_FENCE_EMIT = 415;
        public static final int DMA_FENCE_SIGNALED = 416;
        public static final int DMA_FENCE_WAIT_START = 417;
        public static final int DMA_FENCE_WAIT_END = 418;
        public static final int LWIS_TRACING_MARK_WRITE = 467;
        public static final int SAMSUNG_TRACING_MARK_WRITE = 484;
    }

    public static final class Print {
        private Print() {}

        public static final int IP = 1;
        public static final int BUF = 2;
    }

    public static final class SchedSwitch {
        private SchedSwitch() {}

        public static final int PREV_COMM = 1;
        public static final int PREV_PID = 2;
        public static final int PREV_PRIO = 3;
        public static final int PREV_STATE = 4;
        public static final int NEXT_COMM = 5;
        public static final int NEXT_PID = 6;
        public static final int NEXT_PRIO = 7;
    }

    /** SchedWaking, SchedWakeup and SchedWakeupNew alike. */
    public static final class SchedWaking {
        private SchedWaking() {}

        public static final int COMM = 1;
        public static final int PID = 2;
        public static final int PRIO = 3;
        public static final int SUCCESS = 4;
        public static final int TARGET_CPU = 5;
    }

    public static final class SchedBlockedReason {
        private SchedBlockedReason() {}

        public static final int PID = 1;
        /** A kernel address, or the iid of an interned kernel symbol where the packet's sequence has one. */
        public static final int CALLER = 2;

        public static final int IO_WAIT = 3;
    }

    public static final class TaskNewtask {
        private TaskNewtask() {}

        public static final int PID = 1;
        public static final int COMM = 2;
        public static final int CLONE_FLAGS = 3;
    }

    public static final class TaskRename {
        private TaskRename() {}

        public static final int PID = 1;
        public static final int OLDCOMM = 2;
        public static final int NEWCOMM = 3;
    }

    public static final class SchedProcessExit {
        private SchedProcessExit() {}

        public static final int COMM = 1;
        public static final int PID = 2;
        public static final int TGID = 3;
        public static final int PRIO = 4;
    }

    /** {@code SchedPiSetprioFtraceEvent}. */
    public static final class SchedPiSetprio {
        private SchedPiSetprio() {}

        public static final int COMM = 1;
        public static final int NEWPRIO = 2;
        public static final int OLDPRIO = 3;
        public static final int PID = 4;
    }

    /** {@code FtraceStats}. */
    public static final class FtraceStats {
        private FtraceStats() {}

        public static final int PHASE = 1;
        public static final int CPU_STATS = 2;

        public static final int START_OF_TRACE = 1;
        public static final int END_OF_TRACE = 2;
    }

    /** {@code FtraceCpuStats}. */
    public static final class FtraceCpuStats {
        private FtraceCpuStats() {}

        public static final int CPU = 1;
        public static final int ENTRIES = 2;
        public static final int OVERRUN = 3;
        public static final int COMMIT_OVERRUN = 4;
        public static final int DROPPED_EVENTS = 8;
        public static final int READ_EVENTS = 9;
    }

    public static final class SchedProcessFree {
        private SchedProcessFree() {}

        public static final int COMM = 1;
        public static final int PID = 2;
        public static final int PRIO = 3;
    }

    public static final class SysEnter {
        private SysEnter() {}

        public static final int ID = 1;
        public static final int ARGS = 2;
    }

    public static final class SysExit {
        private SysExit() {}

        public static final int ID = 1;
        public static final int RET = 2;
    }

    /** DmaFenceInit, DmaFenceEmit and DmaFenceSignaled alike. */
    public static final class DmaFence {
        private DmaFence() {}

        public static final int CONTEXT = 1;
        public static final int DRIVER = 2;
        public static final int SEQNO = 3;
        public static final int TIMELINE = 4;
    }

    public static final class BinderTransaction {
        private BinderTransaction() {}

        public static final int DEBUG_ID = 1;
        public static final int REPLY = 5;
        public static final int FLAGS = 7;
        /** Bit of FLAGS. */
        public static final int ONE_WAY = 1;
    }

    /** The kernel's systrace event. */
    public static final class Zero {
        private Zero() {}

        public static final int FLAG = 1;
        public static final int NAME = 2;
        public static final int PID = 3;
        public static final int VALUE = 4;

        /** Bit of FLAG. */
        public static final int BEGIN = 1;
        /** Bit of FLAG. */
        public static final int END = 2;
        /** Bit of FLAG. */
        public static final int COUNTER = 4;
    }

    public static final class TrackDescriptor {
        private TrackDescriptor() {}

        public static final int UUID = 1;
        public static final int NAME = 2;
        public static final int PROCESS = 3;
        public static final int THREAD = 4;
        public static final int PARENT_UUID = 5;
        public static final int COUNTER = 8;
        public static final int STATIC_NAME = 10;
    }

    public static final class CounterDescriptor {
        private CounterDescriptor() {}

        public static final int UNIT = 3;
        public static final int UNIT_MULTIPLIER = 4;
        public static final int IS_INCREMENTAL = 5;
        public static final int UNIT_NAME = 6;

        /** Value of UNIT. */
        public static final int TIME_NS = 1;
        /** Value of UNIT. */
        public static final int COUNT = 2;
        /** Value of UNIT. */
        public static final int SIZE_BYTES = 3;
    }

    public static final class ProcessDescriptor {
        private ProcessDescriptor() {}

        public static final int PID = 1;
        public static final int CMDLINE = 2;
        public static final int PROCESS_NAME = 6;
        public static final int PROCESS_LABELS = 8;

        /** The label of a Java virtual machine: this project's own. */
        public static final String LABEL_JVM = "JVM";
    }

    public static final class ThreadDescriptor {
        private ThreadDescriptor() {}

        public static final int PID = 1;
        public static final int TID = 2;
        public static final int THREAD_NAME = 5;
    }

    public static final class TrackEventDefaults {
        private TrackEventDefaults() {}

        public static final int TRACK_UUID = 11;
        public static final int EXTRA_COUNTER_TRACK_UUIDS = 31;
        public static final int EXTRA_DOUBLE_COUNTER_TRACK_UUIDS = 45;
    }

    public static final class TrackEvent {
        private TrackEvent() {}

        public static final int CATEGORY_IIDS = 3;
        public static final int DEBUG_ANNOTATIONS = 4;
        public static final int LEGACY_EVENT = 6;
        public static final int TYPE = 9;
        public static final int NAME_IID = 10;
        public static final int TRACK_UUID = 11;
        public static final int EXTRA_COUNTER_VALUES = 12;
        public static final int CATEGORIES = 22;
        public static final int NAME = 23;
        public static final int COUNTER_VALUE = 30;
        public static final int EXTRA_COUNTER_TRACK_UUIDS = 31;
        public static final int FLOW_IDS_OLD = 36;
        public static final int TERMINATING_FLOW_IDS_OLD = 42;
        public static final int DOUBLE_COUNTER_VALUE = 44;
        public static final int EXTRA_DOUBLE_COUNTER_TRACK_UUIDS = 45;
        public static final int EXTRA_DOUBLE_COUNTER_VALUES = 46;
        public static final int FLOW_IDS = 47;
        public static final int TERMINATING_FLOW_IDS = 48;
        /** An extension: AndroidMessageQueue. */
        public static final int MESSAGE_QUEUE = 2004;

        /** Value of TYPE. */
        public static final int SLICE_BEGIN = 1;
        /** Value of TYPE. */
        public static final int SLICE_END = 2;
        /** Value of TYPE. */
        public static final int INSTANT = 3;
        /** Value of TYPE. */
        public static final int COUNTER = 4;
    }

    /** TrackEvent.LegacyEvent. */
    public static final class LegacyEvent {
        private LegacyEvent() {}

        public static final int NAME_IID = 1;
        public static final int PHASE = 2;
        public static final int DURATION_US = 3;
        public static final int UNSCOPED_ID = 6;
        public static final int ID_SCOPE = 7;
        public static final int LOCAL_ID = 10;
        public static final int GLOBAL_ID = 11;
    }

    public static final class DebugAnnotation {
        private DebugAnnotation() {}

        public static final int NAME_IID = 1;
        public static final int BOOL_VALUE = 2;
        public static final int UINT_VALUE = 3;
        public static final int INT_VALUE = 4;
        public static final int DOUBLE_VALUE = 5;
        public static final int STRING_VALUE = 6;
        public static final int POINTER_VALUE = 7;
        public static final int NESTED_VALUE = 8;
        public static final int LEGACY_JSON_VALUE = 9;
        public static final int NAME = 10;
        public static final int DICT_ENTRIES = 11;
        public static final int ARRAY_VALUES = 12;
        public static final int STRING_VALUE_IID = 17;

        // Of NestedValue.
        public static final int NESTED_DICT_KEYS = 2;
        public static final int NESTED_DICT_VALUES = 3;
        public static final int NESTED_ARRAY_VALUES = 4;
        public static final int NESTED_INT_VALUE = 5;
        public static final int NESTED_DOUBLE_VALUE = 6;
        public static final int NESTED_BOOL_VALUE = 7;
        public static final int NESTED_STRING_VALUE = 8;
    }

    public static final class AndroidMessageQueue {
        private AndroidMessageQueue() {}

        public static final int SENDING_THREAD_NAME = 1;
        public static final int RECEIVING_THREAD_NAME = 2;
        public static final int MESSAGE_CODE = 3;
        public static final int MESSAGE_DELAY_MS = 4;
    }

    public static final class FrameTimelineEvent {
        private FrameTimelineEvent() {}

        public static final int EXPECTED_DISPLAY_FRAME_START = 1;
        public static final int ACTUAL_DISPLAY_FRAME_START = 2;
        public static final int EXPECTED_SURFACE_FRAME_START = 3;
        public static final int ACTUAL_SURFACE_FRAME_START = 4;
        public static final int FRAME_END = 5;
    }

    /** ExpectedSurfaceFrameStart and ActualSurfaceFrameStart; the expected one ends at LAYER_NAME. */
    public static final class SurfaceFrameStart {
        private SurfaceFrameStart() {}

        public static final int COOKIE = 1;
        public static final int TOKEN = 2;
        public static final int DISPLAY_FRAME_TOKEN = 3;
        public static final int PID = 4;
        public static final int LAYER_NAME = 5;
        public static final int PRESENT_TYPE = 6;
        public static final int ON_TIME_FINISH = 7;
        public static final int GPU_COMPOSITION = 8;
        public static final int JANK_TYPE = 9;
        public static final int PREDICTION_TYPE = 10;
        public static final int IS_BUFFER = 11;
    }

    /** ExpectedDisplayFrameStart and ActualDisplayFrameStart; the expected one ends at PID. */
    public static final class DisplayFrameStart {
        private DisplayFrameStart() {}

        public static final int COOKIE = 1;
        public static final int TOKEN = 2;
        public static final int PID = 3;
        public static final int PRESENT_TYPE = 4;
        public static final int ON_TIME_FINISH = 5;
        public static final int GPU_COMPOSITION = 6;
        public static final int JANK_TYPE = 7;
        public static final int PREDICTION_TYPE = 8;
    }

    public static final class FrameEnd {
        private FrameEnd() {}

        public static final int COOKIE = 1;
    }
}
