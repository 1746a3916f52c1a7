package dev.unjank.cli.command;

import dev.unjank.cli.file.AtomicFile;
import dev.unjank.cli.file.TraceInput;
import dev.unjank.cli.file.TraceInputs;
import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.ProgressLine;
import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.ReportMessages;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.IdleMethods;
import dev.unjank.doctor.model.ReportQueries;
import dev.unjank.doctor.model.Warning;
import dev.unjank.doctor.report.html.HtmlReport;
import dev.unjank.doctor.report.json.JsonReport;
import dev.unjank.doctor.report.text.RootCauseReport;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.query.SqlReportQueries;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.text.EnglishCounts;
import dev.unjank.trace.text.TerminalText;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code unjank doctor}: diagnoses the waits in a trace. */
@Command(
        addMethodSubcommands = false, // avoids a search for annotated methods
        description = {
            "%nReports the root causes of missed frames and slow responses. A wait is a period in which a thread could"
                    + " not go on: a lock, another resource, a binder call, GC, I/O or a sleep in the middle of its"
                    + " work blocked it, or it was runnable but had no CPU, or its message had to wait for earlier"
                    + " messages. SQL and JSON call a wait an incident. A root cause groups waits for one resource at"
                    + " one place in the code. Root causes are ranked by their time in missed frames. If no frame was"
                    + " missed, they are ranked by the blocked time of event and main threads; if these waited little,"
                    + " by that of pool threads. By default, the waits of main and UI threads are listed; for a JVM, the"
                    + " waits of all threads.%n"
        },
        exitCodeList = {
            "0:success (possibly with warnings)",
            "1:internal failure (--debug shows the stack trace)",
            "2:unusable input, wrong usage, or a process or thread that is not in the trace",
            "130:interrupted (Ctrl-C, SIGINT)"
        },
        footer = {
            "",
            "Examples:",
            "  unjank doctor boot.pftrace                      main threads, waits of at least 1 ms",
            "  unjank doctor boot.pftrace --thread all --min-ms 5",
            "  unjank doctor boot.pftrace --process com.android.systemui --thread RenderThread",
            "  unjank doctor app.jfr --thread AWT-EventQueue-0 the UI thread of a desktop program",
            "  unjank doctor boot.pftrace --incidents          every wait",
            "  unjank doctor app.jfr --cause 1 --app com.shop. one root cause in full",
            "  unjank doctor boot.pftrace --html boot.html     a page with timelines",
            "  unjank doctor boot.pftrace --json | jq '.incidents[0].owner'",
            "  unjank doctor device.pftrace app.jfr            two recordings from one machine",
            "  adb exec-out cat /data/misc/perfetto-traces/boot.pftrace | unjank doctor -"
        })
final class DoctorCommand implements Callable<Integer> {

    private static final long MAX_STANDARD_INPUT = 2L << 30;
    private static final int MAX_MILLISECONDS = 1_000_000_000;
    private static final int INCIDENTS_IN_FULL = 5;

    private static final String ALL_PROCESSES = "all";

    private final Terminal terminal;

    @Parameters(
            paramLabel = "TRACE",
            arity = "1..*",
            description =
                    "A Perfetto trace, systrace (text or HTML), atrace output, or Flight Recorder or async-profiler"
                            + " recording (JFR); plain, gzip or zip; - for standard input. Several files from one"
                            + " machine are merged; their clocks are synchronized.")
    private List<Path> traces = List.of();

    @Option(
            names = "--thread",
            paramLabel = "NAME|TID|main|all",
            description = {
                "Only show waits of these threads (default: main, or all for a JVM):",
                "  RenderThread           threads with this name",
                "  com.example.app        main thread of this process",
                "  3384                   thread with this id",
                "  main                   main thread of every process (JVM: the thread named main)",
                "  all                    every thread",
                "Add --process if several processes have such a thread. --thread does not change the report's line"
                        + " on contended locks."
            })
    private @Nullable String thread;

    @Option(
            names = "--process",
            paramLabel = "NAME|PID|all",
            description =
                    "Only show waits, frames and startups of this process (default: the process that unjank record"
                            + " recorded; for other traces all processes).")
    private @Nullable String process;

