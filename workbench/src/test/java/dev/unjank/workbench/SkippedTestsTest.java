package dev.unjank.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SkippedTestsTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    Path root;

    @BeforeEach
    void twoModules() throws Exception {
        report(
                "trace",
                "dev.unjank.trace.RealTraceTest",
                "<skipped message=\"Assumption failed: no real traces&#10;more\"/>",
                START);
        report("trace", "dev.unjank.trace.NameTest", "", START);
        report(
                "record",
                "dev.unjank.record.AttackTest",
                "<skipped><![CDATA[org.a.AbortedException: \nnot root\n\tat x]]></skipped>",
                START.plusSeconds(5));
        report("record", "dev.unjank.record.OldTest", "<skipped message=\"long ago\"/>", START.minusSeconds(5));
        Files.createDirectories(root.resolve("docs"));
    }

    @Test
    void skippedTestsAreCountedByReason() throws Exception {
        assertThat(SkippedTests.list(root, START)).isEqualTo("""
                Skipped tests: 2
                      1  no real traces
                         in RealTraceTest
                      1  not root
                         in AttackTest
                """);
    }

    @Test
    void aBuildWithoutSkippedTestsSaysSo() throws Exception {
        assertThat(SkippedTests.list(root, START.plusSeconds(60))).isEqualTo("Skipped tests: none\n");
    }

    private void report(String module, String test, String result, Instant time) throws Exception {
        Path folder = Files.createDirectories(root.resolve(module).resolve("target/surefire-reports"));
        Path file = Files.writeString(folder.resolve("TEST-" + test + ".xml"), """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuite name="%1$s"><testcase name="a" classname="%1$s">%2$s</testcase></testsuite>
                """.formatted(test, result));
        Files.setLastModifiedTime(file, FileTime.from(time));
    }
}
