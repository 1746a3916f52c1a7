package dev.unjank.trace.read.jfr;

import dev.unjank.trace.read.jfr.format.ChunkMetadata;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The parsers of strings in this package. */
public final class JfrNameParsers {
    private JfrNameParsers() {}

    /** By the name of the class. */
    public static Map<String, Consumer<String>> readers() {
        Map<String, Consumer<String>> readers = new TreeMap<>();
        readers.put("JavaNames", JfrNameParsers::names);
        readers.put("RecordingSettings", RecordingSettings::milliseconds);
        readers.put("ThreadEventImporter", name -> {
            ThreadEventImporter.messageName(name, name, 1);
            ThreadEventImporter.messageName(null, name, 1);
            ThreadEventImporter.messageName(name, null, 1);
        });
        readers.put("VmEventImporter", VmEventImporter::firstWord);
        readers.put("ChunkMetadata", ChunkMetadata::number);
        readers.put("ThreadDump", JfrNameParsers::dump);
        return readers;
    }

    /** Names of threads, classes and methods stand in a dump as they are. */
    private static void dump(String name) {
        String thread =
                "\"%s\" #%d prio=5 nid=%s waiting\n  at %s(%s:1)\n  - waiting to lock <0x1> (a %s)\n  - locked <0x2> (a %s)\n";
        String circle = """
                Found one Java-level deadlock:
                "%s":
                  waiting to lock monitor 0x1 (object 0x1, a %s),
                Java stack information for the threads listed above:
                """;
        for (String id : new String[] {"0x1f", "09", name}) {
            ThreadDump.deadlocked(thread.formatted(name, 1, id, name, name, name, name)
                    + thread.formatted("b", 2, "7", "C.m", "C.java", "C", name)
                    + circle.formatted(name, name)
                    + name);
        }
    }

    private static void names(String name) {
        JavaNames.ofClass(name);
        JavaNames.outermostSimple(name);
        JavaNames.signature(name, name);
        JavaNames.signature(name, "(" + name);
        JavaNames.signature(name, "(" + name + ")" + name);
        JavaNames.signature(name, "([[L" + name + ";I)" + name);
    }
}
