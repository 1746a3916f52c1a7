package dev.unjank.bench.queue;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Each benchmark comes to its end with each peer that it names; JMH is not needed for that. */
@Timeout(60)
class BenchmarksTest {

    @ParameterizedTest
    @EnumSource
    void postToRun(Peer peer) throws Exception {
        PostToRun benchmark = new PostToRun();
        benchmark.peer = peer;
        benchmark.producers = 4;
        benchmark.open();
        benchmark.postToRun();
        benchmark.close();
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"JCTOOLS", "AGRONA"})
    void insertAmongPending(Peer peer) throws Exception {
        InsertAmongPending benchmark = new InsertAmongPending();
        benchmark.peer = peer;
        benchmark.pending = 1_000;
        benchmark.fill();
        benchmark.insert();
        benchmark.close();
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"JCTOOLS", "AGRONA", "FORK_JOIN"})
    void drainDueTimers(Peer peer) throws Exception {
        DrainDueTimers benchmark = new DrainDueTimers();
        benchmark.peer = peer;
        benchmark.setTimers();
        benchmark.drain();
        benchmark.close();
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"JCTOOLS", "AGRONA"})
    void postAndCancel(Peer peer) throws Exception {
        PostAndCancel benchmark = new PostAndCancel();
        benchmark.peer = peer;
        benchmark.staying = 10;
        benchmark.open();
        benchmark.postAndCancel();
        benchmark.close();
    }
}
