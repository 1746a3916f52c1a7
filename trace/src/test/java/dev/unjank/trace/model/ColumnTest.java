package dev.unjank.trace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ColumnTest {
    @Test
    void columnsReturnTheirValues() {
        int rows = 5_000;
        LongColumn.Filler longs = new LongColumn.Filler(rows);
        IntColumn.Filler ints = new IntColumn.Filler(rows);
        ShortColumn.Filler shorts = new ShortColumn.Filler(rows);
        for (int row = 0; row < rows; row++) {
            longs.add(row * 1_000_000_007L);
            ints.add(row * -31);
            shorts.add((short) (row * 7));
        }
        LongColumn longColumn = longs.column();
        IntColumn intColumn = ints.column();
        ShortColumn shortColumn = shorts.column();
        for (int row = 0; row < rows; row++) {
            assertThat(longColumn.get(row)).isEqualTo(row * 1_000_000_007L);
            assertThat(intColumn.get(row)).isEqualTo(row * -31);
            assertThat(shortColumn.get(row)).isEqualTo((short) (row * 7));
        }
        assertThat(longColumn.size()).isEqualTo(rows);
        assertThat(longColumn.segment().isNative()).isTrue();
        assertThat(longColumn.segment().byteSize()).isEqualTo(8L * rows);
        assertThat(longColumn.segment().address() % 64).isZero();
        assertThat(longColumn.segment().getAtIndex(ValueLayout.JAVA_LONG, 3)).isEqualTo(3_000_000_021L);
        assertThat(intColumn.segment().byteSize()).isEqualTo(4L * rows);
        assertThat(shortColumn.segment().byteSize()).isEqualTo(2L * rows);
    }

    @Test
    void theyCannotBeChangedFromOutside() {
        LongColumn column = LongColumn.of(new long[] {1, 2});
        assertThatThrownBy(() -> column.segment().set(ValueLayout.JAVA_LONG, 0, 5))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> column.get(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> column.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aFillerWantsAllRows() {
        IntColumn.Filler filler = new IntColumn.Filler(2);
        filler.add(1);
        assertThatThrownBy(filler::column).isInstanceOf(IllegalStateException.class);
        assertThat(new IntColumn.Filler(0).column().size()).isZero();
    }

    @Test
    void theLastValueThatIsNotAboveALimit() {
        LongColumn column = LongColumn.of(LongStream.of(10, 20, 20, 30).toArray());
        assertThat(IntStream.of(9, 10, 15, 20, 29, 30, 99)
                        .map(limit -> column.lastNotAbove(limit, 0, 4))
                        .toArray())
                .containsExactly(-1, 0, 0, 2, 2, 3, 3);
        assertThat(column.lastNotAbove(99, 1, 3)).isEqualTo(2);
        assertThat(column.lastNotAbove(5, 1, 3)).isZero();
    }
}
