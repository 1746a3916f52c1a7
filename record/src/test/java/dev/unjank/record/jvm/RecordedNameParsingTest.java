package dev.unjank.record.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.fixture.NameParsingProperties;
import dev.unjank.scene.TraceStrings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Every class that takes a name of a recording apart takes any string. */
class RecordedNameParsingTest extends NameParsingProperties {
    private static final Map<String, Consumer<String>> PARSERS = new TreeMap<>();

    /** These read what the kernel or the virtual machine says of itself, or names that the project made. */
    private static final Set<String> OF_THE_SYSTEM = Set.of(
            "Cpus",
            "EventFormat",
            "FileCalls",
            "FileLocks",
            "JfrFileCopier",
            "FolderWalk",
            "HelperProtocol",
            "HelperMain",
            "HelperProcess",
            "ProcessCredentials",
            "JavaCommand",
            "JavaCommandLine",
            "KernelEventDecoder",
            "RecorderConnection",
            "RecorderNames",
            "MainMethodGate",
            "MessageEventWriter",
            "PageLayout",
            "Proc",
            "RunningProcesses",
            "ReplyStream",
            "StoppedProcess",
            "Libc",
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
        PARSERS.put("LockSliceNames", name -> {
            LockSliceNames.kind(name);
            LockSliceNames.parkedOn(name);
            LockSliceNames.siteWithFile(name);
            for (String whole : List.of(name, "parking on " + name, "monitor contention with owner " + name)) {
                LockSliceNames.with(whole, owner, name);
                LockSliceNames.with(whole, new LockSliceNames.Owner(name, 7), null);
                LockSliceNames.with(whole, null, null);
            }
        });
        PARSERS.put("BlockedThread", BlockedThread::withoutTypes);
        PARSERS.put("JfrSliceCopier", name -> {
            JfrSliceCopier.trackName(name, name);
            JfrSliceCopier.trackName("GC: " + name, name);
        });
        PARSERS.put("LockOwnerSample", name -> {
            LockOwnerSample sighting = new LockOwnerSample(0, 0, 1, 2, (byte) 0, name, false, List.of(name, name));
            sighting.site();
            sighting.mayBeOf(name);
            AgentClient.site(name, name, name, name, 1); // its frames
            AgentClient.site("L" + name + ";", "run", "(L" + name + ";)[L" + name + ";", "", -1);
        });
    }

    RecordedNameParsingTest() {
        super("record", TraceStrings::of, PARSERS);
    }

    @Override
    protected Set<String> otherClasses() {
        return OF_THE_SYSTEM;
    }

    @Test
    void anyClassNameMayHaveADollar() {
        assertThat(AgentClient.site("La/B$C;", "run", "(La/$D;)La/B$1$;", "", 7))
                .isEqualTo("a.B$1$ a.B$C.run(a.$D)(B:7)");
        assertThat(AgentClient.site("L$;", "run", "()L$1$2;", "B.java", 7)).isEqualTo("$1$2 $.run()(B.java:7)");
    }

    @Test
    void anOwnerWithoutAnEndIsAnotherPartOfTheName() {
        assertThat(LockSliceNames.with("parking on a.B (owner tid: 5", new LockSliceNames.Owner("x", 7), null))
                .isEqualTo("parking on a.B (owner tid: 5 (owner tid: 7)");
    }
}
