package dev.unjank.cli.command;

import dev.unjank.record.session.Rotation;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters of times and sizes: {@code 10s}, {@code 1.5m}, {@code 64MB}. */
final class AmountConverters {
    private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?) ?([A-Za-z]*)");

    private static final Map<String, Long> NANOS = Map.of(
            "ms",
            1_000_000L,
            "s",
            1_000_000_000L,
            "m",
            60_000_000_000L,
            "min",
            60_000_000_000L,
            "h",
            3_600_000_000_000L);

    private static final Map<String, Long> BYTES = Map.of(
            "kb", 1_000L, "mb", 1_000_000L, "gb", 1_000_000_000L, "kib", 1L << 10, "mib", 1L << 20, "gib", 1L << 30);

    private AmountConverters() {}

    /** An amount in ns or bytes; null if it has none of these units. */
    private static @Nullable Long parse(String text, Map<String, Long> units) {
        Matcher amount = AMOUNT.matcher(text);
        if (!amount.matches()) {
            return null;
        }
        Long unit = units.get(amount.group(2).toLowerCase(Locale.ROOT));
        if (unit == null) {
            return null;
        }
        BigDecimal value = new BigDecimal(amount.group(1)).multiply(BigDecimal.valueOf(unit));
        return value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0 ? null : value.longValue();
    }

    /** Converter of durations. */
    static final class Time implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            Long nanos = parse(text, NANOS);
            if (nanos == null || nanos == 0) {
                throw new TypeConversionException("must be a time such as 10s, 500ms or 2m");
            }
            return Duration.ofNanos(nanos);
        }
    }

    /** Converter of sampling rates. */
    static final class Rate implements ITypeConverter<Integer> {
        private static final int MOST = 1_000;

        @Override
        public Integer convert(String text) {
            int rate = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
            if (rate < 1 || rate > MOST) {
                throw new TypeConversionException("must be 1 to 1000 samples per second");
            }
            return rate;
        }
    }

    /** Converter of ring sizes: the size or the duration of the part of a recording that is kept. */
    static final class Ring implements ITypeConverter<Rotation> {
        @Override
        public Rotation convert(String text) {
            Long bytes = parse(text, BYTES);
            if (bytes != null) {
                if (bytes < Rotation.LEAST_BYTES) {
                    throw new TypeConversionException("must not be smaller than 1MB");
                }
                return Rotation.ofBytes(bytes);
            }
            Long nanos = parse(text, NANOS);
            if (nanos == null || nanos < 1_000_000_000) {
                throw new TypeConversionException("must be a size such as 64MB, or a time such as 30s");
            }
            return Rotation.ofTime(Duration.ofNanos(nanos));
        }
    }
}
