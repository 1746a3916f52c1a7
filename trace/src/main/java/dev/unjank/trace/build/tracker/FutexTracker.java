package dev.unjank.trace.build.tracker;

import dev.unjank.trace.collections.IntPairMap;
import dev.unjank.trace.collections.StringPool;
import dev.unjank.trace.model.Args;

/**
 * Turns futex calls into slices named "sys_futex", with the address, the operation and the result if known. The name
 * is Perfetto's. The number of the system call depends on the architecture.
 */
public final class FutexTracker {
    private static final int ARM64 = 98;
    private static final int X86_64 = 202;
    private static final int ARM_OR_X86 = 240;

    /** futex_time64 of 32-bit architectures. */
    private static final int TIME64 = 422;

    private final int number;
    private final ProcessTracker processes;
    private final SliceOperations slices;
    private final ArgCollector args;
    private final int call;
    private final int address;
    private final int operation;
    private final int result;

    /** The threads that are in a call, with value 1. */
    private final IntPairMap inCall = new IntPairMap();

    public FutexTracker(
            String machine, ProcessTracker processes, SliceOperations slices, StringPool strings, ArgCollector args) {
        this.number = switch (machine) {
            case "x86_64" -> X86_64;
            case "i386", "i586", "i686" -> ARM_OR_X86;
            default -> machine.startsWith("armv") ? ARM_OR_X86 : ARM64;
        };
        this.processes = processes;
        this.slices = slices;
        this.args = args;
        call = strings.intern("sys_futex");
        address = strings.intern("uaddr");
        operation = strings.intern("op");
        result = strings.intern("ret");
    }

    /** Whether a system call number is futex on some architecture. */
    public static boolean mayBeFutex(long number) {
        return number == ARM64 || number == X86_64 || number == ARM_OR_X86 || number == TIME64;
    }

    private boolean isFutex(int called) {
        return called == number || called == TIME64;
    }

    public void entered(long ts, int called, int tid, int operationAndFlags, long uaddr) {
        if (!isFutex(called)) {
            return;
        }
        int utid = processes.thread(tid);
        int track = slices.threadTrack(utid);
        if (inCall.get(utid, 0) >= 0) {
            slices.end(ts, track); // its return was lost
        }
        slices.begin(ts, track, call);
        if (uaddr != 0) {
            int row = args.add(address, Args.Type.POINTER, uaddr);
            args.add(operation, Args.Type.INT, operationAndFlags);
            slices.args(track, row, 2);
        }
        inCall.put(utid, 0, 1);
    }

    public void exited(long ts, int called, int tid, long returned) {
        int utid = processes.thread(tid);
        if (!isFutex(called) || inCall.get(utid, 0) < 0) {
            return; // another call, or one that began before the trace
        }
        inCall.put(utid, 0, IntPairMap.NONE);
        int track = slices.threadTrack(utid);
        slices.end(ts, track);
        slices.args(track, args.add(result, Args.Type.INT, returned), 1);
    }
}
