package dev.unjank.query.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers in columns of several types: what the engine prints for a number, and nothing else. */
class DynamicRowsTest {
    private static Object value(String text) throws QueryException {
        try (DynamicRows rows = new DynamicRows(new OneColumn(List.of(text)), List.of(true))) {
            assertThat(rows.next()).isTrue();
            return rows.get(0);
        }
    }

    @Test
    void integers() throws QueryException {
        assertThat(value("0")).isEqualTo(0L);
        assertThat(value("-7")).isEqualTo(-7L);
        assertThat(value("1790000000000000000")).as("ns since 1970").isEqualTo(1_790_000_000_000_000_000L);
        assertThat(value("-9223372036854775808")).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void reals() throws QueryException {
        assertThat(value("1.5")).isEqualTo(1.5);
        assertThat(value("-0.25")).isEqualTo(-0.25);
        assertThat(value("100000.0")).isEqualTo(100_000.0);
        assertThat(value("1.5e+20")).isEqualTo(1.5e20);
        assertThat(value("1e-07")).isEqualTo(1e-7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.10",
                "1.50",
                "007",
                "00.5",
                "+1",
                "-0",
                "1.",
                ".5",
                "1.0e+5",
                "1.2.3",
                "9223372036854775808",
                "0.30000000000000001",
                "NaN",
                "",
                "1 "
            })
    void otherStringsStay(String text) throws QueryException {
        assertThat(value(text)).isEqualTo(text);
    }

    @Test
    void columnsOfOneTypeStay() throws QueryException {
        try (DynamicRows rows = new DynamicRows(new OneColumn(List.of("12")), List.of(false))) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.get(0)).isEqualTo("12");
        }
    }

    private static final class OneColumn implements Rows {
        private final Iterator<String> values;
        private @Nullable String value;

        OneColumn(List<String> values) {
            this.values = new ArrayList<>(values).iterator();
        }

        @Override
        public List<Column> columns() {
            return List.of(new Column("value", Type.TEXT));
        }

        @Override
        public boolean next() {
            value = values.hasNext() ? values.next() : null;
            return value != null;
        }

        @Override
        public @Nullable Object get(int column) {
            return value;
        }

        @Override
        public void close() {}
    }
}
