package dev.unjank.trace.proto;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Compares the bytes with examples of protobuf's encoding guide, or with bytes encoded by hand. */
class ProtoWriterTest {
    private final ProtoWriter writer = new ProtoWriter(0);

    @Test
    void varintAsInTheEncodingGuide() {
        writer.varint(1, 150);
        assertThat(hex()).isEqualTo("089601");
    }

    @Test
    void stringAsInTheEncodingGuide() {
        writer.string(2, "testing");
        assertThat(hex()).isEqualTo("120774657374696e67");
    }

    @Test
    void nestedMessageAsInTheEncodingGuide() {
        int message = writer.begin(3);
        writer.varint(1, 150);
        writer.end(message);
        assertThat(hex()).isEqualTo("1a03089601");
    }

    @Test
    void packedFieldAsInTheEncodingGuide() {
        int packed = writer.begin(6);
        writer.rawVarint(3);
        writer.rawVarint(270);
        writer.rawVarint(86942);
        writer.end(packed);
        assertThat(hex()).isEqualTo("3206038e029ea705");
    }

    @Test
    void negativeIntegersTakeTenBytes() {
        writer.varint(1, -2);
        assertThat(hex()).isEqualTo("08feffffffffffffffff01");
    }

    @Test
    void fixedFieldsAreLittleEndian() {
        writer.fixed64(1, 0x0102030405060708L);
        writer.fixed32(2, 0x0a0b0c0d);
        assertThat(hex()).isEqualTo("090807060504030201" + "150d0c0b0a");
    }

    @Test
    void fieldNumbersAboveFifteenTakeTwoBytes() {
        writer.bool(16, true);
        writer.bool(2047, false);
        assertThat(hex()).isEqualTo("800101" + "f87f00");
    }

    @Test
    void aLongMessageMovesUpToMakeRoomForItsLength() {
        byte[] content = new byte[20_000];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) i;
        }
        int outer = writer.begin(1);
        int inner = writer.begin(2);
        writer.raw(content, 0, content.length);
        writer.end(inner);
        writer.end(outer);

        byte[] bytes = writer.toByteArray();
        assertThat(HexFormat.of().formatHex(bytes, 0, 8)).isEqualTo("0aa49c01" + "12a09c01");
        assertThat(bytes).hasSize(8 + content.length).endsWith(content);
    }

    @Test
    void contentOfAnotherWriterIsNestedOrAppended() throws IOException {
        ProtoWriter other = new ProtoWriter();
        other.varint(1, 1);
        writer.message(2, other);
        writer.append(other);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        writer.writeTo(stream);
        assertThat(hex()).isEqualTo("12020801" + "0801");
        assertThat(stream.toByteArray()).isEqualTo(writer.toByteArray());

        writer.clear();
        assertThat(writer.size()).isZero();
    }

    @Test
    void varintSizeIsTheSizeWritten() {
        for (int bit = 0; bit < Long.SIZE; bit++) {
            for (long value : new long[] {(1L << bit) - 1, 1L << bit, -1L << bit}) {
                writer.clear();
                writer.rawVarint(value);
                assertThat(ProtoWriter.varintSize(value)).as("%x", value).isEqualTo(writer.size());
            }
        }
    }

    private String hex() {
        return HexFormat.of().formatHex(writer.toByteArray());
    }
}
