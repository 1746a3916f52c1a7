package dev.unjank.trace.build.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.collections.BlockPool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventMergerTest {
    private final BlockPool pool = new BlockPool();

    @AfterEach
    @AfterProperty
    void free() {
        pool.close();
    }

    @Property
    void allEventsComeOnceInOrderOfTimeAndOfTheirLog(
            @ForAll @Size(max = 5) List<@Size(max = 40) List<@IntRange(max = 30) Integer>> sources) {
        EventLog[] logs = new EventLog[sources.size()];
        int total = 0;
        for (int i = 0; i < logs.length; i++) {
            logs[i] = new EventLog(pool);
            for (int n = 0; n < sources.get(i).size(); n++) {
                // Kinds of different lengths; the number identifies an event.
                if (n % 2 == 0) {
                    logs[i].add(EventKind.BEGIN, sources.get(i).get(n), n);
                } else {
                    logs[i].add(EventKind.COUNTER, sources.get(i).get(n), n, 7);
                }
                total++;
            }
            logs[i] = logs[i].sort();
        }
        EventMerger merge = new EventMerger(logs);
        long last = Long.MIN_VALUE;
        List<List<Long>> seen = new ArrayList<>();
        for (int i = 0; i < logs.length; i++) {
            seen.add(new ArrayList<>());
        }
        int count = 0;
        while (merge.next()) {
            long time = merge.words[merge.at + 1];
            assertThat(time).isGreaterThanOrEqualTo(last);
            last = time;
            seen.get(merge.log).add(merge.words[merge.at + 2]);
            count++;
        }
        assertThat(count).isEqualTo(total);
        for (int i = 0; i < logs.length; i++) {
            List<Integer> times = sources.get(i);
            List<Long> stable = IntStream.range(0, times.size())
                    .boxed()
                    .sorted(Comparator.comparing(times::get))
                    .map(Integer::longValue)
                    .toList();
            assertThat(seen.get(i)).isEqualTo(stable);
        }
    }

    @Test
    void aLogThatHasTheTurnKeepsItAtEqualTimes() {
        EventLog first = new EventLog(pool);
        first.add(EventKind.BEGIN, 20, 1);
        EventLog second = new EventLog(pool);
        second.add(EventKind.BEGIN, 10, 2);
        second.add(EventKind.BEGIN, 20, 3);
        second.add(EventKind.BEGIN, 30, 4);
        assertThat(order(first, second)).containsExactly(2L, 3L, 1L, 4L);
    }

    /** An event without a place in the model still affects the order. */
    @Test
    void unmodeledEventsAffectTheOrder() {
        EventLog first = new EventLog(pool);
        first.add(EventKind.BEGIN, 20, 1);
        EventLog second = new EventLog(pool);
        second.add(EventKind.BEGIN, 10, 2);
        second.add(EventKind.BEGIN, 20, 3);
        EventLog third = new EventLog(pool);
        third.add(EventKind.OTHER, 15);
        assertThat(order(first, second, third)).containsExactly(2L, 1L, 3L);
    }

    @Test
    void aLogDoesNotSwitchBetweenForms() {
        EventLog first = new EventLog(pool);
        first.add(EventKind.COMPACT_SWITCH, 20, 1);
        EventLog second = new EventLog(pool);
        second.add(EventKind.BEGIN, 10, 2);
        second.add(EventKind.COMPACT_SWITCH, 20, 3);
        assertThat(order(first, second)).containsExactly(2L, 1L, 3L);
    }

    @Test
    void largeLogsSpanChunks() {
        EventLog log = new EventLog(pool);
        for (int i = 0; i < 100_000; i++) {
            log.add(EventKind.BEGIN, 100_000 - i, i);
        }
        EventMerger merge = new EventMerger(new EventLog[] {log.sort()});
        long expected = 99_999;
        while (merge.next()) {
            assertThat(merge.words[merge.at + 2]).isEqualTo(expected--);
        }
        assertThat(expected).isEqualTo(-1);
    }

    private static List<Long> order(EventLog... logs) {
        for (int i = 0; i < logs.length; i++) {
            logs[i] = logs[i].sort();
        }
        EventMerger merge = new EventMerger(logs);
        List<Long> order = new ArrayList<>();
        while (merge.next()) {
            if (EventKind.of(merge.words[merge.at]) != EventKind.OTHER) {
                order.add(merge.words[merge.at + 2]);
            }
        }
        return order;
    }
}
