package dev.unjank.trace.collections;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.model.Strings;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class StringPoolTest {
    @Property
    void equalStringsHaveEqualIds(@ForAll @Size(max = 60) List<String> texts) {
        StringPool pool = new StringPool();
        Map<String, Integer> ids = new HashMap<>();
        for (String text : texts) {
            String known = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
            int id = pool.intern(text);
            assertThat(ids.getOrDefault(known, id)).isEqualTo(id);
            assertThat(id).isLessThanOrEqualTo(ids.size());
            ids.put(known, id);
        }
        Strings strings = new Strings(pool.size(), pool::decode);
        assertThat(strings.size()).isEqualTo(ids.size());
        ids.forEach((text, id) -> {
            assertThat(strings.get(id)).isEqualTo(text);
            assertThat(pool.intern(text)).isEqualTo(id);
        });
        assertThat(strings.getOrNull(-1)).isNull();
    }

    /** Short strings are compared eight bytes at a time if enough bytes surround them. */
    @Property
    void surroundingBytesAndGuessesDoNotMatter(
            @ForAll @Size(min = 1, max = 20) List<@StringLength(max = 20) String> texts, @ForAll byte around) {
        StringPool pool = new StringPool();
        List<Integer> ids = texts.stream().map(pool::intern).toList();
        for (int i = 0; i < texts.size(); i++) {
            byte[] alone = texts.get(i).getBytes(StandardCharsets.UTF_8);
            byte[] amid = new byte[alone.length + 20];
            Arrays.fill(amid, around);
            System.arraycopy(alone, 0, amid, 10, alone.length);
            assertThat(pool.intern(amid, 10, alone.length)).isEqualTo(ids.get(i));
            for (int likely = -1; likely < pool.size(); likely++) {
                assertThat(pool.intern(amid, 10, alone.length, likely)).isEqualTo(ids.get(i));
                assertThat(pool.intern(alone, 0, alone.length, likely)).isEqualTo(ids.get(i));
            }
        }
    }

    @Test
    void manyAndLongTexts() {
        StringPool pool = new StringPool();
        String block = "x".repeat(70_000);
        for (int i = 0; i < 50_000; i++) {
            assertThat(pool.intern("text " + i)).isEqualTo(i);
        }
        assertThat(pool.intern(block)).isEqualTo(50_000);
        assertThat(pool.intern("text 17")).isEqualTo(17);
        assertThat(pool.decode(50_000)).isEqualTo(block);
        assertThat(pool.decode(49_999)).isEqualTo("text 49999");
    }

    @Test
    void addsTheStringsOfAnotherPool() {
        StringPool pool = new StringPool();
        pool.intern("both");
        StringPool other = new StringPool();
        other.intern("only there");
        other.intern("both");
        assertThat(pool.addAll(other)).containsExactly(1, 0);
        assertThat(pool.decode(1)).isEqualTo("only there");
    }

    @Test
    void pairsAreKeptApartAndMayBeTakenOut() {
        IntPairMap map = new IntPairMap();
        for (int i = 0; i < 10_000; i++) {
            map.put(i % 100, i / 100, i);
        }
        for (int i = 0; i < 10_000; i += 2) {
            map.put(i % 100, i / 100, IntPairMap.NONE);
        }
        for (int i = 0; i < 10_000; i++) {
            assertThat(map.get(i % 100, i / 100)).isEqualTo(i % 2 == 0 ? IntPairMap.NONE : i);
        }
        assertThat(map.get(100, 0)).isEqualTo(IntPairMap.NONE);
    }
}
