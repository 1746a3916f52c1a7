package dev.unjank.record.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder that looks as the kernel's tracing file system does, with two CPUs whose buffers hold the pages that a test
 * gives.
 */
class FakeTraceFs extends TraceFs {
    private static final int CPUS = 2;

    /** What was written to the settings of the instance, as name=value. */
    final List<String> settings = new ArrayList<>();

    private final List<List<byte[]>> pages = List.of(new ArrayList<>(), new ArrayList<>());
    private long overrun;

    FakeTraceFs(Path root) throws IOException {
        super(root);
        Files.createDirectories(root.resolve("instances"));
        Files.createDirectories(root.resolve("events"));
        Files.writeString(root.resolve("events/header_page"), EventFormats.HEADER_PAGE);
        event("sched/sched_switch", EventFormats.SCHED_SWITCH);
    }

    void event(String name, String format) throws IOException {
        Path folder = Files.createDirectories(root.resolve("events").resolve(name));
        Files.writeString(folder.resolve("format"), format);
    }

    /** The kernel has filled a page of a CPU. */
    void page(int cpu, byte[] page) {
        pages.get(cpu).add(page);
    }

    /** So many events of CPU 0 were overwritten unread. */
    void overrun(long events) {
        overrun = events;
    }

    @Override
    Path createInstance(String name) throws IOException {
        Path folder = super.createInstance(name);
        Files.createDirectories(folder.resolve("events/sched/sched_switch"));
        for (int cpu = 0; cpu < CPUS; cpu++) {
            Path ofCpu = Files.createDirectories(folder.resolve("per_cpu/cpu" + cpu));
            Files.writeString(
                    ofCpu.resolve("stats"),
                    "entries: 0\noverrun: " + (cpu == 0 ? overrun : 0)
                            + "\ncommit overrun: 0\nbytes: 0\ndropped events: 0\nread events: 3\n");
            Path raw = Files.createFile(ofCpu.resolve("trace_pipe_raw"));
            for (byte[] page : pages.get(cpu)) {
                Files.write(raw, page, StandardOpenOption.APPEND);
            }
        }
        return folder;
    }

    @Override
    void removeInstance(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                if (Files.isRegularFile(each) && !each.startsWith(folder.resolve("per_cpu"))) {
                    settings.add(folder.relativize(each) + "=" + Files.readString(each));
                }
                Files.delete(each);
            }
        }
    }
}
