package dev.unjank.looper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.looper.fixture.ManualLooper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random operations on a queue and on a model of it: a list with linear search, too simple to be wrong.
 */
@ParameterizedClass
@EnumSource
class QueueModelTest {
    private static final int CODES = 4;
    private static final long[] ODD_TIMES = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -2, -1, 0, 0, 1, Long.MAX_VALUE};

    @Parameter
    QueueKind kind;

    private record Entry(long when, long order, int what, String token, boolean async, int barrier) {
        boolean isBarrier() {
            return barrier != 0;
        }
    }

    private static final class Model {
        final List<Entry> entries = new ArrayList<>();
        private long order;

        void add(long when, int what, String token, boolean async, int barrier) {
            order++;
            entries.add(new Entry(when, when == 0 ? -order : order, what, token, async, barrier));
            entries.sort(Comparator.comparingLong(Entry::when).thenComparingLong(Entry::order));
        }

        Entry next() {
            boolean stalled = false;
            for (Entry e : entries) {
                stalled |= e.isBarrier();
                if (!e.isBarrier() && (e.async || !stalled)) {
                    return e;
                }
            }
            return null;
        }

        /** What poll would take: the code, or -1. */
        int poll(long now) {
            Entry e = next();
            if (e == null || e.when > now) {
                return -1;
            }
            entries.remove(e);
            return e.what;
        }

        boolean has(Predicate<Entry> match) {
            return entries.stream().anyMatch(e -> !e.isBarrier() && match.test(e));
        }

        void remove(Predicate<Entry> match) {
            entries.removeIf(e -> !e.isBarrier() && match.test(e));
        }

        boolean isIdle(long now) {
            return entries.stream().noneMatch(e -> e.when <= now);
        }
    }

    @Test
    void aQueueDoesWhatItsModelDoes() {
        for (long seed = 0; seed < 400; seed++) {
            run(seed);
        }
    }

    private void run(long seed) {
        Random random = new Random(seed);
        ManualLooper hand = new ManualLooper(kind);
        Model model = new Model();
        boolean quit = false;
        for (int step = 0; step < 300; step++) {
            String where = "seed " + seed + ", step " + step;
            int what = random.nextInt(CODES);
            String token = "token " + random.nextInt(CODES); // a new object each time
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3 -> {
                    long when = random.nextInt(8) == 0
                            ? ODD_TIMES[random.nextInt(ODD_TIMES.length)]
                            : hand.now() + random.nextInt(20) - 5;
                    boolean async = random.nextInt(3) == 0;
                    Message m = hand.handler.obtainMessage(what, token);
                    m.setAsynchronous(async);
                    assertThat(hand.handler.sendMessageAtTime(m, when))
                            .as(where)
                            .isEqualTo(!quit);
                    if (!quit) {
                        model.add(when, what, token, async, 0);
                    }
                }
                case 4 -> {
                    int barrier = hand.queue.postSyncBarrier();
                    if (!quit) {
                        model.add(hand.now(), -1, "", false, barrier);
                    }
                }
                case 5 -> {
                    List<Entry> barriers =
                            model.entries.stream().filter(Entry::isBarrier).toList();
                    if (!quit && !barriers.isEmpty()) {
                        Entry any = barriers.get(random.nextInt(barriers.size()));
                        hand.queue.removeSyncBarrier(any.barrier);
                        model.entries.remove(any);
                    }
                }
                case 6 -> {
                    switch (random.nextInt(3)) {
                        case 0 -> {
                            hand.handler.removeMessages(what);
                            model.remove(e -> e.what == what);
                        }
                        case 1 -> {
                            hand.handler.removeEqualMessages(what, token);
                            model.remove(e -> e.what == what && e.token.equals(token));
                        }
                        default -> {
                            hand.handler.removeCallbacksAndEqualMessages(token);
                            model.remove(e -> e.token.equals(token));
                        }
                    }
                }
                case 7 -> {
                    assertThat(hand.handler.hasMessages(what)).as(where).isEqualTo(model.has(e -> e.what == what));
                    assertThat(hand.handler.hasEqualMessages(what, token))
                            .as(where)
                            .isEqualTo(model.has(e -> e.what == what && e.token.equals(token)));
                    assertThat(hand.handler.hasMessages(what, token)).as(where).isFalse();
                }
                case 8 -> {
                    assertThat(hand.queue.isIdle()).as(where).isEqualTo(model.isIdle(hand.now()));
                    Entry next = model.next();
                    assertThat(hand.manager.peekWhen()).as(where).isEqualTo(next == null ? null : next.when);
                }
                case 9 -> hand.clock.advanceMillis(random.nextInt(4));
                case 10 -> {
                    Message m = hand.manager.poll();
                    assertThat(m == null ? -1 : m.what).as(where).isEqualTo(model.poll(hand.now()));
                }
                default -> {
                    if (random.nextInt(60) == 0 && !quit) {
                        quit = true;
                        boolean safely = random.nextBoolean();
                        if (safely) {
                            hand.looper.quitSafely();
                        } else {
                            hand.looper.quit();
                        }
                        long now = hand.now();
                        model.entries.removeIf(e -> !safely || e.when > now);
                    }
                }
            }
            assertThat(hand.queue.snapshot())
                    .as(where)
                    .extracting(Message::getWhen)
                    .containsExactlyElementsOf(
                            model.entries.stream().map(Entry::when).toList());
        }
    }
}
