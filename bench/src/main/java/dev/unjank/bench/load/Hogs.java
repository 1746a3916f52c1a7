package dev.unjank.bench.load;

import java.util.List;
import java.util.stream.IntStream;

/** Threads that keep processors busy until this is closed. */
public final class Hogs implements AutoCloseable {

    private final List<Hog> all;

    private Hogs(List<Hog> all) {
        this.all = all;
    }

    /**
     * Starts some.
     *
     * @param number how many
     * @return those
     */
    public static Hogs start(int number) {
        List<Hog> all = IntStream.range(0, number).mapToObj(Hog::new).toList();
        all.forEach(Thread::start);
        return new Hogs(all);
    }

    @Override
    public void close() {
        all.forEach(Hog::stopSoon);
    }
}
