package dev.unjank.workbench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The list at the end of a build of the tests that were skipped, with the reasons: a test that needs a privilege or a
 * file that this machine lacks must not look like one that passed. It comes from the reports of all modules.
 */
final class SkippedTests {

    /** The lengths that a line of the list may have. */
    private static final int REASON = 110;

    private static final int CLASSES = 5;

    private record Skipped(String test, String reason) {}

    private SkippedTests() {}

    /**
     * Prints the list: arguments are the project's folder and the instant at which the build began; older reports do
     * not count.
     */
    public static void main(String[] args) throws IOException, XMLStreamException {
        System.out.print(list(Path.of(args[0]), Instant.parse(args[1])));
    }

    static String list(Path root, Instant start) throws IOException, XMLStreamException {
        Map<String, List<String>> byReason = new TreeMap<>();
        int count = 0;
        for (Path report : reports(root, start)) {
            for (Skipped skipped : skipped(report)) {
                byReason.computeIfAbsent(skipped.reason(), reason -> new ArrayList<>())
                        .add(skipped.test());
                count++;
            }
        }
        if (count == 0) {
            return "Skipped tests: none\n";
        }
        StringBuilder list = new StringBuilder("Skipped tests: " + count + "\n");
        byReason.forEach((reason, tests) ->
                list.append("  %5d  %s%n         in %s%n".formatted(tests.size(), reason, classes(tests))));
        return list.toString();
    }

    private static String classes(List<String> tests) {
        TreeSet<String> names = tests.stream()
                .map(test -> test.substring(test.lastIndexOf('.') + 1))
                .collect(Collectors.toCollection(TreeSet::new));
        String first = names.stream().limit(CLASSES).collect(Collectors.joining(", "));
        return names.size() > CLASSES ? first + " and " + (names.size() - CLASSES) + " more classes" : first;
    }

    private static List<Path> reports(Path root, Instant start) throws IOException {
        List<Path> reports = new ArrayList<>();
        try (Stream<Path> modules = Files.list(root)) {
            for (Path module : modules.sorted().toList()) {
                Path folder = module.resolve("target/surefire-reports");
                if (Files.isDirectory(folder)) {
                    try (Stream<Path> files = Files.list(folder)) {
                        files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                                .forEach(reports::add);
                    }
                }
            }
        }
        reports.sort(Comparator.naturalOrder());
        List<Path> recent = new ArrayList<>();
        for (Path report : reports) {
            if (!Files.getLastModifiedTime(report).toInstant().isBefore(start)) {
                recent.add(report);
            }
        }
        return recent;
    }

    private static List<Skipped> skipped(Path report) throws IOException, XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        List<Skipped> skipped = new ArrayList<>();
        try (InputStream in = Files.newInputStream(report)) {
            XMLStreamReader xml = factory.createXMLStreamReader(in);
            String test = "";
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamReader.START_ELEMENT) {
                    if (xml.getLocalName().equals("testcase")) {
                        test = xml.getAttributeValue(null, "classname");
                    } else if (xml.getLocalName().equals("skipped")) {
                        String message = xml.getAttributeValue(null, "message");
                        skipped.add(new Skipped(test, reason(message == null ? xml.getElementText() : message)));
                    }
                }
            }
        }
        return skipped;
    }

    /** The first line that gives a reason, without what JUnit and AssertJ put before it, and cut if it is long. */
    private static String reason(String text) {
        String line = text.lines()
                .map(each -> each.replaceFirst("^[\\w.]+Exception: ?", "").replaceFirst("^Assumption failed: ", ""))
                .filter(each -> !each.isBlank())
                .findFirst()
                .orElse("no reason given");
        return line.length() > REASON ? line.substring(0, REASON - 1) + "…" : line;
    }
}
