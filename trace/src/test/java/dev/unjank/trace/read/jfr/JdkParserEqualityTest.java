package dev.unjank.trace.read.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.read.RealRecordingFiles;
import dev.unjank.trace.read.jfr.AllJfrEvents.Read;
import dev.unjank.trace.read.jfr.format.DamagedRecordingException;
import dev.unjank.trace.read.jfr.format.JfrType.Field;
import dev.unjank.trace.read.jfr.format.JfrType.Form;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every field of every event equals that of the JDK's own parser, for every file that it can read. */
class JdkParserEqualityTest {
    @TempDir
    private Path dir;

    /** The JDK's parser keeps the first name that a thread had in the file. */
    private final Map<Integer, Set<String>> namesOf = new HashMap<>();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "grafana_example.jfr.gz",
                "grafana_goland-multichunk.jfr.gz",
                "jmc_full_gc_g1.jfr",
                "jmc_jdk17_monitoredvm.jfr"
            })
    void everyFieldOfEveryEventIsEqual(String name) throws IOException, DamagedRecordingException {
        byte[] bytes = RealRecordingFiles.bytes(name);
        Map<String, Integer> theirs = new TreeMap<>();
        try (RecordingFile file = new RecordingFile(RealRecordingFiles.unpacked(name, dir))) {
            Set<Field> compared = new HashSet<>();
            AllJfrEvents.read(MemorySegment.ofArray(bytes), ours -> compare(ours, next(file, theirs), compared));
            assertThat(file.hasMoreEvents()).isFalse();
            assertThat(compared).hasSizeGreaterThan(20);
        }
        assertThat(new TreeMap<>(AllJfrEvents.counts(MemorySegment.ofArray(bytes))))
                .isEqualTo(theirs);
    }

    private static RecordedEvent next(RecordingFile file, Map<String, Integer> counts) {
        try {
            RecordedEvent event = file.readEvent();
            counts.merge(event.getEventType().getName(), 1, Integer::sum);
            return event;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void compare(Read ours, RecordedEvent theirs, Set<Field> compared) {
        require(ours, "kind", ours.type().name(), theirs.getEventType().getName());
        long startNs = ChronoUnit.NANOS.between(Instant.EPOCH, theirs.getStartTime());
        if (Math.abs(ours.startNs() - startNs) > 1_000) { // the JDK's parser converts through floating point
            throw new AssertionError(ours.type().name() + " at " + ours.startNs() + ", theirs at " + startNs);
        }
        for (int i = 0; i < ours.type().fields().size(); i++) {
            Field field = ours.type().fields().get(i);
            if (!field.name().equals("startTime") && !field.array() && compareField(ours, theirs, i, field)) {
                compared.add(field);
            }
        }
    }

    /** Compares a field if possible and returns whether it was. */
    private boolean compareField(Read ours, RecordedEvent theirs, int i, Field field) {
        long value = ours.value(i);
        String type = field.type().name();
        if (!field.constant()
                && (field.type().form() == Form.VARINT || field.type().form() == Form.ONE)) {
            if (field.name().equals("duration")) {
                return false; // in other units, and from two times; startNs compares it completely
            }
            Object number = theirs.getValue(field.name());
            if (number instanceof Boolean b) {
                require(ours, field.name(), value != 0, b);
            } else if (number instanceof Number n) {
                require(ours, field.name(), truncated(value, type), n.longValue());
            }
            return true;
        }
        if (!field.constant()
                && (field.type().form() == Form.FLOAT || field.type().form() == Form.DOUBLE)) {
            require(
                    ours,
                    field.name(),
                    Double.longBitsToDouble(value),
                    theirs.<Number>getValue(field.name()).doubleValue());
            return true;
        }
        Object object = theirs.getValue(field.name());
        if (type.equals("java.lang.Thread")) {
            RecordedThread thread = (RecordedThread) object;
            int number = ours.constants().thread(value);
            require(ours, field.name(), number < 0, thread == null);
            if (thread != null) {
                String name = thread.getJavaName() != null ? thread.getJavaName() : thread.getOSName();
                Set<String> names = namesOf.computeIfAbsent(number, _ -> new HashSet<>());
                names.add(ours.threads().name(number));
                assertThat(names).contains(name == null ? "" : name);
                if (thread.getOSThreadId() > 0) {
                    require(ours, field.name(), (long) ours.threads().tid(number), thread.getOSThreadId());
                }
            }
        } else if (type.equals("java.lang.Class")) {
            require(
                    ours,
                    field.name(),
                    ours.text(i),
                    object == null ? null : JavaNames.ofClass(((RecordedClass) object).getName()));
        } else if (type.equals("jdk.types.StackTrace")) {
            compareStacks(ours, value, (RecordedStackTrace) object);
        } else if (field.type().form() == Form.STRING || object instanceof String) {
            require(ours, field.name(), ours.text(i), object);
        } else {
            return false;
        }
        return true;
    }

    /** The innermost method of a stack; {@link dev.unjank.trace.model.Callstacks} are compared elsewhere. */
    private static void compareStacks(Read ours, long key, @Nullable RecordedStackTrace stack) {
        String site = ours.constants().stacks().site(key);
        if (stack == null || stack.getFrames().isEmpty()) {
            require(ours, "stack", site, null);
            return;
        }
        RecordedFrame top = stack.getFrames().getFirst();
        if (top.getMethod() != null && site != null) {
            String owner = top.getMethod().getType().getName();
            String method =
                    (owner.isEmpty() ? "" : owner + ".") + top.getMethod().getName();
            if (!site.contains(method + "(")) {
                throw new AssertionError(site + ", theirs is " + method);
            }
            if (top.getLineNumber() > 0 && !site.endsWith(":" + top.getLineNumber() + ")")) {
                throw new AssertionError(site + ", theirs is line " + top.getLineNumber());
            }
        }
    }

    private static long truncated(long value, String type) {
        return switch (type) {
            case "int" -> (int) value;
            case "short" -> (short) value;
            case "byte" -> (byte) value;
            case "char" -> (char) value;
            default -> value;
        };
    }

    private static void require(Read event, String what, @Nullable Object ours, @Nullable Object theirs) {
        if (ours == null ? theirs != null : !ours.equals(theirs)) {
            throw new AssertionError(event.type().name() + "." + what + ": " + ours + ", theirs " + theirs);
        }
    }
}
