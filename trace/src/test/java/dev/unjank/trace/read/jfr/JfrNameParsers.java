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
        return readers;
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
