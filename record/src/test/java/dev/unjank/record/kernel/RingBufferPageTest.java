package dev.unjank.record.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RingBufferPageTest {
    private static final int MISSED = 1 << 31;
    private static final int MISSED_STORED = 1 << 30;

    private final MemorySegment memory = Arena.ofAuto().allocate(RingBufferPageBuilder.LAYOUT.pageSize(), Long.BYTES);
    private final RingBufferPage page = new RingBufferPage(RingBufferPageBuilder.LAYOUT, memory);

    private List<String> events(byte[] bytes) throws IOException {
        EventFormat.Field next = EventFormat.parse(EventFormats.SCHED_SWITCH).field("next_pid");
        memory.copyFrom(MemorySegment.ofArray(bytes));
        List<String> events = new ArrayList<>();
        page.begin();
        while (page.next()) {
            events.add(page.time() + " " + page.number(next));
        }
        return events;
    }

    private static byte[] to(int tid) {
        return RingBufferPageBuilder.schedSwitch(1, 120, 1, tid, 100);
    }

    @Test
    void eventsHaveTheirTimes() throws IOException {
        long start = 34_204_365_301_000L;
        byte[] bytes = new RingBufferPageBuilder(start)
                .event(start, to(7))
                .event(start + 5, to(8))
                .discarded(start + 10, 24)
                .event(start + 1_000_000_000, to(9)) // further than 27 bits reach
                .stamp(start + 2_000_000_000)
                .event(start + 2_000_000_003, to(10))
                .build();

        assertThat(events(bytes))
                .containsExactly(
                        start + " 7", start + 5 + " 8", start + 1_000_000_000 + " 9", start + 2_000_000_003 + " 10");
        assertThat(page.isDamaged()).isFalse();
        assertThat(page.hasMissed()).isFalse();
    }

    @Test
    void fieldsAreRead() throws IOException {
        EventFormat format = EventFormat.parse(EventFormats.SCHED_SWITCH);
        memory.copyFrom(MemorySegment.ofArray(new RingBufferPageBuilder(0)
                .event(1, RingBufferPageBuilder.schedSwitch(-5, -1, 0x100, 12, 98))
                .build()));
        page.begin();

        assertThat(page.next()).isTrue();
        assertThat(page.number(format.field("common_type"))).isEqualTo(372);
        assertThat(page.number(format.field("prev_pid"))).isEqualTo(-5);
        assertThat(page.number(format.field("prev_prio"))).isEqualTo(-1);
        assertThat(page.number(format.field("prev_state"))).isEqualTo(0x100);
        assertThat(page.text(format.field("next_comm"), new CommCache())).isEqualTo("thread-12");
        assertThat(page.number(new EventFormat.Field(62, 4, true, false))).isZero(); // beyond the record
    }

    @Test
    void aLongRecordHasItsLengthBeforeIt() throws IOException {
        byte[] bytes = new RingBufferPageBuilder(0)
                .event(1, new byte[500])
                .event(2, to(3))
                .build();

        assertThat(events(bytes)).containsExactly("1 0", "2 3");
    }

    @Test
    void overwrittenEventsAreReported() throws IOException {
        assertThat(events(new RingBufferPageBuilder(0).event(1, to(2)).build(MISSED, 0)))
                .hasSize(1);
        assertThat(page.hasMissed()).isTrue();

        assertThat(events(new RingBufferPageBuilder(0).event(1, to(2)).build(MISSED | MISSED_STORED, 17)))
                .hasSize(1);
        assertThat(page.hasMissed()).isTrue();
    }

    @Test
    void anEmptyPageHasNoEvents() throws IOException {
        assertThat(events(new RingBufferPageBuilder(5).build())).isEmpty();
    }

    @Test
    void noPageIsTooBrokenToBeRead() throws IOException {
        Random random = new Random(42);
        byte[] good = new RingBufferPageBuilder(0)
                .event(1, to(2))
                .event(2, new byte[500])
                .discarded(3, 24)
                .stamp(4)
                .event(1L << 30, to(5))
                .build();
        for (int i = 0; i < 20_000; i++) {
            byte[] broken = good.clone();
            for (int hits = random.nextInt(8); hits >= 0; hits--) {
                broken[random.nextInt(i % 2 == 0 ? 200 : broken.length)] = (byte) random.nextInt();
            }
            assertThat(events(broken).size()).isLessThanOrEqualTo(RingBufferPageBuilder.LAYOUT.pageSize() / 4);
        }
    }
}
