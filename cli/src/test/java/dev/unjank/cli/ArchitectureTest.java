package dev.unjank.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The map of the modules: who may use whom, and what of them. */
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
            "doctor",
            "query",
            "fleet",
            "record",
            "bench",
            "lab",
            "cli"
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
        "bench, java javax.management jdk.jfr com.sun.management org.jspecify org.HdrHistogram io.netty org.jctools org.agrona dev.unjank.looper dev.unjank.linux dev.unjank.locks dev.unjank.proof dev.unjank.trace dev.unjank.query dev.unjank.fleet",
        "lab, java javax.management com.sun.management org.jspecify dev.unjank.looper dev.unjank.linux dev.unjank.trace dev.unjank.doctor dev.unjank.record dev.unjank.bench",
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

    private static ModuleDescriptor descriptor(String module) {
        JavaClass any = CLASSES.that(resideInAnyPackage("dev.unjank." + module))
                .iterator()
                .next();
        URI source = any.getSource().orElseThrow().getUri();
        return ModuleFinder.of(root(source, any)).findAll().iterator().next().descriptor();
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
