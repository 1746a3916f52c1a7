package dev.unjank.query.parse;

import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Query;
import dev.unjank.query.tree.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Parser for statements, after macro expansion. */
public final class StatementParser extends QueryParser {
    private static final Set<String> SPAN_JOINS = Set.of("SPAN_JOIN", "SPAN_LEFT_JOIN", "SPAN_OUTER_JOIN");

    private static final Set<String> STATEMENTS =
            Set.of("SELECT", "WITH", "VALUES", "CREATE", "DROP", "INSERT", "INCLUDE", "COPY");

    private StatementParser(TokenStream tokens) {
        super(tokens);
    }

    public static Statement parse(List<Token> tokens) {
        StatementParser parser = new StatementParser(new TokenStream(tokens));
        Statement statement = parser.statement();
        if (!parser.tokens.atEnd()) {
            boolean another = STATEMENTS.contains(parser.tokens.peek().keyword());
            throw parser.tokens.expected(another ? "; before the next statement" : "the end of the statement");
        }
        return statement;
    }

    private Statement statement() {
        Token at = tokens.peek();
        if (startsQuery()) {
            return new Statement.RunQuery(at, query());
        }
        return switch (at.keyword()) {
            case "INCLUDE" -> include();
            case "CREATE" -> create();
            case "DROP" -> drop();
            case "INSERT" -> insert();
            case "COPY" -> copy();
            default -> throw tokens.expected("SELECT, WITH, VALUES, CREATE, DROP, INSERT, INCLUDE or COPY");
        };
    }

    private Statement include() {
        tokens.take();
        tokens.expect("PERFETTO");
        tokens.expect("MODULE");
        Token at = tokens.peek();
        StringBuilder module = new StringBuilder();
        do {
            if (!module.isEmpty()) {
                module.append('.');
            }
            // a keyword may be part of a module name: intervals.intersect
            boolean word = tokens.peek().kind() == Token.Kind.WORD;
            module.append(
                    tokens.acceptSymbol("*") ? "*" : (word ? tokens.take() : tokens.expectName("a module")).text());
        } while (tokens.acceptSymbol("."));
        return new Statement.Include(at, module.toString());
    }

    private Statement create() {
        Token at = tokens.take();
        boolean replace = tokens.accept("OR", "REPLACE");
        if (tokens.accept("PERFETTO")) {
            return createPerfetto(at, replace);
        }
        if (!tokens.accept("TEMP")) {
            tokens.accept("TEMPORARY");
        }
        if (tokens.accept("VIRTUAL")) {
            tokens.expect("TABLE");
            return createVirtualTable(at);
        }
        tokens.accept("UNIQUE");
        return switch (tokens.peek().keyword()) {
            case "TABLE" -> createTable(at, replace);
            case "VIEW" -> createView(at, replace);
            case "INDEX" -> createIndex(at, replace);
            default -> throw tokens.expected("PERFETTO, TABLE, VIEW, INDEX or VIRTUAL TABLE");
        };
    }

    private Statement createPerfetto(Token at, boolean replace) {
        return switch (tokens.peek().keyword()) {
            case "TABLE" -> createTable(at, replace);
            case "VIEW" -> createView(at, replace);
            case "INDEX" -> createIndex(at, replace);
            case "FUNCTION" -> createFunction(at, replace);
            case "MACRO" -> createMacro(at, replace);
            default -> throw tokens.expected("TABLE, VIEW, FUNCTION, MACRO or INDEX");
        };
    }

    private Statement.IfExists ifExists(boolean replace) {
        if (tokens.accept("IF")) {
            tokens.expect("NOT");
            tokens.expect("EXISTS");
            return Statement.IfExists.KEEP;
        }
        return replace ? Statement.IfExists.REPLACE : Statement.IfExists.FAIL;
    }

    private Statement createTable(Token at, boolean replace) {
        tokens.take();
        Statement.IfExists ifExists = ifExists(replace);
        Token name = tokens.expectName("a name for the table");
        TableColumns columns =
                tokens.acceptSymbol("(") ? TableColumns.parse(tokens) : new TableColumns(List.of(), null);
        List<Statement.TypedName> schema = columns.names();
        if (!schema.isEmpty() && tokens.atEnd()) {
            return new Statement.CreateEmptyTable(at, name, ifExists, schema, columns.key());
        }
        tokens.expect("AS");
        return new Statement.CreateTable(at, name, ifExists, schema, query());
    }

    private Statement createView(Token at, boolean replace) {
        tokens.take();
        Statement.IfExists ifExists = ifExists(replace);
        Token name = tokens.expectName("a name for the view");
        List<Statement.TypedName> schema = tokens.acceptSymbol("(") ? typedNames() : List.of();
        tokens.expect("AS");
        return new Statement.CreateView(at, name, ifExists, schema, query());
    }

