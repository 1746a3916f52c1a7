package dev.unjank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example program of docs/guide/record.md compiles without warnings. */
class StutteringUiTest {
    @TempDir
    private Path folder;

    @Test
    void itCompiles() throws Exception {
        Path source = Path.of(System.getProperty("unjank.root"), "examples", "StutteringUi.java");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            said,
                            files,
                            null,
                            List.of("-Xlint:all,-restricted,-try", "-Werror", "-d", folder.toString()),
                            null,
                            files.getJavaFileObjects(source))
                    .call();

            assertThat(compiled).as(said.toString()).isTrue();
        }
    }
}
