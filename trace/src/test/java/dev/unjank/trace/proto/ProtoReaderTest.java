package dev.unjank.trace.proto;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ProtoReaderTest {
    private final ProtoReader reader = new ProtoReader();

    @Property
    void readsTheWritersOutput(@ForAll @IntRange(min = 1, max = 1 << 28) int field, @ForAll long number) {
        ProtoWriter writer = new ProtoWriter();
        writer.varint(field, number);
        writer.fixed64(field, number);
        writer.fixed32(field, (int) number);
        writer.string(field, Long.toString(number));
        byte[] bytes = writer.toByteArray();

        reader.reset(bytes, 0, bytes.length);
        assertThat(reader.next()).isTrue();
        assertThat(reader.field()).isEqualTo(field);
        assertThat(reader.type()).isEqualTo(ProtoReader.VARINT);
        assertThat(reader.value()).isEqualTo(number);
        assertThat(reader.intValue()).isEqualTo((int) number);
        assertThat(reader.boolValue()).isEqualTo(number != 0);
        assertThat(reader.next()).isTrue();
        assertThat(reader.type()).isEqualTo(ProtoReader.FIXED64);
        assertThat(reader.value()).isEqualTo(number);
        assertThat(reader.next()).isTrue();
        assertThat(reader.type()).isEqualTo(ProtoReader.FIXED32);
        assertThat((int) reader.value()).isEqualTo((int) number);
        assertThat(reader.next()).isTrue();
        assertThat(reader.isBytes()).isTrue();
        assertThat(new String(reader.bytes(), reader.from(), reader.length(), StandardCharsets.UTF_8))
                .isEqualTo(Long.toString(number));
        assertThat(reader.next()).isFalse();
        assertThat(reader.isDamaged()).isFalse();
    }

    @Property
    void neverLeavesItsMessageNorThrows(@ForAll @Size(max = 64) byte[] bytes, @ForAll @IntRange(max = 8) int margin) {
        int from = Math.min(margin, bytes.length);
        int to = Math.max(from, bytes.length - margin);
        reader.reset(bytes, from, to);
        int fields = 0;
        while (reader.next()) {
            assertThat(reader.from()).isBetween(from, to);
            assertThat(reader.to()).isBetween(reader.from(), to);
            assertThat(reader.field()).isPositive();
            fields++;
        }
        assertThat(fields).isLessThanOrEqualTo(to - from);
        assertThat(reader.next()).isFalse();
    }

    @Test
    void aLengthBeyondTheMessageIsDamage() {
        ProtoWriter writer = new ProtoWriter();
        writer.varint(1, 5);
        byte[] bytes = concat(writer.toByteArray(), (byte) 0x12, (byte) 0x05, (byte) 'a');
        reader.reset(bytes, 0, bytes.length);
        assertThat(reader.next()).isTrue();
        assertThat(reader.next()).isFalse();
        assertThat(reader.isDamaged()).isTrue();
    }

    @Test
    void aLengthOfTwoToTheSixtyIsDamage() {
        byte[] bytes = concat(
                new byte[] {0x12},
                (byte) 0x80,
                (byte) 0x80,
                (byte) 0x80,
                (byte) 0x80,
                (byte) 0x80,
                (byte) 0x80,
                (byte) 0x80,
                (byte) 0x80,
                (byte) 0x10);
        reader.reset(bytes, 0, bytes.length);
        assertThat(reader.next()).isFalse();
        assertThat(reader.isDamaged()).isTrue();
    }

    @Test
    void groupsAndFieldZeroAreDamage() {
        for (byte tag : new byte[] {0x0b, 0x0c, 0x0e, 0x0f, 0x00, 0x02}) {
            reader.reset(new byte[] {tag, 0}, 0, 2);
            assertThat(reader.next()).as("tag %d", tag).isFalse();
            assertThat(reader.isDamaged()).isTrue();
        }
    }

    @Test
    void aNumberWhereBytesAreExpectedIsAnEmptyRangeAndViceVersa() {
        ProtoWriter writer = new ProtoWriter();
        writer.varint(1, 77);
        writer.string(2, "text");
        byte[] bytes = writer.toByteArray();
        reader.reset(bytes, 0, bytes.length);
        assertThat(reader.next()).isTrue();
        assertThat(reader.length()).isZero();
        assertThat(reader.next()).isTrue();
        assertThat(reader.value()).isZero();
    }

    @Test
    void aCommonFieldIsSkipped() {
        ProtoWriter writer = new ProtoWriter();
        writer.string(2, "a");
        writer.varint(1, 5);
        writer.string(2, "b".repeat(300));
        writer.string(2, "");
        writer.string(7, "end");
        writer.string(2, "c");
        byte[] bytes = writer.toByteArray();
        reader.reset(bytes, 0, bytes.length);
        assertThat(reader.nextExcept(2)).isTrue();
        assertThat(reader.field()).isEqualTo(1);
        assertThat(reader.nextExcept(2)).isTrue();
        assertThat(reader.field()).isEqualTo(7);
        assertThat(reader.nextExcept(2)).isFalse();
        assertThat(reader.isDamaged()).isFalse();

        reader.reset(bytes, 0, bytes.length - 1);
        while (reader.nextExcept(2)) {
            assertThat(reader.field()).isNotEqualTo(2);
        }
        assertThat(reader.isDamaged()).isTrue();
    }

    @Property
    void packedNumbers(@ForAll @Size(max = 20) List<Long> numbers) {
        ProtoWriter packed = new ProtoWriter();
        for (long number : numbers) {
            packed.rawVarint(number);
        }
        ProtoWriter writer = new ProtoWriter();
        writer.message(3, packed);
        byte[] bytes = writer.toByteArray();
        reader.reset(bytes, 0, bytes.length);
        assertThat(reader.next()).isTrue();

        PackedNumbers column = new PackedNumbers();
        column.read(reader);
        assertThat(rows(column)).isEqualTo(numbers);

        column.clear();
        assertThat(rows(column)).isEmpty();
    }

    @Test
    void aTruncatedPackedNumberIsDropped() {
        byte[] bytes = {0x1a, 4, 5, (byte) 0x80, 0x01, (byte) 0x80};
        reader.reset(bytes, 0, bytes.length);
        assertThat(reader.next()).isTrue();
        PackedNumbers column = new PackedNumbers();
        column.read(reader);
        assertThat(rows(column)).containsExactly(5L, 128L);
    }

    private static List<Long> rows(PackedNumbers column) {
        List<Long> rows = new ArrayList<>();
        for (int row = 0; row < column.size(); row++) {
            rows.add(column.get(row));
        }
        return rows;
    }

    private static byte[] concat(byte[] head, byte... tail) {
        byte[] all = java.util.Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, all, head.length, tail.length);
        return all;
    }
}
