package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.find.code.CodeLocationParser;
import dev.unjank.doctor.find.code.CodeSiteFinder;
import dev.unjank.doctor.find.frame.DrawingThreadsTest;
import dev.unjank.doctor.find.lock.LockContentionParser;
import dev.unjank.doctor.find.message.PollingThreadsTest;
import dev.unjank.doctor.find.pause.ThreadSuspensions;
import dev.unjank.doctor.find.thread.KernelThreads;
import dev.unjank.doctor.find.thread.ThreadNameMatcher;
import dev.unjank.doctor.judge.ThreadGroupName;
import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Warning;
import dev.unjank.doctor.report.MessageCatalogue;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.doctor.report.WarningMessages;
import dev.unjank.doctor.report.html.HtmlReport;
import dev.unjank.doctor.report.json.JsonReport;
import dev.unjank.doctor.report.text.TextNames;
import dev.unjank.doctor.report.text.TextReport;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.fixture.ArbitraryNames;
import dev.unjank.fixture.NameParsingProperties;
import dev.unjank.fixture.StringParsingClasses;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import dev.unjank.scene.TraceStrings;
import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.SchedState;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.text.TerminalText;
import dev.unjank.trace.write.AtraceMarks;
import dev.unjank.trace.write.KernelEvent;
import dev.unjank.trace.write.WireFormat;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Every class that takes a name of a trace apart takes any string, and so does the doctor as a whole. */
class HostileNamesDoctorTest extends NameParsingProperties {
    private static final Map<String, Consumer<String>> PARSERS = new TreeMap<>();

    /** These find their names in a trace, see {@link #anyNamesAreDiagnosed} and {@link #anySceneIsDiagnosed}. */
    private static final Set<String> OF_A_TRACE = Set.of(
            "CauseMessages",
            "JniCriticalSections",
            "LockConvoyFinder",
            "CodeOriginClassifier",
            "NameSuggestions",
            "SliceStacks",
            "CpuSamples",
            "ActivityNames",
            "IdleStacks",
            "Advice",
            "RuntimeWaitClassifier",
            "StackFrames",
            "RecorderNotes",
            "PauseMessages",
            "PauseWaits",
            "StartupSliceFinder",
            "RenderedFrames",
            "JvmPauses");

    /** These take numbers apart that the doctor wrote, or call something else of that name. */
    private static final Set<String> OF_OWN_STRINGS =
            Set.of("WarningMessages", "BlameTree", "DurationFormat", "Messages");

    static {
        PARSERS.put("LockContentionParser", LockContentionParser::parse);
        PARSERS.put("CodeLocationParser", name -> {
            CodeLocationParser.location(name);
            CodeLocationParser.number(name, 0, name.length());
        });
        PARSERS.put("CodeSiteFinder", name -> {
            CodeLocation frame = new CodeLocation(name, null, 1);
            new CodeSiteFinder(name).ofHolder(new CallStack(List.of(frame)), frame);
        });
        PARSERS.put("DrawingThreads", DrawingThreadsTest::parse);
        PARSERS.put("PollingThreads", PollingThreadsTest::parse);
        PARSERS.put("ThreadGroupName", name -> {
            ThreadGroupName.of(name);
            ThreadGroupName.isOfPool(name);
        });
        PARSERS.put("ThreadSuspensions", ThreadSuspensions::parseSingle);
        PARSERS.put("KernelThreads", name -> {
            KernelThreads.role(name);
            KernelThreads.driverName(name);
        });
        PARSERS.put("ThreadNameMatcher", name -> {
            ThreadNameMatcher.agree(name, name);
            ThreadNameMatcher.agree(name, "main");
            ThreadNameMatcher.isEnd(name, name);
        });
        PARSERS.put("WaitMessages", name -> WaitMessages.source(new CodeLocation(name, name, 3)));
        PARSERS.put("MessageCatalogue", name -> {
            MessageCatalogue.capital(name);
            TerminalText.printableStart(name);
        });
        PARSERS.put("TextReport", TextNames::quote);
        PARSERS.put("TextPage", TextNames::write);
    }