    @Option(
            names = "--min-ms",
            paramLabel = "X",
            defaultValue = "1",
            converter = Milliseconds.class,
            description = "Only show waits of at least X ms (default: ${DEFAULT-VALUE}).")
    private Duration minDuration = Duration.ofMillis(1);

    @Option(
            names = "--max-handler-ms",
            paramLabel = "X",
            defaultValue = "50",
            converter = Milliseconds.class,
            description = "Report handlers (of a message or an event) that run for more than X ms on an event thread"
                    + " (default: ${DEFAULT-VALUE}).")
    private Duration maxHandler = Duration.ofMillis(50);

    @Option(
            names = "--idle",
            paramLabel = "METHOD",
            description =
                    "Ignore waits of JVM threads in this method or in methods that it calls: they are idle. METHOD is"
                            + " CLASS.METHOD or a prefix of it. May be repeated.")
    private List<String> idleMethods = List.of();

    @Option(
            names = "--busy",
            paramLabel = "METHOD",
            description =
                    "Report waits of JVM threads in this method or in methods that it calls, even if they look idle."
                            + " May be repeated; overrides --idle.")
    private List<String> busyMethods = List.of();

    @Option(names = "--frames", description = "List all missed frames by cause. JSON and HTML always contain them.")
    private boolean frames;

    @Option(
            names = "--incidents",
            description =
                    "List every wait, deadlocks and event threads first, instead of the root causes. JSON and HTML always"
                            + " contain both.")
    private boolean incidents;

    @Option(
            names = "--cause",
            paramLabel = "N",
            converter = CauseNumber.class,
            description = "Only show root cause N, in full with its stacks, as text.")
    private @Nullable Integer cause;

    @Option(
            names = "--app",
            paramLabel = "PREFIX",
            description =
                    "Prefix of the names of the program's classes, to find its code in stacks (default: all classes"
                            + " outside the JDK and common frameworks).")
    private @Nullable String app;

    @Option(names = "--json", description = "Write JSON instead of text. With --html, write both.")
    private boolean json;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Write a self-contained HTML page to FILE instead of text. An existing file is replaced.")
    private @Nullable Path html;

    /** The file's name in queries; null for the name that the user gave. */
    private @Nullable String shownAs;

    DoctorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /**
     * Diagnoses a file for another command.
     *
     * @param name the file's name in queries; null for the name in the arguments
     * @param arguments the arguments as on the command line, with the file
     */
    static void diagnose(Terminal terminal, @Nullable String name, List<String> arguments) throws IOException {
        DoctorCommand doctor =
                CommandLine.populateCommand(new DoctorCommand(terminal), arguments.toArray(String[]::new));
        doctor.shownAs = name;
        int _ = doctor.call();
    }

    @Override
    public Integer call() throws IOException {
        TraceInput.refuseToOverwrite(html, traces);
        refuseCauseWithOtherForms();
        Diagnosis diagnosis;
        try (AtomicFile page = html == null ? null : AtomicFile.at(html)) {
            diagnosis = diagnose(page);
        }
        if (html != null) {
            printPageSummary(diagnosis, html);
        }
        if (json) {
            JsonReport.write(diagnosis, queries(), terminal.out);
        } else if (html == null) {
            print(diagnosis);
        }
        return ExitCode.OK;
    }

    private void refuseCauseWithOtherForms() {
        String other = incidents ? "--incidents" : json ? "--json" : html != null ? "--html" : "";
        if (cause != null && !other.isEmpty()) {
            throw new UserError(
                    "--cause cannot be used with " + other + ", which contains all root causes or incidents");
        }
    }

    private Diagnosis diagnose(@Nullable AtomicFile page) throws IOException {
        String names = traces.stream().map(Path::toString).collect(Collectors.joining(" and "));
        try (TraceInputs inputs = TraceInputs.of(traces, System.in, MAX_STANDARD_INPUT);
                ProgressLine _ = ProgressLine.show(terminal, "reading " + TerminalText.printable(names))) {
            Trace model = inputs.read();
            DoctorOptions options = new DoctorOptions(thread, processIn(model), minDuration)
                    .withMaxHandler(maxHandler)
                    .withIdle(new IdleMethods(idleMethods, busyMethods))
                    .withApp(app);
            Warning mistake = Doctor.explainEmptySelection(model, options);
            if (mistake != null) {
                throw new UserError(ReportMessages.warning(mistake, queries()));
            }
            Diagnosis diagnosis = Doctor.diagnose(model, options);
            if (page != null) {
                page.write(to -> {
                    try (Writer out = new BufferedWriter(new OutputStreamWriter(to, StandardCharsets.UTF_8))) {
                        HtmlReport.write(diagnosis, model, queries(), out);
                    }
                });
            }
            return diagnosis;
        }
    }

