package dev.unjank.workbench.bench.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.cli.demo.load.LoadProfile;
import dev.unjank.cli.demo.load.LoopUnderLoad;
import dev.unjank.cli.demo.load.LoopUnderLoadResult;
import dev.unjank.workbench.bench.peer.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class UiUnderLoadTest {

    private static final LoadProfile LIGHT = new LoadProfile(0, 2, 100, 500);

    @ParameterizedTest
    @MethodSource("dev.unjank.workbench.bench.peer.Peer#withTimers")
    void countsTicksAndPosts(Peer peer) throws Exception {
        List<Integer> seconds = new ArrayList<>();

        LoopUnderLoadResult result = new LoopUnderLoad(peer::open, LIGHT, 28).run((second, ticks) -> {
            seconds.add(second);
            return ticks.completed() == 0; // one second is enough unless the machine is too busy
        });
        int last = seconds.getLast();
        assertThat(seconds).isEqualTo(IntStream.rangeClosed(1, last).boxed().toList());
        assertThat(result.ticks().due()).isBetween(60 * last, 28 * 60);
        assertThat(result.ticks().completed()).isBetween(1, result.ticks().due());
        assertThat(result.posts()).isPositive();
        assertThat(result.postMedian()).isPositive().isLessThanOrEqualTo(result.postP999());
    }
}
