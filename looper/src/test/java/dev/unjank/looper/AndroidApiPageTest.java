package dev.unjank.looper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Every member of Android 17's classes exists, unless {@code docs/reference/android.md} lists it with its equivalent or
 * the reason; the tests that the page names exist.
 */
class AndroidApiPageTest {
    private static final Path PAGE = Path.of(System.getProperty("unjank.root"), "docs", "reference", "android.md");
    private static final String PACKAGE = "dev.unjank.looper.";

    /** The members that are here as well, by class. */
    private static final String SAME = "android-17-members.txt";

    /** How many members each class of Android 17 has, so that no row is lost. */
    private static final Map<String, Long> MEMBERS = Map.of(
            "Looper", 24L,
            "Handler", 54L,
            "Handler.Callback", 1L,
            "Message", 42L,
            "MessageQueue", 14L,
            "MessageQueue.IdleHandler", 1L,
            "MessageQueue.OnFileDescriptorEventListener", 4L,
            "HandlerThread", 12L,
            "TestLooperManager", 12L);

    private static final Pattern MEMBER =
            Pattern.compile("- `([^`]+)`(?: ·h)?(?: (?:as )?(yes|no|`[\\w.]+`))?(?:: (.*))?");
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

    /** An item of a list of members. */
    private record Row(String owner, String signature, String here, String note) {
        /** Of a member of another name, {@code Class.member}. */
        String otherName() {
            return here.replace("`", "");
        }

        @Override
        public String toString() {
            return owner + ": " + signature + " -> " + here;
        }
    }

    /** The lines of the page, with the lines of a list item joined. */
    private static List<String> page() {
        try {
            return Files.readString(PAGE).replace("\n  ", " ").lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Row> members() {
        List<Row> rows = new ArrayList<>();
        String owner = "";
        for (String line : page()) {
            Matcher row = MEMBER.matcher(line);
            if (line.startsWith("### ")) {
                owner = line.substring(4);
            } else if (MEMBERS.containsKey(owner) && row.matches()) {
                rows.add(new Row(
                        owner,
                        row.group(1),
                        Objects.requireNonNullElse(row.group(2), "yes"),
                        Objects.requireNonNullElse(row.group(3), "")));
            }
        }
        rows.addAll(same());
        return rows;
    }

    private static List<Row> same() {
        List<Row> rows = new ArrayList<>();
        String owner = "";
        for (String line : resource().lines().toList()) {
            if (line.startsWith("[")) {
                owner = line.substring(1, line.length() - 1);
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                rows.add(new Row(owner, line, "yes", ""));
            }
        }
        return rows;
    }

    private static String resource() {
        try (InputStream in = Objects.requireNonNull(AndroidApiPageTest.class.getResourceAsStream(SAME))) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void everyMemberOfAndroidHasARow() {
        assertThat(members().stream().collect(groupingBy(Row::owner, counting())))
                .isEqualTo(MEMBERS);
        assertThat(members()).doesNotHaveDuplicates();
    }

    @TestFactory
    Stream<DynamicTest> aMemberIsThereIfAndOnlyIfItsRowSaysSo() {
        return members().stream().map(row -> DynamicTest.dynamicTest(row.toString(), () -> check(row)));
    }

    private static void check(Row row) {
        boolean there = signatures(row.owner()).contains(row.signature());
        switch (row.here()) {
            case "yes" ->
                assertThat(there).as("is in %s", signatures(row.owner())).isTrue();
            case "no" -> {
                assertThat(there).as("is there").isFalse();
                assertThat(row.note()).as("reason").isNotBlank();
            }
            default -> {
                assertThat(there).as("is there").isFalse();
                assertThat(isPublic(row.otherName())).as(row.otherName()).isTrue();
            }
        }
    }

    /** Of what a class declares for its users, what Android's table writes of it. */
    private static List<String> signatures(String owner) {
        Class<?> type = find(owner);
        if (type == null) {
            return List.of();
        }
        List<String> all = new ArrayList<>();
        for (Field f : type.getDeclaredFields()) {
            add(all, f, "%s %s".formatted(name(f.getType()), f.getName()));
        }
        for (Constructor<?> c : type.getDeclaredConstructors()) {
            add(all, c, type.getSimpleName() + parameters(c));
        }
        for (Method m : type.getDeclaredMethods()) {
            add(all, m, "%s %s%s".formatted(name(m.getReturnType()), m.getName(), parameters(m)));
        }
        return all;
    }

    private static void add(List<String> signatures, Member member, String text) {
        int modifiers = member.getModifiers();
        if (!member.isSynthetic() && (modifiers & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0) {
            // where users have no subclasses, a method that is final says nothing
            Class<?> owner = member.getDeclaringClass();
            boolean saysFinal = !owner.isSealed() && !Modifier.isFinal(owner.getModifiers());
            String prefix = Modifier.toString(modifiers & (Modifier.PROTECTED | Modifier.ABSTRACT | Modifier.STATIC))
                    + (saysFinal && Modifier.isFinal(modifiers) ? " final" : "");
            signatures.add((prefix + " " + text).strip());
        }
    }

    private static String parameters(Executable executable) {
        return Arrays.stream(executable.getParameterTypes())
                .map(AndroidApiPageTest::name)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static String name(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return outer == null ? type.getSimpleName() : name(outer) + "." + type.getSimpleName();
    }

    private static Class<?> find(String name) {
        try {
            return Class.forName(PACKAGE + name.replace('.', '$'));
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    private static boolean isPublic(String name) {
        int dot = name.lastIndexOf('.');
        Class<?> owner = find(name.substring(0, dot));
        String member = name.substring(dot + 1);
        return owner != null
                && Arrays.stream(owner.getMethods()).anyMatch(m -> m.getName().equals(member));
    }

    @TestFactory
    Stream<DynamicTest> aBehaviourHasItsTestOnBothQueues() {
        List<String> rows = page().stream()
                .dropWhile(line -> !line.startsWith("## Behaviours"))
                .filter(line -> line.startsWith("- "))
                .toList();
        assertThat(rows).hasSizeGreaterThan(40);
        return rows.stream().map(row -> DynamicTest.dynamicTest(row, () -> checkTests(row)));
    }

    private static void checkTests(String row) throws Exception {
        Matcher test = TEST.matcher(row);
        int tests = 0;
        for (; test.find(); tests++) {
            Class<?> type = Class.forName(PACKAGE + test.group(1));
            Method method = type.getDeclaredMethod(test.group(2));
            assertThat(method.isAnnotationPresent(Test.class))
                    .as("%s is a test", method)
                    .isTrue();
            assertThat(type.isAnnotationPresent(ParameterizedClass.class)).isTrue();
            assertThat(type.getDeclaredField("kind").getType()).isEqualTo(QueueKind.class);
        }
        assertThat(tests).as("tests in this row").isPositive();
    }
}
