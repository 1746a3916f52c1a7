package dev.unjank.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.Handler;
import dev.unjank.looper.HandlerThread;
import dev.unjank.looper.Looper;
import dev.unjank.looper.TestLooper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The first examples of README.md and docs/guide/channels.md compile and work as described. They use only the public
 * API.
 */
class PagesExampleTest {
    private final List<String> log = new ArrayList<>();

    // ---- README.md

    private static HandlerThread postNowAndLater() {
        HandlerThread ui = new HandlerThread("ui");
        ui.start();
        Handler handler = new Handler(ui.getLooper());
        handler.post(() -> System.out.println("on " + Thread.currentThread().getName()));
        handler.postDelayed(
                () -> {
                    System.out.println("16 ms later");
                    ui.quitSafely(); // ends the loop; messages that are not due are dropped
                },
                16);
        return ui;
    }

    @Test
    void theLoopOfTheReadmeRunsAndEnds() throws Exception {
        postNowAndLater().join();
        String readme = read("README.md");
        assertThat(quoted(readme, "import dev.unjank.looper.Handler;"))
                .isEqualTo(withoutSpace(
                                "import " + Handler.class.getName() + ";import " + HandlerThread.class.getName() + ";")
                        + body("HandlerThread ui = ", "return ui;"));
    }

    // ---- docs/guide/channels.md

    private void watch(Looper looper, Pipe.SourceChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(4_096);
        channel.configureBlocking(false);
        looper.getQueue().addOnChannelEventListener(channel, SelectionKey.OP_READ, (ready, events) -> {
            try {
                buffer.clear();
                if (channel.read(buffer) >= 0) {
                    handle(buffer.flip());
                    return SelectionKey.OP_READ; // what to watch for from now on
                }
                channel.close(); // the peer has closed its side
            } catch (IOException e) {
                lost(channel, e); // the connection is broken, which is no reason to end the loop
            }
            return 0; // removes the listener
        });
    }

    private void handle(ByteBuffer data) {
        log.add(StandardCharsets.UTF_8.decode(data).toString());
    }

    private void lost(Pipe.SourceChannel channel, IOException e) {
        log.add("lost " + channel + ": " + e);
    }

    @Test
    void theListenerReadsUntilTheEndAndClosesTheChannel() throws IOException {
        Pipe pipe = Pipe.open();
        try (TestLooper test = new TestLooper();
                Pipe.SourceChannel source = pipe.source()) {
            watch(test.looper(), source);
            try (Pipe.SinkChannel sink = pipe.sink()) {
                for (String word : List.of("one", "two")) {
                    sink.write(StandardCharsets.UTF_8.encode(word));
                    test.runUntilIdle();
                }
            }
            assertThat(log).containsExactly("one", "two");
            test.runUntilIdle();
            assertThat(source.isOpen()).isFalse();
            assertThat(log).hasSize(2);
        }
        assertThat(quoted(read("docs/guide/channels.md"), "ByteBuffer buffer"))
                .isEqualTo(body("ByteBuffer buffer = ", "private void handle").replaceFirst("}$", ""));
    }

    // ---- the pages and this file

    /** The code of a page that begins with these words. */
    private static String quoted(String page, String begin) {
        int start = page.indexOf(begin);
        assertThat(start).as(begin).isNotNegative();
        return withoutSpace(page.substring(start, page.indexOf("```", start)));
    }

    /** What stands here between these words. */
    private static String body(String begin, String end) throws IOException {
        String source = read("looper/src/test/java/dev/unjank/example/PagesExampleTest.java");
        int start = source.indexOf(begin);
        return withoutSpace(source.substring(start, source.indexOf(end, start)));
    }

    private static String withoutSpace(String code) {
        return code.replaceAll("\\s+", "");
    }

    private static String read(String file) throws IOException {
        return Files.readString(Path.of(System.getProperty("unjank.root")).resolve(file));
    }
}
