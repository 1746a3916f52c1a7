package dev.unjank.query.module;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.query.QueryTestSession;
import dev.unjank.query.parse.Lexer;
import dev.unjank.query.parse.StatementParser;
import dev.unjank.query.result.QueryException;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.SqlType;
import dev.unjank.query.tree.Statement;
import dev.unjank.scene.LauncherExample;
import dev.unjank.trace.read.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All modules of the standard library run, and the index matches them. */
class StandardLibraryTest {
    private static List<Statement> statements(String module) {
        return Lexer.statements(StandardLibrary.read(module)).stream()
                .map(tokens -> tokens.stream().anyMatch(token -> token.isSymbol("!"))
                                && !tokens.get(2).isWord("MACRO")
                        ? null
                        : StatementParser.parse(tokens))
                .filter(statement -> statement != null)
                .toList();
    }

    private static List<String> defined(String module) {
        List<String> names = new ArrayList<>();
        for (Statement statement : statements(module)) {
            Token name = switch (statement) {
                case Statement.CreateTable table -> table.name();
                case Statement.CreateView view -> view.name();
                case Statement.CreateSpanJoin join -> join.name();
                case Statement.CreateFunction function -> function.name();
                case Statement.CreateMacro macro -> macro.name();
                default -> null;
            };
            if (name != null) {
                names.add(name.text().toLowerCase(Locale.ROOT));
            }
        }
        return names;
    }

    @Test
    void theIndexMatchesTheModules() {
        for (String module : StandardLibrary.names()) {
            for (String name : defined(module)) {
                if (!name.startsWith("_")) {
                    assertThat(StandardLibrary.moduleDefining(name)).as(name).isEqualTo(module);
                }
            }
        }
    }

    @Test
    void allModulesRunOnATrace(@TempDir Path folder) throws IOException, QueryException {
        Path file = folder.resolve("launcher.pftrace");
        Files.write(file, LauncherExample.trace());
        try (QueryTestSession session = QueryTestSession.of(TraceReader.read(file))) {
            session.results("INCLUDE PERFETTO MODULE *");
            for (String module : StandardLibrary.names()) {
                for (Statement statement : statements(module)) {
                    String call = switch (statement) {
                        case Statement.CreateTable table -> table.name().text();
                        case Statement.CreateView view -> view.name().text();
                        case Statement.CreateSpanJoin join -> join.name().text();
                        case Statement.CreateFunction function when function.columns() != null -> call(function);
                        default -> null;
                    };
                    if (call != null) {
                        assertThat(session.result("SELECT * FROM " + call))
                                .as(call)
                                .isNotEmpty();
                    } else if (statement instanceof Statement.CreateFunction function) {
                        assertThat(session.result("SELECT " + call(function))).hasSize(2);
                    }
                }
            }
        }
    }

    private static String call(Statement.CreateFunction function) {
        List<String> arguments = function.parameters().stream()
                .map(parameter -> SqlType.ofName(parameter.type().text()).isText() ? "'x'" : "1")
                .toList();
        return function.name().text() + "(" + String.join(", ", arguments) + ")";
    }
}
