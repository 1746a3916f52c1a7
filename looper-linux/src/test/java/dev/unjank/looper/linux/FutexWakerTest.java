package dev.unjank.looper.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unjank.looper.spi.Waker;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The waker sleeps on a futex; the kernel's answers. */
class FutexWakerTest {
    /** The system call that a thread of this process is in, with its arguments, or "running". */
    private static String systemCallOf(String threadName) throws IOException {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                try {
                    if (Files.readString(task.resolve("comm")).strip().equals(threadName)) {
                        return Files.readString(task.resolve("syscall")).strip();
                    }
                } catch (IOException e) {
                    // the thread has ended meanwhile; threads of the JVM itself come and go
                }
            }
        }
        return "no such thread";
    }

    private static Thread startSleeper(FutexWaker waker, long nanos) {
        Thread sleeper = new Thread(() -> waker.await(nanos), "futex-sleeper");
        sleeper.start();
        return sleeper;
    }

    private static void untilAsleep(FutexWaker waker) throws IOException {
        assumeTrue(Files.isReadable(Path.of("/proc/self/syscall")), "this kernel does not show where threads are");
        String call = FutexWakerProvider.systemCall("Linux", System.getProperty("os.arch")) + " 0x"
                + Long.toHexString(waker.word.address()) + " 0x80 0x1 ";
        while (!systemCallOf("futex-sleeper").startsWith(call)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void theSleeperIsInTheKernelOnItsWordAndGetsUp() throws Exception {
        FutexWaker waker = new FutexWaker();
        Thread sleeper = startSleeper(waker, Waker.FOREVER);
        untilAsleep(waker);
        assertThat(sleeper.getState()).isEqualTo(Thread.State.RUNNABLE);
        waker.wake();
        sleeper.join();
    }

    /** A waker may be preempted between the bit and the call to the kernel; the next one must do its work. */
    @Test
    void aWakerStoppedBeforeTheCallBlocksNoOther() throws Exception {
        FutexWaker waker = new FutexWaker();
        Thread sleeper = startSleeper(waker, Waker.FOREVER);
        untilAsleep(waker);
        ValueLayout.JAVA_INT.varHandle().getAndBitwiseOr(waker.word, 0L, FutexWaker.WOKEN);
        untilAsleep(waker);
        waker.wake();
        sleeper.join();
    }

    @Test
    void aSpuriousReturnOfTheKernelDoesNotEndTheSleep() throws Exception {
        FutexWaker waker = new FutexWaker();
        Thread sleeper = startSleeper(waker, Waker.FOREVER);
        untilAsleep(waker);
        for (int i = 0; i < 100; i++) {
            PrivateFutex.wake(waker.word);
            untilAsleep(waker);
        }
        waker.wake();
        sleeper.join();
    }

    @Test
    void theWordHasItsCacheLinesForItself() {
        assertThat(new FutexWaker().word.address() % 128).isZero();
    }

    @Test
    void theKernelsAnswers() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment word = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment timespec = arena.allocate(PrivateFutex.TIMESPEC);
            MemorySegment errno = arena.allocate(PrivateFutex.ERRNO);
            assertThat(PrivateFutex.await(word, 1, Waker.FOREVER, timespec, errno))
                    .isEqualTo(PrivateFutex.EAGAIN);
            assertThat(PrivateFutex.await(word, 0, 1, timespec, errno)).isEqualTo(PrivateFutex.ETIMEDOUT);
            assertThatThrownBy(() -> PrivateFutex.await(word, 0, -2_000_000_000L, timespec, errno))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("futex wait: errno 22");
            assertThatThrownBy(() -> PrivateFutex.await(MemorySegment.ofAddress(8), 0, 1, timespec, errno))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("futex wait: errno 14");
            assertThatThrownBy(() -> PrivateFutex.wake(MemorySegment.ofAddress(word.address() + 1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("futex wake: errno 22");
        }
    }
}
