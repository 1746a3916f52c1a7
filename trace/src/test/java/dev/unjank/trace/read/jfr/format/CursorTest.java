package dev.unjank.trace.read.jfr.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unjank.fixture.jfr.JfrValueWriter;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTest {
    private static final long[] EDGES = {
        0,
        1,
        127,
        128,
        16_383,
        16_384,
        1L << 55,
        (1L << 56) - 1,
        1L << 56,
        1L << 62,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        -1,
        -2
    };

    private static Cursor over(JfrValueWriter out, int window) {
        return new Cursor(MemorySegment.ofArray(out.toByteArray()), window);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 23, 64, 4096})
    void numbersAreReadThroughAnyWindow(int window) throws DamagedRecordingException {
        Random random = new Random(window);
        long[] values = new long[2_000];
        JfrValueWriter out = new JfrValueWriter();
        for (int i = 0; i < values.length; i++) {
            values[i] = i < EDGES.length ? EDGES[i] : random.nextLong() >> random.nextInt(64);
            out.number(values[i]);
        }
        Cursor cursor = over(out, window);
        for (long value : values) {
            assertThat(cursor.varint()).isEqualTo(value);
        }
        assertThat(cursor.position()).isEqualTo(out.size());
        assertThatThrownBy(cursor::varint).isInstanceOf(DamagedRecordingException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 23, 64, 4096})
    void skippingNumbersEqualsReadingThem(int window) throws DamagedRecordingException {
        Random random = new Random(window);
        for (int round = 0; round < 200; round++) {
            JfrValueWriter out = new JfrValueWriter();
            int count = random.nextInt(60);
            for (int i = 0; i < count; i++) {
                out.number(random.nextInt(4) == 0 ? EDGES[random.nextInt(EDGES.length)] : random.nextInt(1 << 20));
            }
            int behind = out.size();
            out.raw(new byte[random.nextInt(20)]);
            Cursor cursor = over(out, window);
            cursor.skipVarints(count);
            assertThat(cursor.position()).isEqualTo(behind);
        }
    }

    @Test
    void moreNumbersThanThereAreIsDamage() {
        Cursor cursor = over(new JfrValueWriter().number(1).number(300).number(-1), 64);
        assertThatThrownBy(() -> cursor.skipVarints(4)).isInstanceOf(DamagedRecordingException.class);
    }

    @Test
    void textsComeBackInEveryForm() throws DamagedRecordingException {
        JfrValueWriter out = new JfrValueWriter()
                .nothing()
                .one(Cursor.STRING_EMPTY)
                .text(Cursor.STRING_UTF8, "grün 🙂")
                .text(Cursor.STRING_CHARS, "grün 🙂")
                .text(Cursor.STRING_LATIN1, "grün");
        Cursor reading = over(out, 16);
        assertThat(reading.string(reading.one())).isNull();
        assertThat(reading.string(reading.one())).isEmpty();
        assertThat(reading.string(reading.one())).isEqualTo("grün 🙂");
        assertThat(reading.string(reading.one())).isEqualTo("grün 🙂");
        assertThat(reading.string(reading.one())).isEqualTo("grün");
        Cursor passing = over(out, 16);
        for (int i = 0; i < 5; i++) {
            passing.skipString();
        }
        assertThat(passing.position()).isEqualTo(out.size());
    }

    @Test
    void anImpossibleLengthIsDamage() {
        Cursor text = over(
                new JfrValueWriter().one(Cursor.STRING_UTF8).number(1L << 40).raw(new byte[10]), 64);
        assertThatThrownBy(text::skipString).isInstanceOf(DamagedRecordingException.class);
        Cursor count = over(new JfrValueWriter().number(4).raw(new byte[3]), 64);
        assertThatThrownBy(count::count).isInstanceOf(DamagedRecordingException.class);
        Cursor unknown = over(new JfrValueWriter().one(9), 64);
        assertThatThrownBy(unknown::skipString).isInstanceOf(DamagedRecordingException.class);
    }

    @Test
    void numbersWithFractionsAreBigEndian() throws DamagedRecordingException {
        Cursor cursor = over(new JfrValueWriter().float32(1.5f).bigEndian(Double.doubleToRawLongBits(-0.1), 8), 64);
        assertThat(cursor.float32()).isEqualTo(1.5f);
        assertThat(cursor.float64()).isEqualTo(-0.1);
    }
}
