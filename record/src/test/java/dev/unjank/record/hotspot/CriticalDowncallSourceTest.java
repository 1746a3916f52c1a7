package dev.unjank.record.hotspot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.record.linux.Proc;
import dev.unjank.record.session.RecordingFile;
import dev.unjank.record.session.Rotation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A target that blocks reading of its memory when the recording ends. */
class CriticalDowncallSourceTest {
    private static final VmStructs LAYOUT = new VmStructs(
            Map.of(
                    "ThreadsSMRSupport::_java_thread_list", 0x100L,
                    "ThreadsList::_length", 0L,
                    "ThreadsList::_threads", 8L,
                    "JavaThread::_thread_state", 0L,
                    "Thread::_osthread", 8L,
                    "OSThread::_thread_id", 0L,
                    "JavaThread::_stack_base", 16L),
            Map.of());

    @TempDir
    private Path folder;

    private final BlockedMemory memory = new BlockedMemory();
    private final AtomicReference<SleepingJavaThreads.Taker> taker = new AtomicReference<>();
    private final int pid = (int) ProcessHandle.current().pid();

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aBlockedSampleIsGivenUp() throws Exception {
        try (RecordingFile out = RecordingFile.open(folder.resolve("trace"), Rotation.NONE, pid)) {
            out.begin(() -> 0);
            CriticalDowncallSource source = new CriticalDowncallSource(pid);
            source.start(out, receiver -> {
                taker.set(receiver);
                ProcessMemory read = new ProcessMemory(memory);
                return new CriticalDowncallSource.Reader(
                        read,
                        new SleepingJavaThreads(
                                new VmThreadList(LAYOUT, read),
                                null,
                                new Proc(folder),
                                pid,
                                System::nanoTime,
                                receiver));
            });
            source.begin();
            memory.reading.await();
            taker.get().slept(pid, System.nanoTime(), System.nanoTime(), null);
            source.stop();

            assertThatThrownBy(() -> taker.get().slept(pid, System.nanoTime(), System.nanoTime(), null))
                    .as("an event after the end")
                    .isInstanceOf(CancellationException.class);
            assertThat(memory.isOpen()).as("in use").isTrue();
            memory.goOn.countDown();
            memory.closed.await(); // by the thread that the end does not wait for
        }
    }

    /** Memory whose first read waits; later ones fail. */
    private static final class BlockedMemory extends FileChannel {
        private final CountDownLatch reading = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final CountDownLatch closed = new CountDownLatch(1);

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            reading.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            throw new IOException("the process has ended");
        }

        @Override
        protected void implCloseChannel() {
            closed.countDown();
        }

        @Override
        public int read(ByteBuffer into) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long read(ByteBuffer[] into, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer from) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer from, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long write(ByteBuffer[] from, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long position() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileChannel position(long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long size() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileChannel truncate(long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void force(boolean metaData) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel to) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferFrom(ReadableByteChannel from, long position, long count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }
    }
}
