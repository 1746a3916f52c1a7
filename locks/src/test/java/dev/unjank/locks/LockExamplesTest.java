package dev.unjank.locks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The programs in {@code examples/locks} compile and work; the README's example of the locks compiles. */
class LockExamplesTest {
    private static final Path ROOT = Path.of(System.getProperty("unjank.root"));
    private static final Pattern SHOWN =
            Pattern.compile("```java\n((?:import dev\\.unjank\\.locks\\.[^\n]*\n)+)(.*?)```", Pattern.DOTALL);

    /** The command that follows the compilation with Maven, which a test would not run. */
    private static final Pattern COMMAND =
            Pattern.compile("```sh\n\\./mvnw -q -pl locks -am -DskipTests compile\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path classes;

    private void compile(Path source) {
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-Xlint:all", "-Werror", "-d", classes.toString(), source.toString());
        assertThat(status).as("compiling " + source).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "UiThread, 60 frames; the longest wait",
        "AudioThread, 200 periods",
        "HealthCheck, '20000 requests, 100 entries'"
    })
    void anExampleRuns(String name, String said) throws Exception {
        compile(ROOT.resolve("examples/locks/" + name + ".java"));

        PrintStream out = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
            loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(out);
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8)).contains(said);
    }

    @Test
    void whatTheReadmeShowsCompiles() throws Exception {
        Matcher shown = SHOWN.matcher(Files.readString(ROOT.resolve("README.md")));
        assertThat(shown.find()).isTrue();

        compile(Files.writeString(
                classes.resolve("Shown.java"),
                shown.group(1) + "class Shown { void draw() {} void show() {" + shown.group(2) + "} }"));
    }

    /** The JDK is found although an old Java is first on the PATH. */
    @Test
    void whatTheReadmeRunsWorksWhenPasted() throws Exception {
        Matcher shown = COMMAND.matcher(Files.readString(ROOT.resolve("README.md")));
        assertThat(shown.find()).isTrue();
        for (String tool : new String[] {"java", "javac"}) {
            Path old = Files.writeString(classes.resolve(tool), "#!/bin/sh\necho 'an old Java' >&2\nexit 1\n");
            assertThat(old.toFile().setExecutable(true)).isTrue();
        }
        ProcessBuilder shell = new ProcessBuilder("/bin/sh", "-c", shown.group(1))
                .directory(ROOT.toFile())
                .redirectErrorStream(true);
        shell.environment().remove("JAVA_HOME");
        shell.environment().put("JAVA_25_HOME", System.getProperty("java.home"));
        shell.environment().merge("PATH", classes.toString(), (path, first) -> first + ":" + path);

        Process run = shell.start();
        String out = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(run.waitFor()).as(out).isZero();
        assertThat(out).contains("ReentrantLock  60 frames", "VipLock        60 frames");
    }
}
