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
import com.tngtech.archunit.library.dependencies.SliceRule;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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

    /** Packages that still depend on each other both ways. Remove a group when its packages are separated; add none. */
    private static final List<List<String>> KNOWN_CYCLES = List.of(
            List.of(
                    "doctor.find.activity",
                    "doctor.find.coverage",
                    "doctor.find.frame",
                    "doctor.find.kernel",
                    "doctor.find.lock",
                    "doctor.find.message",
                    "doctor.find.pause",
                    "doctor.find.thread",
                    "doctor.find.wait",
                    "doctor.judge",
                    "doctor.model",
                    "doctor.report",
                    "doctor.report.text"),
            List.of("fleet.compare", "fleet.report"),
            List.of("fleet.folder", "fleet.input", "fleet.label", "fleet.run", "fleet.task"),
            List.of("query", "query.engine", "query.load", "query.result", "query.tables"),
            List.of("query.function", "query.parse", "query.resolve", "query.tree"),
            List.of(
                    "trace.read",
                    "trace.read.input",
                    "trace.read.perfetto",
                    "trace.read.perfetto.ftrace",
                    "trace.read.systrace"));

    @Test
    void everyModuleIsSeen() {
        for (String module : new String[] {
            "looper",
            "looper.linux",
            "linux",
            "locks",
            "proof",
            "trace",
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
                .resideOutsideOfPackage(all)
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
        "doctor, java org.jspecify tools.jackson dev.unjank.trace",
        "query, java org.jspecify tools.jackson org.duckdb org.apache.arrow.c dev.unjank.trace dev.unjank.doctor",
        "fleet, java org.jspecify tools.jackson dev.unjank.trace dev.unjank.doctor dev.unjank.query",
        "record, java jdk.jfr org.jspecify dev.unjank.looper dev.unjank.trace",
        "cli, java org.jspecify picocli org.jline dev.unjank.looper dev.unjank.linux dev.unjank.trace dev.unjank.doctor dev.unjank.query dev.unjank.fleet dev.unjank.record",
        "workbench, java javax.management jdk.jfr com.sun.management org.jspecify picocli io.netty org.jctools org.agrona dev.unjank.looper dev.unjank.linux dev.unjank.locks dev.unjank.proof dev.unjank.trace dev.unjank.doctor dev.unjank.query dev.unjank.fleet dev.unjank.record dev.unjank.cli",
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

    @Test
    void packagesAreFreeOfCycles() {
        SliceRule rule = slices().matching("dev.unjank.(**)").should().beFreeOfCycles();
        for (List<String> group : KNOWN_CYCLES) {
            DescribedPredicate<JavaClass> inGroup = resideInAnyPackage(
                    group.stream().map(name -> "dev.unjank." + name).toArray(String[]::new));
            rule = rule.ignoreDependency(inGroup, inGroup);
        }
        rule.check(CLASSES);
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
