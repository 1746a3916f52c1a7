package dev.unjank.workbench;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The dependencies between modules and packages. Only the class path of the workbench has all modules. */
class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.unjank");

    @Test
    void everyModuleIsSeen() {
        for (String module : new String[] {
            "looper",
            "looper.linux",
            "linux",
            "locks",
            "proof",
            "trace",
            "scene",
            "doctor",
            "query",
            "fleet",
            "record",
            "cli",
            "workbench"
        }) {
            assertThat(CLASSES.that(resideInAnyPackage("dev.unjank." + module + "..")))
                    .as(module)
                    .isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"looper", "linux", "locks", "trace", "doctor", "query", "record"})
    void onlyExportedPackagesAreUsedFromOutside(String module) {
        Set<String> exported = descriptor(module).exports().stream()
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toSet());
        String all = "dev.unjank." + module + "..";

        noClasses()
                .that()
                .resideOutsideOfPackages(all, "dev.unjank.scene..") // it rewrites the fields of traces
                .should()
                .dependOnClassesThat(resideInAnyPackage(all)
                        .and(DescribedPredicate.not(resideInAnyPackage(exported.toArray(String[]::new))))
                        .as("are internal to " + module))
                .check(CLASSES);
    }

    @ParameterizedTest
    @CsvSource({
        "looper, java jdk.jfr",
        "looper.linux, java dev.unjank.looper",
        "linux, java org.jspecify",
        "locks, java org.jspecify dev.unjank.linux",
        "proof, java org.jspecify dev.unjank.looper",
        "trace, java org.jspecify",
        "scene, java org.jspecify dev.unjank.trace",
        "doctor, java org.jspecify tools.jackson dev.unjank.trace",
        "query, java org.jspecify tools.jackson org.duckdb org.apache.arrow.c dev.unjank.trace dev.unjank.doctor",
        "fleet, java org.jspecify tools.jackson dev.unjank.trace dev.unjank.doctor dev.unjank.query",
        "record, java jdk.jfr org.jspecify dev.unjank.looper dev.unjank.linux dev.unjank.trace",
        "cli, java org.jspecify picocli org.jline dev.unjank.looper dev.unjank.linux dev.unjank.trace dev.unjank.doctor dev.unjank.query dev.unjank.fleet dev.unjank.record",
        "workbench, java javax.management jdk.jfr com.sun.management org.jspecify picocli io.netty org.jctools org.agrona dev.unjank.looper dev.unjank.linux dev.unjank.locks dev.unjank.proof dev.unjank.trace dev.unjank.scene dev.unjank.doctor dev.unjank.query dev.unjank.fleet dev.unjank.record dev.unjank.cli",
    })
    void aModuleUsesOnlyWhatStandsAboveIt(String module, String allowed) {
        String own = "dev.unjank." + module + "..";
        String[] packages = Arrays.stream((allowed + " dev.unjank." + module).split(" ", -1))
                .map(name -> name + "..")
                .toArray(String[]::new);

        noClasses()
                .that()
                .resideInAPackage(own)
                .should()
                .dependOnClassesThat(DescribedPredicate.<JavaClass>not(resideInAnyPackage(packages))
                        .as("are none of " + allowed))
                .check(CLASSES);
    }

    @ParameterizedTest
    @CsvSource({
        "model, find judge report",
        "find, judge report",
        "judge, report",
        "report.json, report.html report.text",
        "report.html, report.json report.text",
        "report.text, report.json report.html",
    })
    void thePackagesOfTheDoctorHaveAnOrder(String packageName, String later) {
        String[] forbidden = Arrays.stream(later.split(" ", -1))
                .map(name -> "dev.unjank.doctor." + name + "..")
                .toArray(String[]::new);

        noClasses()
                .that()
                .resideInAPackage("dev.unjank.doctor." + packageName + "..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(forbidden))
                .check(CLASSES);
    }

    /** It reads the command line of any process without a limit of time; a hostile process may block that. */
    @Test
    void theRecorderDoesNotAskTheJdkForCommandLines() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.unjank.record..", "dev.unjank.cli..")
                .should()
                .callMethod(ProcessHandle.class, "info")
                .check(CLASSES);
    }

    /** Results go through {@code AtomicFile}, which refuses links and files of other users as root. */
    @Test
    void commandsDoNotOpenFilesForWriting() {
        noClasses()
                .that()
                .resideInAPackage("dev.unjank.cli.command..")
                .should()
                .callMethod(Files.class, "newOutputStream", Path.class, OpenOption[].class)
                .check(CLASSES);
    }

    @Test
    void packagesAreFreeOfCycles() {
        slices().matching("dev.unjank.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    /** The module's descriptor; a module whose name begins with this one's may have packages below its own. */
    private static ModuleDescriptor descriptor(String module) {
        return CLASSES.that(resideInAnyPackage("dev.unjank." + module + "..")).stream()
                .map(any -> root(any.getSource().orElseThrow().getUri(), any))
                .distinct()
                .flatMap(root -> ModuleFinder.of(root).findAll().stream())
                .map(ModuleReference::descriptor)
                .filter(descriptor -> descriptor.name().equals("dev.unjank." + module))
                .findFirst()
                .orElseThrow();
    }

    /** The folder or jar that a class was read from. */
    private static Path root(URI classFile, JavaClass javaClass) {
        String path = javaClass.getName().replace('.', '/') + ".class";
        String uri = classFile.toString();
        String root = uri.substring(0, uri.length() - path.length());
        if (root.startsWith("jar:")) {
            root = root.substring("jar:".length(), root.indexOf("!/"));
        }
        return Path.of(URI.create(root));
    }
}
