package dev.unjank.record.hotspot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.record.linux.Proc;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A virtual machine's memory made by hand: a list of threads, which begin and end while they are looked at. */
class SleepingJavaThreadsTest {
    private static final int PID = 500;
    private static final int IN_JAVA = 8;
    private static final int IN_NATIVE = 4;

    // Where what is in the memory; a thread's fields are all within 0x100 bytes.
    private static final long LIST = 0x100;
    private static final long LIST_OF_NOW = 0x200;
    private static final long THREADS = 0x300;
    private static final long FIRST_THREAD = 0x1000;
    private static final long NOWHERE = 0x7fff_0000L;

    private static final VmStructs LAYOUT = new VmStructs(
            Map.of(
                    "ThreadsSMRSupport::_java_thread_list", LIST,
                    "ThreadsList::_length", 0L,
                    "ThreadsList::_threads", 8L,
                    "JavaThread::_thread_state", 0L,
                    "Thread::_osthread", 8L,
                    "OSThread::_thread_id", 0L,
                    "JavaThread::_stack_base", 16L),
            Map.of());

    @TempDir
    private Path folder;

    private FileChannel memory;
    private SleepingJavaThreads sleepers;
    private final List<String> found = new ArrayList<>();
    private int count;

    /** A clock that advances with each reading. */
    private long now;

    @BeforeEach
    void machine() throws IOException {
        memory = FileChannel.open(
                folder.resolve("memory"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        set(LIST, LIST_OF_NOW);
        set(LIST_OF_NOW + 8, THREADS);
        sleepers = new SleepingJavaThreads(
                new VmThreadList(LAYOUT, new ProcessMemory(memory)),
                null,
                new Proc(folder),
                PID,
                () -> now++,
                (tid, from, to, _) -> found.add(tid + ": " + from + " to " + to));
    }

    @AfterEach
    void close() throws IOException {
        memory.close();
    }

    private void set(long address, long value) throws IOException {
        memory.write(
                ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.nativeOrder())
                        .putLong(value)
                        .flip(),
                address);
    }

    /** One more thread in the list. */
    private long thread(int tid, int state) throws IOException {
        long thread = FIRST_THREAD + 0x100L * count;
        set(thread, state);
        set(thread + 8, thread + 0x40);
        set(thread + 0x40, tid);
        set(thread + 0x80, 0); // its memory goes on
        set(THREADS + (long) count * Long.BYTES, thread);
        set(LIST_OF_NOW, ++count);
        return thread;
    }

    private void inKernel(int tid) throws IOException {
        Path task = Files.createDirectories(folder.resolve(PID + "/task/" + tid));
        Files.writeString(task.resolve("syscall"), "0 0x5 0x7ffd 0x8 0x0 0x0 0x0 0x7ffd1000 0x7f00\n");
        Files.writeString(task.resolve("schedstat"), "1000 2000 3\n");
    }

    private long lookAt(long time) throws IOException {
        now = time;
        return sleepers.sample();
    }

    @Test
    void aThreadThatSleepsInJavaIsReported() throws IOException {
        thread(501, IN_JAVA);
        thread(502, IN_NATIVE);
        thread(503, IN_JAVA); // runs
        inKernel(501);
        inKernel(502);

        lookAt(100);
        lookAt(200);
        sleepers.end();

        assertThat(found).containsExactly("501: 101 to 200");
    }

    @Test
    void aThreadThatEndsAtThatMomentHidesNoOther() throws IOException {
        long ending = thread(501, IN_JAVA);
        thread(502, IN_JAVA);
        inKernel(502);
        lookAt(100);

        set(ending + 8, 0); // the system's thread is gone already
        lookAt(200);
        set(THREADS, NOWHERE); // so is the memory of the machine's
        lookAt(300);
        sleepers.end();

        assertThat(found).containsExactly("502: 101 to 300");
    }

    @Test
    void aListThatIsReplacedAtThatMomentIsOneLookLess() throws IOException {
        thread(501, IN_JAVA);
        inKernel(501);
        lookAt(100);

        set(LIST, NOWHERE);
        assertThatThrownBy(() -> lookAt(200)).isInstanceOf(IOException.class);
        set(LIST, LIST_OF_NOW);
        lookAt(300);
        sleepers.end();

        assertThat(found).containsExactly("501: 101 to 300");
    }

    @Test
    void whatGoesOnIsNotSettled() throws IOException {
        assertThat(lookAt(50)).isEqualTo(50);
        thread(501, IN_JAVA);
        inKernel(501);

        assertThat(lookAt(100)).isEqualTo(100);
        assertThat(lookAt(200)).isEqualTo(101);
    }
}
