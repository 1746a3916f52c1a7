package dev.unjank.cli;

import dev.unjank.bench.contest.Contest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** A benchmark that is a table of contestants with targets. What its questions are called is the subclass's to say. */
abstract class ContestCommand implements Callable<Integer> {

    /** A target that was met is lost. */
    static final int LOST = 3;

    private final Contest contest;
    private final Terminal terminal;

    @Option(names = "--quick", description = "About five minutes instead of half an hour, with wider intervals.")
    private boolean quick;

    @Option(
            names = "--record",
            description =
                    "Afterwards write the list of targets met into this checkout: of what was measured those whose "
                            + "whole interval is within the limit.")
    private boolean record;

    ContestCommand(Contest contest, Terminal terminal) {
        this.contest = contest;
        this.terminal = terminal;
    }

    /** The questions that were asked for; none for all. */
    abstract List<String> only();

    @Override
    public final Integer call() throws IOException, InterruptedException {
        String root = System.getProperty("unjank.root");
        if (record && root == null) {
            throw new UserError("--record works only with the launcher of a checkout");
        }
        Contest.Result result;
        try {
            List<String> names = only().isEmpty() ? contest.names() : only();
            result = contest.run(quick, names, terminal.out, terminal.err);
        } catch (IOException e) {
            BenchCommand.letAnInterruptedProcessEnd();
            throw e;
        }
        if (record) {
            terminal.err.println("recorded in " + result.record(Path.of(root)));
        }
        return result.lost().isEmpty() ? Unjank.FINE : LOST;
    }

    /** A value of {@code --only}. */
    static String checked(Contest contest, String value) {
        if (!contest.names().contains(value)) {
            throw new TypeConversionException("must be one of " + String.join(", ", contest.names()));
        }
        return value;
    }
}
