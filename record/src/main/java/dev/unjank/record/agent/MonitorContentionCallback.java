package dev.unjank.record.agent;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A JVMTI callback in machine code that wakes the agent's thread when a thread blocks on a monitor. It is the only
 * agent code that the program's threads execute; they execute it while they enter a monitor. It is not written in Java
 * because a Java method called there may overflow the stack, and an exception from such a call terminates the JVM. It
 * consists of a few instructions that need no stack:
 *
 * <pre>
 * endbr64
 * mov   rax, word
 * cmp   dword [rax], 0       not armed?
 * jz    end
 * xor   ecx, ecx
 * xchg  [rax], ecx           of many threads at once, one finds it armed
 * test  ecx, ecx
 * jz    end
 * mov   rdi, rax             futex(word, FUTEX_WAKE_PRIVATE, 1)
 * mov   esi, 129
 * mov   edx, 1
 * xor   r10d, r10d
 * mov   eax, 202
 * syscall
 * end: ret
 * </pre>
 *
 * <pre>
 * word     meaning                                 changed by
 * 0        not armed                               a thread that blocks, from 1 (exchange)
 * 1        armed: the next one wakes the agent     the agent's thread
 * </pre>
 *
 * <p>The pages of the instructions and of the word are never unmapped, because a thread may be about to execute the
 * instructions.
 */
@SuppressWarnings("restricted") // checked by hand against mmap(2), mprotect(2) and futex(2)
final class MonitorContentionCallback {
    private static final String BEFORE_WORD = "f30f1efa" + "48b8";
    private static final String BEHIND_WORD = "833800" + "741f" + "31c9" + "8708" + "85c9" + "7417" + "4889c7"
            + "be81000000" + "ba01000000" + "4531d2" + "b8ca000000" + "0f05" + "c3";

    private static final long PAGE = 4096;
    private static final int PROT_READ = 1;
    private static final int PROT_WRITE = 2;
    private static final int PROT_EXEC = 4;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final int FUTEX = 202;
    private static final int FUTEX_WAIT_PRIVATE = 128;
    private static final int ARMED = 1;

    private static final VarHandle WORD = JAVA_INT.varHandle();

    private final MemorySegment code;
    private final MemorySegment word;
    private final MethodHandle futex;
    private final MemorySegment timeout = Arena.ofAuto().allocate(2L * Long.BYTES, Long.BYTES);

    private MonitorContentionCallback(MemorySegment pages, MethodHandle futex) {
        code = pages.asSlice(0, PAGE);
        word = pages.asSlice(PAGE, PAGE);
        this.futex = futex;
    }

    /** Creates an alarm; null on unsupported processors or systems, and if memory cannot be made executable. */
    static @Nullable MonitorContentionCallback create() {
        if (!System.getProperty("os.arch").equals("amd64")
                || !System.getProperty("os.name").equals("Linux")) {
            return null;
        }
        try {
            FunctionDescriptor mapping =
                    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
            long address = (long) function("mmap", mapping)
                    .invokeExact(0L, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
            if (address == -1) {
                return null;
            }
            MemorySegment pages = MemorySegment.ofAddress(address).reinterpret(2 * PAGE);
            byte[] before = HexFormat.of().parseHex(BEFORE_WORD);
            byte[] behind = HexFormat.of().parseHex(BEHIND_WORD);
            MemorySegment.copy(MemorySegment.ofArray(before), 0, pages, 0, before.length);
            pages.set(JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).withByteAlignment(1), before.length, address + PAGE);
            MemorySegment.copy(
                    MemorySegment.ofArray(behind), 0, pages, before.length + (long) Long.BYTES, behind.length);
            int failed = (int) function("mprotect", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT))
                    .invokeExact(address, PAGE, PROT_READ | PROT_EXEC);
            FunctionDescriptor call = FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
            return failed == 0
                    ? new MonitorContentionCallback(pages, function("syscall", call, Linker.Option.firstVariadicArg(1)))
                    : null;
        } catch (Throwable e) {
            throw Jvmti.failed(e);
        }
    }

    private static MethodHandle function(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), descriptor, options);
    }

    /** The callback, which ignores its arguments. */
    MemorySegment code() {
        return code;
    }

    /** Arms the alarm: the next thread that blocks wakes the agent. Called only by the agent's thread. */
    void arm() {
        WORD.setVolatile(word, 0L, ARMED);
    }

    /** Whether no thread has blocked since {@link #arm}. */
    boolean isArmed() {
        return (int) WORD.getVolatile(word, 0L) == ARMED;
    }

    /** Waits for a thread to block, with a timeout; may return spuriously. Called only by the agent's thread. */
    void await(long nanos) {
        timeout.setAtIndex(JAVA_LONG, 0, nanos / 1_000_000_000);
        timeout.setAtIndex(JAVA_LONG, 1, nanos % 1_000_000_000);
        try {
            long ignored = (long)
                    futex.invokeExact((long) FUTEX, word, (long) FUTEX_WAIT_PRIVATE, (long) ARMED, timeout, 0L, 0L);
        } catch (Throwable e) {
            throw Jvmti.failed(e);
        }
    }
}
