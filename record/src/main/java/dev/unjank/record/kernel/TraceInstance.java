package dev.unjank.record.kernel;

import dev.unjank.record.lifecycle.Cleanup;
import dev.unjank.record.linux.FileCalls;
import dev.unjank.record.linux.Libc;
import dev.unjank.trace.write.TraceWriter;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A tracefs instance of one recorder, with separate settings and buffers, so that other tracers are not affected.
 *
 * <p><b>Removal.</b> {@link #close} removes the instance. If the process is killed, the kernel closes its files;
 * closing {@code free_buffer} stops tracing and frees the buffers. The next recorder removes the empty folder.
 */
final class TraceInstance implements AutoCloseable {
    static final RecorderNames NAMES = new RecorderNames("-");

    private final TraceFs fs;
    private final Path folder;
    private final NavigableSet<Integer> cpus = new TreeSet<>();
    private final List<Integer> descriptors = new ArrayList<>();

    private TraceInstance(TraceFs fs, Path folder) {
        this.fs = fs;
        this.folder = folder;
    }

    /** Creates an instance without tracing. */
    static TraceInstance create(TraceFs fs, long bytesPerCpu) throws IOException {
        TraceInstance instance = new TraceInstance(fs, fs.createInstance(NAMES.next()));
        try {
            instance.configure(bytesPerCpu);
        } catch (IOException | RuntimeException e) {
            throw Cleanup.after(e).then(instance::close).failure();
        }
        return instance;
    }

    private void configure(long bytesPerCpu) throws IOException {
        set("tracing_on", "0");
        set("trace_clock", "mono");
        set("buffer_size_kb", Long.toString(bytesPerCpu >> 10));
        setIfThere("options/overwrite", "1");
        setIfThere("options/record-cmd", "0"); // names are in the events
        if (setIfThere("options/disable_on_free", "1")) {
            descriptors.add(Libc.openForWriting(folder.resolve("free_buffer").toString()));
        }
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(folder.resolve("per_cpu"), "cpu*")) {
            for (Path cpu : folders) {
                cpus.add(Integer.parseInt(cpu.getFileName().toString().substring("cpu".length())));
            }
        }
    }

    private void set(String setting, String value) throws IOException {
        Files.writeString(folder.resolve(setting), value);
    }

    private boolean setIfThere(String setting, String value) throws IOException {
        boolean there = Files.exists(folder.resolve(setting));
        if (there) {
            set(setting, value);
        }
        return there;
    }

    /** The possible CPUs of the machine. */
    NavigableSet<Integer> cpus() {
        return cpus;
    }

    void enable(String event) throws IOException {
        set("events/" + event + "/enable", "1");
    }

    /** Sets the filter of an event. */
    void filter(String event, String condition) throws IOException {
        set("events/" + event + "/filter", condition);
    }

    /** Limits events to the given threads and the threads that they start. */
    void follow(List<Integer> tids) throws IOException {
        set("options/event-fork", "1");
        set("set_event_pid", tids.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }

    /** Starts tracing. */
    void turnOn() throws IOException {
        set("tracing_on", "1");
    }

    /** Stops tracing. The buffers can still be read. */
    void turnOff() throws IOException {
        set("tracing_on", "0");
    }

    /** Whether tracing is on: other processes may turn it off. */
    boolean isOn() throws IOException {
        return !Files.readString(folder.resolve("tracing_on")).strip().equals("0");
    }

    /** Opens a CPU's buffer for non-blocking reads. It is closed with this instance. */
    int openPages(int cpu) throws IOException {
        int descriptor = Libc.openForReading(cpuFile(cpu, "trace_pipe_raw").toString());
        descriptors.add(descriptor);
        return descriptor;
    }

    /** The kernel's counts of a CPU's buffer. */
    TraceWriter.CpuStats stats(int cpu) throws IOException {
        return stats(cpu, Files.readString(cpuFile(cpu, "stats")));
    }

    static TraceWriter.CpuStats stats(int cpu, String text) {
        long entries = 0;
        long overrun = 0;
        long commitOverrun = 0;
        long dropped = 0;
        long read = 0;
        for (String line : text.split("\n", -1)) {
            int colon = line.indexOf(": ");
            if (colon < 0 || !line.substring(colon + 2).matches("[0-9]{1,18}")) {
                continue;
            }
            long value = Long.parseLong(line.substring(colon + 2));
            switch (line.substring(0, colon)) {
                case "entries" -> entries = value;
                case "overrun" -> overrun = value;
                case "commit overrun" -> commitOverrun = value;
                case "dropped events" -> dropped = value;
                case "read events" -> read = value;
                default -> {}
            }
        }
        return new TraceWriter.CpuStats(cpu, entries, overrun, commitOverrun, dropped, read);
    }

    private Path cpuFile(int cpu, String name) {
        return folder.resolve("per_cpu").resolve("cpu" + cpu).resolve(name);
    }

    /** Removes the instance. If that fails, the exception's message names it. */
    @Override
    public void close() throws IOException {
        descriptors.forEach(FileCalls::close);
        descriptors.clear();
        try {
            fs.removeInstance(folder);
        } catch (IOException e) {
            throw new IOException(
                    "cannot remove " + folder + ": " + e.getMessage() + "; the next recording removes it", e);
        }
    }
}
