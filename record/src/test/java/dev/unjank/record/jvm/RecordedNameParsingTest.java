package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.ArbitraryNames;
import dev.unjank.fixture.StringParsingClasses;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.read.TraceReader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;

/** Every class that takes a name of a recording apart takes any string. */
class RecordedNameParsingTest {
    private static final Map<String, Consumer<String>> READERS = new TreeMap<>();

    /** These read what the kernel or the virtual machine says of itself, or names that the project made. */
    private static final Set<String> OF_THE_SYSTEM = Set.of(
            "Cpus",
            "EventFormat",
            "FileCalls",
            "FlightRecorderSource",
            "FolderWalk",
            "HelperProtocol",
            "HelperMain",
            "HelperProcess",
            "ProcessCredentials",
            "JavaCommandLine",
            "KernelEventDecoder",
            "RecorderConnection",
            "MessageEventWriter",
            "PageLayout",
            "Proc",
            "ReplyStream",
            "StoppedProcess",
            "JvmAttachClient",
            "TargetTmpFolder",
            "ThreadNames",
            "TraceFs",
            "TraceInstance",
            "Uprobes",
            "JvmLibrary",
            "ThreadIdentity");

    static {
        LockSliceNames.Owner owner = new LockSliceNames.Owner("owner", 7);
        READERS.put("LockSliceNames", name -> {
            LockSliceNames.kind(name);
            LockSliceNames.parkedOn(name);
            LockSliceNames.siteWithFile(name);
            for (String whole : List.of(name, "parking on " + name, "monitor contention with owner " + name)) {
                LockSliceNames.with(whole, owner, name);
                LockSliceNames.with(whole, new LockSliceNames.Owner(name, 7), null);
                LockSliceNames.with(whole, null, null);
            }
        });
        READERS.put("BlockedThread", BlockedThread::withoutTypes);
        READERS.put("JfrSliceCopier", name -> {
            JfrSliceCopier.trackName(name, name);
            JfrSliceCopier.trackName("GC: " + name, name);
        });
        READERS.put("LockOwnerSample", name -> {
            LockOwnerSample sighting = new LockOwnerSample(0, 0, 1, 2, (byte) 0, name, false, List.of(name, name));
            sighting.site();
            sighting.mayBeOf(name);
        });
    }

    private static List<String> names;

    private static synchronized List<String> names() {
        if (names == null) {
            names = ArbitraryNames.withReal(file -> {
                Trace trace = TraceReader.read(file);
                return IntStream.range(0, trace.strings().size())
                        .mapToObj(trace.strings()::get)
                        .toList();
            });
        }
        return names;
    }

    @Provide
    static Arbitrary<String> damaged() {
        return Arbitraries.frequencyOf(
                Tuple.of(9, Arbitraries.randomValue(random -> ArbitraryNames.damaged(random, names()))),
                Tuple.of(1, Arbitraries.strings().ofMaxLength(60)));
    }

    @Property(tries = 20_000, shrinking = ShrinkingMode.OFF)
    void anyNameIsRead(@ForAll("damaged") String name) {
        READERS.values().forEach(reader -> reader.accept(name));
    }

    @Test
    void anOwnerWithoutAnEndIsAnotherPartOfTheName() {
        assertThat(LockSliceNames.with("parking on a.B (owner tid: 5", new LockSliceNames.Owner("x", 7), null))
                .isEqualTo("parking on a.B (owner tid: 5 (owner tid: 7)");
    }

    /** A class that is new, or begins to take strings apart, has to be put into one of the tables above. */
    @Test
    void everyClassIsListed() {
        Set<String> listed = new TreeSet<>(READERS.keySet());
        listed.addAll(OF_THE_SYSTEM);
        assertThat(StringParsingClasses.of("record")).isEqualTo(listed);
    }
}