    HostileNamesDoctorTest() {
        super("doctor", TraceStrings::of, PARSERS);
    }

    @Override
    protected Set<String> otherClasses() {
        Set<String> classes = new TreeSet<>(OF_A_TRACE);
        classes.addAll(OF_OWN_STRINGS);
        return classes;
    }

    /** A listed class need not parse strings itself. */
    @Override
    @Test
    protected void everyClassIsListed() {
        Set<String> listed = new TreeSet<>(PARSERS.keySet());
        listed.addAll(otherClasses());
        assertThat(listed).containsAll(StringParsingClasses.of("doctor"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SuspendThreadBy x id=5",
                "SuspendThreadBy suspended id=5",
                "SuspendThreadBy id=5 suspended ",
                "SuspendThreadBy id= suspended id=",
                "SuspendThreadBy suspended "
            })
    void aSuspensionOfAnotherFormIsNone(String name) throws IOException {
        assertThat(ThreadSuspensions.parseSingle(name)).isNull();
        try (TraceBuilder builder = new TraceBuilder("test")) {
            builder.program().begin(0, 10, 10, builder.intern(name));
            builder.program().end(5_000_000, 10, 10);
            check(builder.build());
        }
    }

    @Test
    void aSuspensionNamesItsThread() {
        assertThat(ThreadSuspensions.parseSingle("SuspendThreadByThreadId suspended a id=b suspended  id=5"))
                .isEqualTo(new ThreadSuspensions.SingleSuspension("SuspendThreadByThreadId", "a id=b suspended "));
    }

    /** A name of a million characters is read in time. */
    @Test
    void aLongNameTakesNoLongTime() {
        for (String slice : new String[] {" (", ")", " (1) ", " at ", " waiters=", " blocking from ", ")(", "(0"}) {
            String name = "monitor contention with owner " + slice.repeat(300_000);
            PARSERS.values().forEach(reader -> reader.accept(name));
        }
    }

    /** Slices of any names on threads and processes of any names, of Android or of a Java virtual machine. */
    @Property(tries = 150, shrinking = ShrinkingMode.OFF)
    @Tag("slow")
    void anyNamesAreDiagnosed(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        boolean isJvm = random.nextBoolean();
        try (TraceBuilder builder = new TraceBuilder(name(random))) {
            for (int pid = 10; pid < 40; pid += 10) {
                int name = builder.intern(name(random));
                if (isJvm) {
                    builder.kernel().javaProcess(0, pid, name);
                } else {
                    builder.kernel().process(0, pid, random.nextInt(3), name, random.nextInt(20_000));
                }
                for (int tid = pid; tid < pid + 4; tid++) {
                    builder.kernel().thread(0, tid, pid, builder.intern(name(random)));
                }
            }
            for (int i = 0; i < 150; i++) {
                event(builder, random, i * 100_000L);
            }
            check(builder.build());
        }
    }

    private void event(TraceBuilder builder, Random random, long ts) {
        int tid = tid(random);
        int pid = tid / 10 * 10;
        int name = builder.intern(name(random));
        switch (random.nextInt(9)) {
            case 0, 1, 2 -> builder.program().begin(ts, tid, pid, name);
            case 3, 4 -> builder.program().end(ts, tid, pid);
            case 5 -> builder.program().asyncBegin(ts, pid, name, 1, name);
            case 6 -> builder.program().instant(ts, tid, pid, name);
            case 7 -> builder.kernel().blockedReason(ts, tid, random.nextBoolean(), name);
            default -> {
                SchedState state = random.nextBoolean() ? SchedState.SLEEPING : SchedState.RUNNABLE;
                builder.kernel().schedSwitch(ts, random.nextInt(2), tid, name, 120, state, tid(random), name, 110);
                builder.kernel().waking(ts, 0, tid(random), tid, 120);
            }
        }
    }

    private static int tid(Random random) {
        return 10 * (1 + random.nextInt(3)) + random.nextInt(4);
    }

    private String name(Random random) {
        return random.nextInt(4) == 0
                ? ArbitraryNames.TYPICAL.get(random.nextInt(ArbitraryNames.TYPICAL.size()))
                : ArbitraryNames.damaged(random, names());
    }

    /** A wait for a monitor and what is around it, written as a file and read again. */
    @Property(tries = 60, shrinking = ShrinkingMode.OFF)
    @Tag("slow")
    void anySceneIsDiagnosed(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        check(SceneDiagnoses.read(
                scene(() -> name(random)).toBytes(random.nextBoolean() ? WireFormat.PLAIN : WireFormat.COMPACT)));
    }

    private static Scene scene(Supplier<String> names) {
        Scene scene = new Scene();
        SceneProcess app = scene.process(10, names.get());
        SceneThread main = app.mainThread(names.get(), 110);
        SceneThread worker = app.thread(11, names.get(), 120);
        SceneThread saver = app.thread(12, names.get(), 120);
        main.begin(names.get())
                .runs(0, 100)
                .blocksOn(ArtContention.heldBy(worker).ownerName(names.get()).at(names.get(), names.get()));
        main.sleeps(9_000_000).wokenBy(worker).runnable(9_100_000).acquires().runs(0, 9_200_000);
        main.does(KernelEvent.binderTransaction(1, false, false));
        main.sleepsUninterruptibly(12_000_000, true, names.get()).runnable(12_100_000);
        main.prints(AtraceMarks.asyncBegin(10, names.get(), 1)).runs(0, 13_000_000);
        main.begin(names.get()).sleeps(15_000_000);
        main.wokenBy(saver).runnable(15_100_000).end().runs(0, 16_000_000).end();
        worker.runs(1, 1_000).begin(names.get()).sleeps(3_000_000);
        worker.wokenBy(saver).runnable(5_000_000).end().runs(1, 10_000_000);
        saver.begin(names.get())
                .runs(2, 14_900_000)
                .end()
                .begin(names.get())
                .runs(2, 15_050_000)
                .end();
        app.frame(names.get(), 0, 10_000_000, 17_000_000, 64);
        return scene;
    }

    /** All hostile characters in all names: the text has none of them, and JSON has them all. */
    @Test
    void hostileNamesStayInTheirLines() throws IOException {
        for (String hostile : ArbitraryNames.HOSTILE) {
            Diagnosis diagnosis =
                    check(SceneDiagnoses.read(scene(() -> "n" + hostile + "x").toBytes(WireFormat.PLAIN)));
            StringWriter json = new StringWriter();
            JsonReport.write(diagnosis, StubQueries.OF_TRACE, json);
            boolean isText = hostile.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE);
            if (isText) {
                assertThat(strings(json.toString())).contains("n" + hostile + "x");
            }
        }
    }

