package dev.unjank.cli;

import dev.unjank.bench.queue.QueueBenchmarks;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** {@code unjank bench queue}: the queue against its peers, with a target for each thing measured. */
@Command(
        name = "queue",
        header = "Measure the message queue against its peers.",
        description = {
            "%nPrints a table for each thing measured: what this project's lock-free queue takes, what its peers take, what "
                    + "is asked of it, and whether that is met. Each peer runs in a Java VM of its own, and they take "
                    + "turns, so that the ups and downs of a shared machine hit all alike. Close other programs first "
                    + "all the same.%n",
            "A ratio is the median of many rounds; in brackets is the interval that holds the true one with 90 %% "
                    + "probability. A target counts as lost only if it is on this project's list of targets met, and two "
                    + "measurements in a row, with fresh Java VMs, miss it by more than that interval.%n",
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:measured; no target that was met is lost",
            "1:the program failed (--debug shows where)",
            "2:a mistake on the command line",
            "3:a target that was met is lost"
        },
        footer = {
            "",
            "Examples:",
            "  unjank bench queue --quick",
            "  unjank bench queue --only post-to-run --only cancel",
            "  unjank bench queue > queue.txt",
            "  unjank bench queue --record         after a change for the better, on a quiet machine"
        })
final class BenchQueueCommand extends ContestCommand {

    @Option(
            names = "--only",
            paramLabel = "NAME",
            completionCandidates = Names.class,
            converter = Name.class,
            description = "Measure this alone; may be repeated. One of: ${COMPLETION-CANDIDATES}.")
    private List<String> only = List.of();

    BenchQueueCommand(Terminal terminal) {
        super(QueueBenchmarks.CONTEST, terminal);
    }

    @Override
    List<String> only() {
        return only;
    }

    private static final class Name implements ITypeConverter<String> {
        @Override
        public String convert(String value) {
            return checked(QueueBenchmarks.CONTEST, value);
        }
    }

    private static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return QueueBenchmarks.CONTEST.names().iterator();
        }
    }
}
