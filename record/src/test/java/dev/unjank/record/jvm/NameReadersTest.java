package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.Names;
import dev.unjank.fixture.StringReaders;
import dev.unjank.trace.Trace;
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
class NameReadersTest {
    private static final Map<String, Consumer<String>> READERS = new TreeMap<>();

    /** These read what the kernel or the virtual machine says of itself, or names that the project made. */
    private static final Set<String> OF_THE_SYSTEM = Set.of(
            "Cpus",
            "EventFormat",
            "FileCalls",
            "FlightRecorderSource",
            "FolderWalk",
            "Frames",
            "Helper",
            "HelperProcess",
            "Identity",
            "JavaCommand",
            "KernelEvents",
            "Link",
            "MarkWriter",
            "NanoLine",
            "PageLayout",
            "Proc",
            "ReplyStream",
            "Standstill",
            "TargetVm",
            "TemporaryFolder",
            "ThreadNames",
            "TraceFs",
            "TraceInstance",
            "Uprobes",
            "VmLibrary",
            "Who");

    static {
        LockNames.Owner owner = new LockNames.Owner("owner", 7);
        READERS.put("LockNames", name -> {
            LockNames.kind(name);
            LockNames.parkedOn(name);
            LockNames.siteWithFile(name);
            for (String whole : List.of(name, "parking on " + name, "monitor contention with owner " + name)) {
                LockNames.with(whole, owner, name);
                LockNames.with(whole, new LockNames.Owner(name, 7), null);
                LockNames.with(whole, null, null);
            }
        });
        READERS.put("BlockedThread", BlockedThread::withoutTypes);
        READERS.put("ChunkCopy", name -> {
            ChunkCopy.trackName(name, name);
            ChunkCopy.trackName("GC: " + name, name);
        });
        READERS.put("Sighting", name -> {
            Sighting sighting = new Sighting(0, 0, 1, 2, (byte) 0, name, false, List.of(name, name));
            sighting.site();
            sighting.mayBeOf(name);
        });
    }

    private static List<String> names;

    private static synchronized List<String> names() {
        if (names == null) {
            names = Names.withReal(file -> {
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
                Tuple.of(9, Arbitraries.randomValue(random -> Names.damaged(random, names()))),
                Tuple.of(1, Arbitraries.strings().ofMaxLength(60)));
    }

    @Property(tries = 20_000, shrinking = ShrinkingMode.OFF)
    void anyNameIsRead(@ForAll("damaged") String name) {
        READERS.values().forEach(reader -> reader.accept(name));
    }

    @Test
    void anOwnerWithoutAnEndIsAnotherPartOfTheName() {
        assertThat(LockNames.with("parking on a.B (owner tid: 5", new LockNames.Owner("x", 7), null))
                .isEqualTo("parking on a.B (owner tid: 5 (owner tid: 7)");
    }

    /** A class that is new, or begins to take strings apart, has to be put into one of the tables above. */
    @Test
    void everyClassIsListed() {
        Set<String> listed = new TreeSet<>(READERS.keySet());
        listed.addAll(OF_THE_SYSTEM);
        assertThat(StringReaders.of("record")).isEqualTo(listed);
    }
}
