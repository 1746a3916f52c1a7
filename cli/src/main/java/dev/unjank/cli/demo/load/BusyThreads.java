package dev.unjank.cli.demo.load;

import java.util.List;
import java.util.stream.IntStream;

/** Threads that keep CPUs busy until this is closed. */
public final class BusyThreads implements AutoCloseable {

    private final List<BusyThread> all;

    private BusyThreads(List<BusyThread> all) {
        this.all = all;
    }

    public static BusyThreads start(int number) {
        List<BusyThread> all =
                IntStream.range(0, number).mapToObj(BusyThread::new).toList();
        all.forEach(Thread::start);
        return new BusyThreads(all);
    }

    @Override
    public void close() {
        all.forEach(BusyThread::stopSoon);
    }
}