    /** The selected process; null for all of them. */
    private @Nullable String processIn(Trace model) {
        if (process != null) {
            return process.equals(ALL_PROCESSES) ? null : process;
        }
        int recorded = Doctor.recordedPid(model);
        return recorded < 0 ? null : Integer.toString(recorded);
    }

    private void printPageSummary(Diagnosis diagnosis, Path file) throws IOException {
        ReportMessages.warnings(diagnosis.warnings())
                .forEach(warning -> terminal.err.println("warning: " + TerminalText.printable(warning)));
        terminal.err.println("Wrote " + TerminalText.printable(file.toString()) + " (" + (Files.size(file) + 999) / 1000
                + " kB, " + EnglishCounts.of(diagnosis.incidents().size(), "incident") + "). Open it in a browser.");
    }

    private void print(Diagnosis diagnosis) {
        ReportMessages.warnings(diagnosis.warnings())
                .forEach(warning -> terminal.err.println("warning: " + TerminalText.printable(warning)));
        terminal.out.print(text(
                diagnosis.withWarnings(List.of()),
                new TextReport.Style(terminal.width(), terminal.colour(), true, INCIDENTS_IN_FULL, frames)));
    }

    private String text(Diagnosis diagnosis, TextReport.Style style) {
        if (incidents) {
            return TextReport.of(diagnosis, style, queries());
        }
        if (cause == null) {
            return RootCauseReport.of(diagnosis, style, queries());
        }
        String text = RootCauseReport.ofCause(diagnosis, cause, style, queries());
        if (text.isEmpty()) {
            throw new UserError("no root cause " + cause + "; without --cause the report lists them");
        }
        return text;
    }

    /** The queries over the same files, with their names quoted for a POSIX shell. */
    private ReportQueries queries() {
        return new SqlReportQueries(Terminal.command() + " query "
                + (shownAs == null
                        ? traces.stream().map(file -> inShell(file.toString())).collect(Collectors.joining(" "))
                        : shownAs));
    }

    /** Quotes a word for a shell. A word with control characters is written as {@code $'...'} with escaped bytes. */
    static String inShell(String word) {
        if (word.matches("[\\w./+:@%,=-]+")) {
            return word;
        } else if (TerminalText.isPrintable(word)) {
            return "'" + word.replace("'", "'\\''") + "'";
        }
        StringBuilder escaped = new StringBuilder("$'");
        for (byte b : word.getBytes(StandardCharsets.UTF_8)) {
            if (b >= ' ' && b != 0x7f && b != '\'' && b != '\\') {
                escaped.append((char) b);
            } else {
                escaped.append('\\')
                        .append(Integer.toOctalString(0x200 | (b & 0xff)).substring(1));
            }
        }
        return escaped.append("'").toString();
    }

    /** Converter of the number of a root cause; the report decides whether there is such a one. */
    static final class CauseNumber implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            if (!value.matches("-?[0-9]{1,9}")) {
                throw new TypeConversionException("must be the number of a root cause");
            }
            return Integer.valueOf(value);
        }
    }

    /** Converter of durations in milliseconds. */
    static final class Milliseconds implements ITypeConverter<Duration> {
        /**
         * A decimal number. {@code Double} alone would also accept hexadecimal numbers, {@code 1d} and {@code NaN}, and
         * {@code BigDecimal} takes milliseconds to load.
         */
        private static final String NUMBER = "[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,9})?";

        @Override
        public Duration convert(String value) {
            if (!value.matches(NUMBER)) {
                throw new TypeConversionException("must be a number of milliseconds");
            }
            double milliseconds = Double.parseDouble(value);
            if (milliseconds < 0) {
                throw new TypeConversionException("must not be negative");
            }
            if (milliseconds > MAX_MILLISECONDS) {
                throw new TypeConversionException("must be at most " + MAX_MILLISECONDS);
            }
            return Duration.ofNanos(Math.round(milliseconds * 1e6));
        }
    }
}
