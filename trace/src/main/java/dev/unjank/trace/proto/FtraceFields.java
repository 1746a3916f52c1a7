package dev.unjank.trace.proto;

/** Field numbers of Perfetto's messages for kernel events; see {@link PacketFields}. */
@SuppressWarnings(
        "doclint:missing") // each constant is its own documentation: the field's name in the published proto file
public final class FtraceFields {
    private FtraceFields() {}

    public static final class FtraceEventBundle {
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
        public static final int UNSPECIFIED = 0;
        public static final int GLOBAL = 2;
        public static final int MONO_RAW = 4;
    }

    /**
     * FtraceEventBundle.CompactSched: columns, all packed but INTERN_TABLE; timestamps are deltas, the first one
     * absolute.
     */
    public static final class CompactSched {
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
        public static final int TIMESTAMP = 1;
        public static final int PID = 2;
        public static final int PRINT = 3;
        public static final int SCHED_SWITCH = 4;
        public static final int COMMON_FLAGS = 5;
        public static final int CPU_FREQUENCY = 11;
        public static final int CPU_FREQUENCY_LIMITS = 12;
        public static final int CPU_IDLE = 13;
        public static final int CLOCK_ENABLE = 14;
        public static final int CLOCK_DISABLE = 15;
        public static final int CLOCK_SET_RATE = 16;
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
        public static final int SCHED_CPU_UTIL_CFS = 421;
        public static final int LWIS_TRACING_MARK_WRITE = 467;
        public static final int SAMSUNG_TRACING_MARK_WRITE = 484;
        public static final int BINDER_RETURN = 486;
    }

    public static final class Print {
        public static final int BUF = 2;
    }

    public static final class SchedSwitch {
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
        public static final int COMM = 1;
        public static final int PID = 2;
        public static final int PRIO = 3;
        public static final int SUCCESS = 4;
        public static final int TARGET_CPU = 5;
    }

    public static final class SchedBlockedReason {
        public static final int PID = 1;
        /** A kernel address, or the iid of an interned kernel symbol where the packet's sequence has one. */
        public static final int CALLER = 2;

        public static final int IO_WAIT = 3;
    }

    public static final class TaskNewtask {
        public static final int PID = 1;
        public static final int COMM = 2;
        public static final int CLONE_FLAGS = 3;
    }

    public static final class TaskRename {
        public static final int PID = 1;
        public static final int OLDCOMM = 2;
        public static final int NEWCOMM = 3;
    }

    public static final class SchedProcessExec {
        public static final int FILENAME = 1;
        public static final int PID = 2;
    }

    public static final class SchedProcessExit {
        public static final int COMM = 1;
        public static final int PID = 2;
        public static final int TGID = 3;
        public static final int PRIO = 4;
    }

    public static final class SchedProcessFree {
        public static final int COMM = 1;
        public static final int PID = 2;
        public static final int PRIO = 3;
    }

    /** {@code SchedPiSetprioFtraceEvent}. */
    public static final class SchedPiSetprio {
        public static final int COMM = 1;
        public static final int NEWPRIO = 2;
        public static final int OLDPRIO = 3;
        public static final int PID = 4;
    }

    /** {@code FtraceStats}. */
    public static final class FtraceStats {
        public static final int PHASE = 1;
        public static final int CPU_STATS = 2;

        public static final int START_OF_TRACE = 1;
        public static final int END_OF_TRACE = 2;
    }

    /** {@code FtraceCpuStats}. */
    public static final class FtraceCpuStats {
        public static final int CPU = 1;
        public static final int ENTRIES = 2;
        public static final int OVERRUN = 3;
        public static final int COMMIT_OVERRUN = 4;
        public static final int DROPPED_EVENTS = 8;
        public static final int READ_EVENTS = 9;
    }

    public static final class CpuFrequency {
        /** In kHz. */
        public static final int STATE = 1;

        public static final int CPU_ID = 2;
    }

    public static final class CpuFrequencyLimits {
        /** In kHz. */
        public static final int MIN_FREQ = 1;
        /** In kHz. */
        public static final int MAX_FREQ = 2;

        public static final int CPU_ID = 3;
    }

    public static final class CpuIdle {
        public static final int STATE = 1;
        public static final int CPU_ID = 2;
    }

    /** ClockEnable, ClockDisable and ClockSetRate alike. */
    public static final class Clock {
        public static final int NAME = 1;
        public static final int STATE = 2;
    }

    public static final class SchedCpuUtilCfs {
        public static final int CAPACITY = 2;
        public static final int CPU = 4;
        public static final int CPU_UTIL = 6;
        public static final int NR_RUNNING = 11;
    }

    public static final class SysEnter {
        public static final int ID = 1;
        public static final int ARGS = 2;
    }

    public static final class SysExit {
        public static final int ID = 1;
        public static final int RET = 2;
    }

    /** DmaFenceInit, DmaFenceEmit and DmaFenceSignaled alike. */
    public static final class DmaFence {
        public static final int CONTEXT = 1;
        public static final int SEQNO = 3;
        public static final int TIMELINE = 4;
    }

    public static final class BinderTransaction {
        public static final int DEBUG_ID = 1;
        public static final int REPLY = 5;
        public static final int FLAGS = 7;
        /** Bit of FLAGS. */
        public static final int ONE_WAY = 1;
    }

    public static final class BinderReturn {
        public static final int CMD = 1;
    }

    /** The kernel's systrace event. */
    public static final class Zero {
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
}
