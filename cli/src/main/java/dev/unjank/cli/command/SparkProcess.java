package dev.unjank.cli.command;

import dev.unjank.cli.terminal.Terminal;
import dev.unjank.cli.terminal.UserError;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@code unjank fleet --master}: starts {@code spark-submit} in another process with Spark's jars. The jars are
 * taken from {@code SPARK_HOME}; without it the build downloads them on first use. This process does not depend on
 * Spark.
 */
public final class SparkProcess {
    private static final String MAIN = "dev.unjank.fleet.spark.SparkFleet";

    /** Java 25 needs these for DuckDB's native library and for Spark's use of Unsafe. */
    private static final List<String> JVM_OPTIONS =
            List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

    /** The project's jars that the task needs. */
    private static final List<String> OURS = List.of("fleet-", "query-", "doctor-", "trace-");

    /** Other jars that the task needs, downloaded with Spark. */
    private static final List<String> OTHERS = List.of("duckdb_jdbc-", "picocli-");

    private final Path root;
    private final SparkMaster master;
    private final Terminal terminal;

    private SparkProcess(Path root, SparkMaster master, Terminal terminal) {
        this.root = root;
        this.master = master;
        this.terminal = terminal;
    }

    /** Downloads Spark if needed, and checks that the master is reachable. Does not start the process. */
    public static SparkProcess prepared(SparkMaster master, Terminal terminal) throws IOException {
        String root = System.getProperty("unjank.root");
        if (root == null || !Files.isExecutable(Path.of(root, "mvnw"))) {
            throw new UserError(
                    "--master needs a checkout of the project; otherwise use spark-submit (docs/guide/fleet.md)");
        }
        if (home() == null && !master.isSupportedByOurJars()) {
            throw new UserError(master + " needs a Spark installation: set SPARK_HOME to its folder");
        }
        master.requireReachable();
        SparkProcess spark = new SparkProcess(Path.of(root), master, terminal);
        spark.build();
        return spark;
    }

    private static @Nullable Path home() {
        String home = System.getenv("SPARK_HOME");
        return home == null || home.isEmpty() ? null : Path.of(home);
    }

    /** Runs a fleet with arguments of {@code SparkFleet}. */
    int run(List<String> arguments) throws IOException {
        Path home = home();
        Path spark = home == null ? root.resolve("fleet-spark/target/spark") : home;
        List<String> command = new ArrayList<>(home == null ? java(spark) : script(spark));
        command.addAll(List.of("--master", master.toString(), "--class", MAIN, "--name", "unjank fleet"));
        command.addAll(List.of("--conf", "spark.executor.extraJavaOptions=" + String.join(" ", JVM_OPTIONS)));
        command.addAll(List.of("--conf", "spark.ui.showConsoleProgress=" + terminal.showsProgress()));
        if (master.isLocal()) {
            command.addAll(List.of("--conf", "spark.ui.enabled=false"));
        }
        command.addAll(List.of("--jars", jars().stream().map(Path::toString).collect(Collectors.joining(","))));
        command.add(existing(root.resolve("fleet-spark/target"), "fleet-spark-").toString());
        command.addAll(arguments);
        terminal.out.flush();
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().put("SPARK_HOME", spark.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        if (master.isLocal()) {
            builder.environment().putIfAbsent("SPARK_LOCAL_IP", "127.0.0.1"); // only local connections
        }
        return await(builder.start());
    }

    private static List<String> script(Path spark) throws IOException {
        Path script = spark.resolve("bin/spark-submit");
        if (!Files.isExecutable(script)) {
            throw new UserError("SPARK_HOME is not a Spark installation: missing " + script);
        }
        return List.of(script.toString(), "--driver-java-options", String.join(" ", JVM_OPTIONS));
    }

    /** The command that {@code spark-submit} would start. */
    private List<String> java(Path spark) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.add("-Dlog4j.configurationFile=" + root.resolve("fleet-spark/src/main/conf/log4j2.properties"));
        command.addAll(List.of("-cp", spark.resolve("jars") + File.separator + "*"));
        command.add("org.apache.spark.deploy.SparkSubmit");
        return command;
    }

    /** Downloads Spark and builds {@code fleet-spark}, unless it is newer than the build of the command. */
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
        terminal.err.println("unjank: downloading Spark and building fleet-spark, once (log: " + log + ")");
        terminal.err.flush();
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
            throw new IOException("downloading Spark or building fleet-spark failed; see " + log);
        }
        Files.writeString(built, "");
    }

    /** Waits for a process to end, and ends it if this process is interrupted. */
    private static int await(Process process) throws IOException {
        Thread hook = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            int code = process.waitFor();
            Runtime.getRuntime().removeShutdownHook(hook);
            return code;
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private List<Path> jars() throws IOException {
        List<Path> jars = new ArrayList<>();
        for (String name : OURS) {
            jars.add(existing(root.resolve("cli/target/lib"), name));
        }
        for (String name : OTHERS) {
            jars.add(existing(root.resolve("fleet-spark/target/lib"), name));
        }
        return jars;
    }

    private static Path existing(Path folder, String name) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    if (file.getFileName().toString().matches(name + "[0-9][^/]*[.]jar")) {
                        return file;
                    }
                }
            }
        }
        throw new IOException(
                "missing " + name + "….jar in " + folder + "; delete fleet-spark/target/built and run again");
    }
}
