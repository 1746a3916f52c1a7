package dev.unjank.cli.command;

import dev.unjank.looper.QueueKind;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Option {@code --queue} of the commands that run message loops. */
public final class QueueOption {
    @Option(
            names = "--queue",
            paramLabel = "KIND",
            defaultValue = "both",
            converter = Converter.class,
            description = "The queue: monitor, lockfree or both (default: ${DEFAULT-VALUE}).")
    private Queues queues = new Queues(List.of());

    /** The queues. A plain list would make picocli accept the option repeatedly. */
    private record Queues(List<QueueKind> kinds) {}

    /** The queues to run. */
    public List<QueueKind> kinds() {
        return queues.kinds;
    }

    private static final class Converter implements ITypeConverter<Queues> {
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
}
