package dev.unjank.trace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GroupedRowsTest {
    /** Rows of many groups, added in any order, are read group by group, in the order in which they were added. */
    @Test
    void rowsOfAGroupComeTogether() {
        for (int widthBits : new int[] {0, 1, 2}) {
            try (BlockPool pool = new BlockPool()) {
                check(new GroupedRows(pool, widthBits), 1 << widthBits, new Random(widthBits));
            }
        }
    }

    private static void check(GroupedRows store, int width, Random random) {
        int groups = 300;
        List<List<Integer>> model = new ArrayList<>();
        for (int group = 0; group < groups; group++) {
            model.add(new ArrayList<>());
        }
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < 60_000; i++) {
            // A few groups have most rows, some have none.
            int group = (int) Math.min(groups - 5, Math.abs(random.nextGaussian()) * 40) / 2 * 2;
            int place = store.add(group);
            long value = i * 10L;
            switch (width) {
                case 2 -> store.set(place, value, value + 1);
                case 4 -> store.set(place, value, value + 1, value + 2, value + 3);
                default -> store.set(place, 0, value);
            }
            assertThat(store.last(group)).isEqualTo(place);
            model.get(group).add(i);
            places.add(place);
        }
        int[] firsts = store.settle(groups);
        long[] read = store.arrayForRun();
        for (int group = 0; group < groups; group++) {
            List<Integer> rows = new ArrayList<>();
            int row = firsts[group];
            for (int run = store.firstRun(group); run != GroupedRows.NONE; run = store.nextRun(run)) {
                assertThat(store.read(run, group, read)).isEqualTo(store.end(run, group) - store.start(run));
                for (int place = store.start(run); place < store.end(run, group); place++) {
                    assertThat(store.row(place)).isEqualTo(row++);
                    rows.add((int) (store.get(place, 0) / 10));
                    for (int word = 0; word < width; word++) {
                        assertThat(store.get(place, word)).isEqualTo(rows.getLast() * 10L + word);
                        assertThat(read[(place - store.start(run)) * width + word])
                                .isEqualTo(store.get(place, word));
                    }
                }
                for (int i = 0; i < read.length; i++) {
                    read[i]++;
                }
                store.write(run, group, read);
                for (int place = store.start(run); place < store.end(run, group); place++) {
                    assertThat(store.get(place, width - 1)).isEqualTo(read[(place - store.start(run) + 1) * width - 1]);
                }
            }
            assertThat(row).isEqualTo(firsts[group + 1]);
            assertThat(rows).isEqualTo(model.get(group));
        }
        assertThat(places).doesNotHaveDuplicates();
    }

    @Test
    void aGroupWithoutRowsHasNone() {
        try (BlockPool pool = new BlockPool()) {
            GroupedRows store = new GroupedRows(pool, 1);
            assertThat(store.last(3)).isEqualTo(GroupedRows.NONE);
            assertThat(store.last(100_000)).isEqualTo(GroupedRows.NONE);
            assertThat(store.settle(4)).containsExactly(0, 0, 0, 0, 0);
            assertThat(store.firstRun(3)).isEqualTo(GroupedRows.NONE);
        }
    }
}