    /** Parses {@code name TYPE, …)}; a type is optional, and may have an argument in parentheses, which is skipped. */
    private List<Statement.TypedName> typedNames() {
        List<Statement.TypedName> list = new ArrayList<>();
        if (tokens.acceptSymbol(")")) {
            return list;
        }
        do {
            Token name = tokens.expectName("a name");
            Token type = name;
            if (Keywords.isName(tokens.peek())) {
                type = tokens.take();
                if (tokens.peek().isSymbol("(")) {
                    tokens.skipParentheses();
                }
                while (tokens.acceptSymbol(".")) {} // ANY...: any number of arguments
            }
            list.add(new Statement.TypedName(name, type));
        } while (tokens.acceptSymbol(","));
        tokens.expectSymbol(")");
        return list;
    }

    private Statement createFunction(Token at, boolean replace) {
        tokens.take();
        Token name = tokens.expectName("a name for the function");
        tokens.expectSymbol("(");
        List<Statement.TypedName> parameters = typedNames();
        tokens.expect("RETURNS");
        Token type = null;
        List<Statement.TypedName> columns = null;
        if (tokens.accept("TABLE")) {
            tokens.expectSymbol("(");
            columns = typedNames();
        } else {
            type = tokens.expectName("a type or TABLE");
            if (tokens.peek().isSymbol("(")) {
                tokens.skipParentheses();
            }
        }
        if (tokens.accept("DELEGATES")) {
            tokens.expect("TO");
            return new Statement.CreateDelegate(at, name, replace, tokens.expectName("a function"));
        }
        tokens.expect("AS");
        return new Statement.CreateFunction(at, name, replace, parameters, type, columns, query());
    }

    private Statement createMacro(Token at, boolean replace) {
        tokens.take();
        Token name = tokens.expectName("a name for the macro");
        tokens.expectSymbol("(");
        List<Statement.TypedName> parameters = typedNames();
        tokens.expect("RETURNS");
        tokens.expectName("the kind of the macro's result, such as Expr or TableOrSubquery");
        tokens.expect("AS");
        if (tokens.atEnd()) {
            throw tokens.expected("the macro's body");
        }
        return new Statement.CreateMacro(at, name, replace, parameters, List.copyOf(tokens.takeRest()));
    }

    private Statement createIndex(Token at, boolean replace) {
        tokens.take();
        Statement.IfExists ifExists = ifExists(replace);
        Token name = tokens.expectName("a name for the index");
        tokens.expect("ON");
        Token table = tokens.expectName("a table");
        tokens.expectSymbol("(");
        return new Statement.CreateIndex(at, name, ifExists, table, namesToClose("a column"));
    }

    private Statement createVirtualTable(Token at) {
        boolean keep = ifExists(false) == Statement.IfExists.KEEP;
        Token name = tokens.expectName("a name for the table");
        tokens.expect("USING");
        if (!SPAN_JOINS.contains(tokens.peek().keyword())) {
            throw tokens.expected("SPAN_JOIN, SPAN_LEFT_JOIN or SPAN_OUTER_JOIN");
        }
        String kind = tokens.take().keyword();
        tokens.expectSymbol("(");
        Statement.SpanInput left = spanInput();
        tokens.expectSymbol(",");
        Statement.SpanInput right = spanInput();
        tokens.expectSymbol(")");
        return new Statement.CreateSpanJoin(at, name, keep, kind, left, right);
    }

    private Statement.SpanInput spanInput() {
        Token table = tokens.expectName("a table or view");
        Token partition = tokens.accept("PARTITIONED") ? tokens.expectName("a partition column") : null;
        return new Statement.SpanInput(table, partition);
    }

    private Statement drop() {
        Token at = tokens.take();
        boolean perfetto = tokens.accept("PERFETTO");
        Token kind = tokens.peek();
        Set<String> kinds =
                perfetto ? Set.of("TABLE", "VIEW", "FUNCTION", "MACRO", "INDEX") : Set.of("TABLE", "VIEW", "INDEX");
        if (!kinds.contains(kind.keyword())) {
            throw tokens.expected(perfetto ? "TABLE, VIEW, FUNCTION, MACRO or INDEX" : "TABLE, VIEW or INDEX");
        }
        tokens.take();
        boolean ifExists = tokens.accept("IF", "EXISTS");
        Token name = tokens.expectName("the name to drop");
        Token table = kind.isWord("INDEX") && tokens.accept("ON") ? tokens.expectName("a table") : null;
        return new Statement.Drop(at, kind.keyword(), ifExists, name, table);
    }

    private Statement insert() {
        Token at = tokens.take();
        tokens.expect("INTO");
        Token table = tokens.expectName("a table");
        List<Token> columns = tokens.acceptSymbol("(") ? namesToClose("a column") : List.of();
        return new Statement.Insert(at, table, columns, query());
    }

    private Statement copy() {
        Token at = tokens.take();
        tokens.expectSymbol("(");
        Query query = query();
        tokens.expectSymbol(")");
        tokens.expect("TO");
        if (tokens.peek().kind() != Token.Kind.STRING) {
            throw tokens.expected("the name of a file in single quotes");
        }
        return new Statement.Copy(at, query, tokens.take());
    }
}
