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
 * How the command fails: the user's mistakes and unusable input in one line that says what to do (exit code 2), failures of the
 * program itself in one line too (exit code 1), with a stack trace only if {@code --debug} asks for it.
 */
final class FailureHandler implements CommandLine.IParameterExceptionHandler, CommandLine.IExecutionExceptionHandler {

    /** Said where a command was to follow. */
    static final String NO_COMMAND = "name a command";

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

    /** Reports a failure that is not the user's. */
    static int internal(Throwable t, boolean debug, PrintWriter err) {
        if (t instanceof OutOfMemoryError) {
            err.println("unjank: out of memory; JAVA_TOOL_OPTIONS=-Xmx… gives more");
        } else {
            err.println("unjank: internal failure: " + oneLine(t) + (debug ? "" : " (--debug shows where)"));
        }
        if (debug) {
            printTrace(t, err);
        }
        return ExitCode.INTERNAL;
    }

    /** A stack trace has the messages of exceptions in it, and those have names of files. */
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
            return option.longestName() + " " + reason + but + TerminalText.printable(e.getValue()) + "'";
        }
        return lowerFirst(oneLine(e));
    }

    private static String missing(MissingParameterException e) {
        boolean optionGiven = String.valueOf(e.getMessage()).startsWith("Missing required parameter for option");
        if (optionGiven && e.getMissing().getFirst() instanceof OptionSpec option) {
            return option.longestName() + " needs " + option.paramLabel();
        }
        List<String> unmatched = e.getCommandLine().getUnmatchedArguments();
        if (!unmatched.isEmpty()) { // what was meant to be the missing one, perhaps
            UnmatchedArgumentException meant = new UnmatchedArgumentException(e.getCommandLine(), unmatched);
            if (meant.isUnknownOption() || e.getMissing().stream().allMatch(ArgSpec::isPositional)) {
                return unmatched(meant);
            }
        }
        return "missing " + e.getMissing().stream().map(FailureHandler::usage).collect(Collectors.joining(", "));
    }

    private static String usage(ArgSpec spec) {
        return spec instanceof OptionSpec option ? option.longestName() + " " + option.paramLabel() : spec.paramLabel();
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
        boolean fileExpected =
                !e.getCommandLine().getCommandSpec().positionalParameters().isEmpty();
        return e.isUnknownOption() && fileExpected
                ? mistake + " (for a file of that name: ./" + TerminalText.printable(argument) + ")"
                : mistake;
    }

    /** Beyond what a file's name may hold at all, the locale says which characters the JVM can hand to the system. */
    private static String noFileName(InvalidPathException e) {
        String said = "no file can be named '" + TerminalText.printable(e.getInput()) + "'";
        return e.getReason().contains("unmappable")
                ? said + " in this locale; choose an installed one for UTF-8, such as LC_ALL=C.UTF-8"
                : said;
    }

    /** What went wrong, in one line without control characters, whatever the exception's message holds. */
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
}
