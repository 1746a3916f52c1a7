package dev.unjank.cli;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code unjank fleet --master}: Spark's own entrance, in a process of its own with Spark's jars. They are those of {@code SPARK_HOME},
 * or else what the build fetches when they are first needed. This process knows nothing of Spark.
 */
final class SparkProcess {
    private static final String MAIN = "dev.unjank.fleet.spark.SparkFleet";

    /** What Java 25 wants to be told before it lets the engine's native library in, and Spark at its memory. */
    private static final List<String> JVM_OPTIONS =
            List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

    /** The project's own jars that the task needs. */
    private static final List<String> OURS = List.of("fleet-", "query-", "doctor-", "trace-");

    /** Others, which lie among Spark's if it was fetched by the build. */
    private static final List<String> OTHERS = List.of("duckdb_jdbc-", "picocli-");

    private final Path root;
    private final Terminal terminal;

    private SparkProcess(Path root, Terminal terminal) {
        this.root = root;
        this.terminal = terminal;
    }

    /**
     * Runs a fleet.
     *
     * @param master where, as Spark names it
     * @param arguments what {@code SparkFleet} takes
     * @return its exit code
     */
    static int run(String master, List<String> arguments, Terminal terminal) throws IOException {
        return prepared(terminal).run(master, arguments);
    }

    /** Sees to it that Spark is there, so that the first run takes no longer than others. */
    static SparkProcess prepared(Terminal terminal) throws IOException {
        String root = System.getProperty("unjank.root");
        if (root == null || !Files.isExecutable(Path.of(root, "mvnw"))) {
            throw new UserError(
                    "Spark needs a checkout of the project; from elsewhere use spark-submit (docs/fleet.md)");
        }
        SparkProcess spark = new SparkProcess(Path.of(root), terminal);
        spark.build();
        return spark;
    }

    private int run(String master, List<String> arguments) throws IOException {
        String home = System.getenv("SPARK_HOME");
        boolean own = home == null || home.isEmpty();
        Path spark = own ? root.resolve("fleet-spark/target/spark") : Path.of(home);
        List<String> command = new ArrayList<>(
                own ? java(spark) : List.of(spark.resolve("bin/spark-submit").toString()));
        String options = String.join(" ", JVM_OPTIONS);
        command.addAll(List.of("--master", master, "--class", MAIN, "--name", "unjank fleet"));
        if (!own) {
            command.addAll(List.of("--driver-java-options", options));
        }
        command.addAll(List.of("--conf", "spark.executor.extraJavaOptions=" + options));
        if (master.startsWith("local")) {
            command.addAll(List.of("--conf", "spark.ui.enabled=false"));
        }
        command.addAll(List.of("--conf", "spark.ui.showConsoleProgress=" + terminal.showsProgress()));
        command.addAll(List.of("--jars", jars(own).stream().map(Path::toString).collect(Collectors.joining(","))));
        command.add(existing(root.resolve("fleet-spark/target"), "fleet-spark-").toString());
        command.addAll(arguments);
        terminal.out.flush();
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().put("SPARK_HOME", spark.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return await(builder.start());
    }

    /** What Spark's script would start. */
    private static List<String> java(Path spark) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.add("-Dlog4j.configurationFile=dev/unjank/fleet/spark/log4j2.properties");
        command.addAll(List.of("-cp", spark.resolve("jars") + File.separator + "*"));
        command.add("org.apache.spark.deploy.SparkSubmit");
        return command;
    }

    /** Fetches Spark and builds what knows it, unless that has been done since the command itself was built. */
    private void build() throws IOException {
        Path built = root.resolve("fleet-spark/target/built");
        Path command = root.resolve("cli/target/built");
        if (Files.exists(built)
                && (!Files.exists(command)
                        || Files.getLastModifiedTime(built).compareTo(Files.getLastModifiedTime(command)) > 0)) {
            return;
        }
        Files.createDirectories(built.getParent());
        File log = root.resolve("fleet-spark/target/build.log").toFile();
        terminal.err.println("unjank: fetching Spark and building for it, once (log: " + log + ")");
        Process maven = new ProcessBuilder(
                        root.resolve("mvnw").toString(),
                        "-f",
                        root.resolve("pom.xml").toString(),
                        "-B",
                        "-ntp",
                        "-pl",
                        "fleet-spark",
                        "-am",
                        "package",
                        "-Dmaven.test.skip=true",
                        "-Dspotless.check.skip=true")
                .redirectErrorStream(true)
                .redirectOutput(log)
                .redirectInput(Redirect.from(new File("/dev/null")))
                .start();
        if (await(maven) != 0) {
            throw new IOException("Spark could not be fetched, or the build for it failed; its log is " + log);
        }
        Files.writeString(built, "");
    }

    private static int await(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private List<Path> jars(boolean own) throws IOException {
        List<Path> jars = new ArrayList<>();
        for (String name : OURS) {
            jars.add(existing(root.resolve("cli/target/lib"), name));
        }
        for (String name : own ? List.<String>of() : OTHERS) {
            jars.add(existing(root.resolve("fleet-spark/target/spark/jars"), name));
        }
        return jars;
    }

    private static Path existing(Path folder, String name) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches(name + "[0-9][^/]*[.]jar"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no jar " + name + " in " + folder));
        }
    }
}
