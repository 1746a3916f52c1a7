package dev.unjank.trace.build.event;

import dev.unjank.trace.collections.IntPair;

/**
 * The layout of what only a list of processes contains. No analysis needs it; tables of processes do.
 *
 * <pre>
 * PROCESS_DETAILS  header 8 a kernel thread, 9 no kernel thread, 10 its parent has pid 0   32..63 command line
 *                  A pid | 0   B start time
 * </pre>
 */
public final class ProcessDetailsEvent {
    static final int WORDS = 4;
    static final int IDS = EventKind.NAME_IN_HEADER;

    private static final long IS_KERNEL_THREAD = 1L << 8;
    private static final long IS_USER_PROCESS = 1L << 9;
    private static final long IS_CHILD_OF_IDLE = 1L << 10;

    private ProcessDetailsEvent() {}

    public static void add(EventLog log, long ts, ProcessDetails details) {
        long header = EventKind.withName(EventKind.PROCESS_DETAILS, details.commandLine());
        Boolean isKernelThread = details.isKernelThread();
        if (isKernelThread != null) {
            header |= isKernelThread ? IS_KERNEL_THREAD : IS_USER_PROCESS;
        }
        header |= details.isChildOfIdle() ? IS_CHILD_OF_IDLE : 0;
        log.add(header, ts, IntPair.pack(details.pid(), 0), details.startNs());
    }

    public static ProcessDetails details(long[] words, int at) {
        long header = words[at];
        boolean isKernelThread = (header & IS_KERNEL_THREAD) != 0;
        boolean isListed = isKernelThread || (header & IS_USER_PROCESS) != 0;
        return new ProcessDetails(
                IntPair.high(words[at + EventKind.A]),
                EventKind.name(header),
                words[at + EventKind.B],
                isListed ? isKernelThread : null,
                (header & IS_CHILD_OF_IDLE) != 0);
    }
}
