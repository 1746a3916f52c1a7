package dev.unjank.trace.read.jfr;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What this package does with strings out of recordings. */
public final class JfrNames {
    private JfrNames() {}

    /** By the name of the class that does it. */
    public static Map<String, Consumer<String>> readers() {
        Map<String, Consumer<String>> readers = new TreeMap<>();
        readers.put("JavaNames", JfrNames::names);
        readers.put("Settings", Settings::milliseconds);
        readers.put("ThreadEvents", name -> {
            ThreadEvents.messageName(name, name, 1);
            ThreadEvents.messageName(null, name, 1);
            ThreadEvents.messageName(name, null, 1);
        });
        readers.put("MachineEvents", MachineEvents::firstWord);
        readers.put("Metadata", Metadata::number);
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
