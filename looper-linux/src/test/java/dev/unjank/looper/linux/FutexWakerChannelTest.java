package dev.unjank.looper.linux;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.Handler;
import dev.unjank.looper.Looper;
import dev.unjank.looper.LooperOptions;
import dev.unjank.looper.QueueKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Loops that sleep on the futex or on a virtual thread, and in a selector while they watch channels. */
@ParameterizedClass
@EnumSource
class FutexWakerChannelTest {
    @Parameter
    QueueKind kind;

    private final LinkedBlockingQueue<String> log = new LinkedBlockingQueue<>();

    private int read(SelectableChannel channel, int events) {
        try {
            log.add("event " + ((Pipe.SourceChannel) channel).read(ByteBuffer.allocate(1)));
            return events;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Switches between its two places again and again, and is woken in both. */
    private void watchAndPost(ThreadFactory factory) throws Exception {
        Looper looper = Looper.start(factory, LooperOptions.defaults().withQueue(kind));
        Handler handler = new Handler(looper);
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        for (int i = 0; i < 300; i++) {
            handler.post(() -> log.add("asleep plainly"));
            assertThat(log.take()).isEqualTo("asleep plainly");
            looper.getQueue().addOnChannelEventListener(pipe.source(), OP_READ, this::read);
            pipe.sink().write(ByteBuffer.wrap(new byte[] {1}));
            assertThat(log.take()).isEqualTo("event 1");
            handler.post(() -> log.add("asleep in the selector"));
            assertThat(log.take()).isEqualTo("asleep in the selector");
            looper.getQueue().removeOnChannelEventListener(pipe.source());
        }
        looper.quit();
        looper.getThread().join();
        assertThat(pipe.source().isRegistered()).isFalse();
        pipe.source().close();
        pipe.sink().close();
    }

    @Test
    void aLoopOnTheFutexWatchesChannels() throws Exception {
        watchAndPost(Thread.ofPlatform().factory());
    }

    @Test
    void aLoopOnAVirtualThreadWatchesChannels() throws Exception {
        watchAndPost(Thread.ofVirtual().factory());
    }
}
