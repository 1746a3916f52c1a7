package dev.unjank.cli.command;

import dev.unjank.cli.terminal.ExitCode;
import dev.unjank.cli.terminal.UserError;
import dev.unjank.trace.text.TerminalText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Reports failures in one line: wrong usage and unusable input (exit code 2), internal failures (exit code 1). Stack
 * traces are printed only with {@code --debug}.
 */
final class FailureHandler implements CommandLine.IParameterExceptionHandler, CommandLine.IExecutionExceptionHandler {

    /** The message if the command is missing. */
    static final String NO_COMMAND = "missing COMMAND";

    private final BooleanSupplier debug;

    FailureHandler(BooleanSupplier debug) {
        this.debug = debug;
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String mistake = mistake(e);
        command.getErr()
                .println(name + ": " + mistake + (mistake.endsWith("?") ? " see " : "; see ") + name + " --help");
        return ExitCode.UNUSABLE;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
        if (e instanceof UserError || e instanceof IOException) {
            command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + oneLine(e));
            if (debug.getAsBoolean()) {
                printTrace(e, command.getErr());
            }
            return ExitCode.UNUSABLE;
        }
        return internal(e, debug.getAsBoolean(), command.getErr());
    }

    /** Reports an internal failure. */
    static int internal(Throwable t, boolean debug, PrintWriter err) {
        if (t instanceof OutOfMemoryError) {
            err.println("unjank: out of memory; set JAVA_TOOL_OPTIONS=-Xmx… to allow more");
        } else {
            err.println("unjank: internal failure: " + oneLine(t) + (debug ? "" : " (--debug shows the stack trace)"));
        }
        if (debug) {
            printTrace(t, err);
        }
        return ExitCode.INTERNAL;
    }

    /** Sanitizes the trace, since messages may contain file names with control characters. */
    private static void printTrace(Throwable t, PrintWriter err) {
        StringWriter trace = new StringWriter();
        t.printStackTrace(new PrintWriter(trace));
        trace.toString()
                .lines()
                .map(line -> line.startsWith("\t") ? "    " + line.substring(1) : line)
                .map(TerminalText::printable)
                .forEach(err::println);
    }

    private static String mistake(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched);
        }
        if (e instanceof MissingParameterException missing) {
            return missing(missing);
        }
        if (e.getCause() instanceof InvalidPathException name) {
            return noFileName(name);
        }
        String message = String.valueOf(e.getMessage());
        if (message.startsWith("Missing required subcommand")) {
            return NO_COMMAND;
        }
        if (e.getCause() instanceof TypeConversionException wrong && e.getArgSpec() instanceof OptionSpec option) {
            String reason = String.valueOf(wrong.getMessage());
            String but = reason.startsWith("must not ") ? ": '" : ", not '";
            return mainName(option) + " " + reason + but + TerminalText.printable(e.getValue()) + "'";
        }
        return lowerFirst(oneLine(e));
    }

    private static String missing(MissingParameterException e) {
        boolean optionGiven = String.valueOf(e.getMessage()).startsWith("Missing required parameter for option");
        if (optionGiven && e.getMissing().getFirst() instanceof OptionSpec option) {
            return mainName(option) + " needs " + option.paramLabel();
        }
        List<String> unmatched = e.getCommandLine().getUnmatchedArguments();
        if (!unmatched.isEmpty()) { // possibly a mistyped form of the missing one
            UnmatchedArgumentException meant = new UnmatchedArgumentException(e.getCommandLine(), unmatched);
            if (meant.isUnknownOption() || e.getMissing().stream().allMatch(ArgSpec::isPositional)) {
                return unmatched(meant);
            }
        }
        return "missing " + e.getMissing().stream().map(FailureHandler::usage).collect(Collectors.joining(", "));
    }

    private static String usage(ArgSpec spec) {
        return spec instanceof OptionSpec option ? mainName(option) + " " + option.paramLabel() : spec.paramLabel();
    }

    private static String unmatched(UnmatchedArgumentException e) {
        String argument = e.getUnmatched().getFirst();
        boolean commandExpected = !e.getCommandLine().getSubcommands().isEmpty();
        String kind =
                e.isUnknownOption() ? "unknown option" : commandExpected ? "unknown command" : "unexpected argument";
        List<String> suggestions = kind.equals("unexpected argument") ? List.of() : e.getSuggestions();
        String mistake = kind + " '" + TerminalText.printable(argument) + "'";
        if (!suggestions.isEmpty()) {
            return mistake + "; did you mean " + String.join(" or ", suggestions) + "?";
        }
        boolean fileExpected = e.getCommandLine().getCommandSpec().positionalParameters().stream()
                .anyMatch(parameter -> !parameter.paramLabel().endsWith("COMMAND"));
        return e.isUnknownOption() && fileExpected
                ? mistake + " (for a file of that name: ./" + TerminalText.printable(argument) + ")"
                : mistake;
    }

    /** A name that no file can have, or one that the locale's encoding cannot represent. */
    private static String noFileName(InvalidPathException e) {
        String message = "invalid file name '" + TerminalText.printable(e.getInput()) + "'";
        return e.getReason().contains("unmappable")
                ? message + " in this locale; use one with UTF-8, such as LC_ALL=C.UTF-8"
                : message;
    }

    /** The exception's message in one line without control characters. */
    static String oneLine(Throwable t) {
        String message = t.getMessage();
        if (message == null) {
            message = t.toString();
        } else if (t instanceof NoSuchFileException) {
            message += ": no such file or directory";
        } else if (t instanceof AccessDeniedException) {
            message += ": permission denied";
        } else if (!(t instanceof UserError || t instanceof IOException || t instanceof ParameterException)) {
            message = t.toString();
        }
        return TerminalText.printable(message);
    }

    private static String lowerFirst(String s) {
        return s.isEmpty() ? s : s.substring(0, 1).toLowerCase(Locale.ROOT) + s.substring(1);
    }

    /** The last declared name: aliases and short names are declared before it. */
    private static String mainName(OptionSpec option) {
        return option.names()[option.names().length - 1];
    }
}
