package dev.unjank.query.parse;

import dev.unjank.query.source.PerfettoSqlException;
import dev.unjank.query.source.SourceText;
import dev.unjank.query.source.Token;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Macro preprocessor: replaces calls {@code name!(arguments)} by their expansion before a statement is parsed. */
public final class MacroExpander {
    private static final int MAX_DEPTH = 40;
    private static final int MAX_TOKENS = 500_000;

    private final Function<Token, Macro> macros;
    private final List<Token> expanded = new ArrayList<>();

    private MacroExpander(Function<Token, Macro> macros) {
        this.macros = macros;
    }

    /** Expands all macro calls of a statement. */
    public static List<Token> expand(List<Token> statement, Function<Token, Macro> macros) {
        if (statement.stream().noneMatch(token -> token.isSymbol("!"))) {
            return statement;
        }
        MacroExpander expander = new MacroExpander(macros);
        expander.expand(statement, 0);
        return expander.expanded;
    }

    private void expand(List<Token> tokens, int depth) {
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            boolean call = Keywords.isName(token)
                    && i + 2 < tokens.size()
                    && tokens.get(i + 1).isSymbol("!")
                    && tokens.get(i + 2).isSymbol("(");
            if (!call) {
                emit(token);
                continue;
            }
            if (depth == MAX_DEPTH) {
                throw PerfettoSqlException.at(token, "macros within macros, more than " + MAX_DEPTH + " levels");
            }
            List<List<Token>> arguments = new ArrayList<>();
            int close = arguments(tokens, i + 2, arguments);
            expand(substituted(token, arguments), depth + 1);
            i = close;
        }
    }

    private void emit(Token token) {
        if (expanded.size() == MAX_TOKENS) {
            throw PerfettoSqlException.at(token, "this statement is too long once its macros are expanded");
        }
        expanded.add(token);
    }

    /** Collects the arguments of a call; returns the index of the closing parenthesis. */
    private static int arguments(List<Token> tokens, int open, List<List<Token>> arguments) {
        int depth = 0;
        List<Token> argument = new ArrayList<>();
        for (int i = open; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.isSymbol("(")) {
                depth++;
                if (depth == 1) {
                    continue;
                }
            } else if (token.isSymbol(")") && --depth == 0) {
                if (!argument.isEmpty() || !arguments.isEmpty()) {
                    arguments.add(argument);
                }
                return i;
            } else if (token.isSymbol(",") && depth == 1) {
                arguments.add(argument);
                argument = new ArrayList<>();
                continue;
            }
            argument.add(token);
        }
        throw PerfettoSqlException.at(tokens.get(open), "expected ) at the end of this macro call");
    }

    private List<Token> substituted(Token call, List<List<Token>> arguments) {
        return switch (macros.apply(call)) {
            case Macro.Written written -> body(call, written, arguments);
            case Macro.BuiltIn builtIn -> {
                String text = builtIn.expand(call, arguments);
                if (text.isEmpty()) {
                    yield List.of();
                }
                List<Token> tokens =
                        Lexer.statements(new SourceText(call.text(), text)).getFirst();
                yield tokens.subList(0, tokens.size() - 1).stream()
                        .map(token -> token.withCallSite(call))
                        .toList();
            }
        };
    }

    private List<Token> body(Token call, Macro.Written macro, List<List<Token>> arguments) {
        if (arguments.size() != macro.parameters().size()) {
            throw PerfettoSqlException.at(
                    call,
                    "wrong number of arguments to " + call.text() + "!: expected "
                            + macro.parameters().size() + ", found " + arguments.size());
        }
        Map<String, List<Token>> values = new HashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            values.put(macro.parameters().get(i), arguments.get(i));
        }
        List<Token> body = new ArrayList<>();
        for (Token token : macro.body()) {
            List<Token> value = token.kind() == Token.Kind.PARAMETER
                    ? values.get(token.text().toLowerCase(Locale.ROOT))
                    : null;
            if (value == null) {
                body.add(token.withCallSite(call));
            } else {
                body.addAll(value);
            }
            if (body.size() > MAX_TOKENS) {
                throw PerfettoSqlException.at(call, "this statement is too long once its macros are expanded");
            }
        }
        return body;
    }
}
