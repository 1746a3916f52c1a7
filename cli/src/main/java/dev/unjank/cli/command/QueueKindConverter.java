package dev.unjank.cli.command;

import dev.unjank.looper.QueueKind;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converter of option {@code --queue}. */
public final class QueueKindConverter implements ITypeConverter<QueueKindConverter.Queues> {
    /** The queues. A plain list would make picocli accept the option repeatedly. */
    public record Queues(List<QueueKind> kinds) {}

    @Override
    public Queues convert(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "monitor" -> new Queues(List.of(QueueKind.MONITOR));
            case "lockfree" -> new Queues(List.of(QueueKind.LOCK_FREE));
            case "both" -> new Queues(List.of(QueueKind.MONITOR, QueueKind.LOCK_FREE));
            default -> throw new TypeConversionException("must be monitor, lockfree or both");
        };
    }
}