    private static Diagnosis check(Trace trace) throws IOException {
        for (DoctorOptions options : List.of(DoctorOptions.defaults(), SceneDiagnoses.EVERYTHING)) {
            Diagnosis diagnosis = Doctor.diagnose(trace, options);
            for (int width : new int[] {0, 60, 140}) {
                String text = TextReport.of(
                        diagnosis, new TextReport.Style(width, false, true, 10, true), StubQueries.OF_TRACE);
                assertThat(text).isNotBlank();
                assertThat(text.replace("\n", "")).matches(TerminalText::isPrintable, "is printable");
            }
            StringWriter json = new StringWriter();
            JsonReport.write(diagnosis, StubQueries.OF_TRACE, json);
            strings(json.toString());
            StringWriter page = new StringWriter();
            HtmlReport.write(diagnosis, trace, new StubQueries("unjank query trace"), page);
            assertThat(page.toString()).contains("</html>");
        }
        String asked = trace.strings().get(trace.strings().size() - 1);
        Warning mistake =
                Doctor.explainEmptySelection(trace, DoctorOptions.defaults().withThread(asked));
        assertThat(mistake == null || TerminalText.isPrintable(WarningMessages.of(mistake, StubQueries.OF_TRACE)))
                .isTrue();
        return Doctor.diagnose(trace, SceneDiagnoses.EVERYTHING);
    }

    private static Set<String> strings(String json) throws IOException {
        Set<String> strings = new TreeSet<>();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            while (parser.nextToken() != null) {
                strings.add(parser.getString());
            }
        }
        return strings;
    }
}
