package dev.unjank.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unjank.cli.terminal.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is a trace and what is SQL. */
class QueryArgumentsTest {
    @TempDir
    Path folder;

    private String trace;
    private String spaced;

    @BeforeEach
    void makeFiles() throws Exception {
        trace = Files.createFile(folder.resolve("a.pftrace")).toString();
        spaced = Files.createFile(folder.resolve("my trace (2).pftrace")).toString();
    }

    private static QueryArguments of(String... arguments) {
        return QueryArguments.of(List.of(arguments), false);
    }

    private static void refused(String why, boolean onlyTraces, String... arguments) {
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> QueryArguments.of(List.of(arguments), onlyTraces))
                .withMessageContaining(why);
    }

    @Test
    void tracesThenStatements() {
        QueryArguments given = of(trace, spaced, "SELECT 1");

        assertThat(given.traces()).containsExactly(Path.of(trace), Path.of(spaced));
        assertThat(given.sql()).isEqualTo("SELECT 1");
    }

    @Test
    void tracesAlone() {
        assertThat(of(trace).sql()).isNull();
        assertThat(of(trace, spaced).traces()).hasSize(2);
        assertThat(of("-", trace).traces()).containsExactly(Path.of("-"), Path.of(trace));
    }

    @Test
    void statementsWithoutASpace() {
        assertThat(of(trace, "VALUES(1)").sql()).isEqualTo("VALUES(1)");
        assertThat(of(trace, "SELECT*FROM/**/slice;").sql()).isEqualTo("SELECT*FROM/**/slice;");
        assertThat(of(trace, "SELECT\n1").sql()).isEqualTo("SELECT\n1");
    }

    @Test
    void aNameThatIsMisspeltIsATraceThatIsMissing() {
        assertThat(of(trace, "b.pftrac").traces()).containsExactly(Path.of(trace), Path.of("b.pftrac"));
    }

    @Test
    void whatCannotBeMeant() {
        refused("SELECT 1: no such file; the trace must precede the statements", false, "SELECT 1", trace);
        refused("traces must precede the statements", false, trace, "SELECT 1", spaced);
        refused("as one argument", false, trace, "SELECT 1", "SELECT 2");
        refused("not both", true, trace, "SELECT 1");
    }
}
