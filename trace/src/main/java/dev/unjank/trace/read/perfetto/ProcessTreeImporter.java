package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.proto.PacketFields.ProcessTree;
import dev.unjank.trace.proto.PacketFields.ProcessTreeProcess;
import dev.unjank.trace.proto.PacketFields.ProcessTreeThread;
import dev.unjank.trace.proto.ProtoReader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Imports lists of processes and threads. */
final class ProcessTreeImporter {
    /** The limit of characters in a command line, for damaged traces. */
    private static final int MAX_COMMAND_LINE = 1 << 12;

    private static final Pattern KERNEL_WORKER = Pattern.compile("kworker/[^-+]*");

    private final StringBuilder words = new StringBuilder();
    private final TraceBuilder builder;
    private final ProtoReader tree = new ProtoReader();
    private final ProtoReader entry = new ProtoReader();

    ProcessTreeImporter(TraceBuilder builder) {
        this.builder = builder;
    }

    /** Imports the list in a packet's current field. */
    void read(ProtoReader packet, long ts) {
        tree.resetToField(packet);
        while (tree.next()) {
            entry.resetToField(tree);
            switch (tree.field()) {
                case ProcessTree.PROCESSES -> process(ts);
                case ProcessTree.THREADS -> thread(ts);
                default -> {}
            }
        }
    }

    private void process(long ts) {
        int pid = 0;
        int parent = 0;
        int name = -1;
        int uid = Processes.NO_UID;
        long startNs = Long.MIN_VALUE;
        boolean hasParent = false;
        Boolean isKernelThread = null;
        words.setLength(0);
        while (entry.next()) {
            switch (entry.field()) {
                case ProcessTreeProcess.PID -> pid = entry.intValue();
                case ProcessTreeProcess.PPID -> {
                    parent = entry.intValue();
                    hasParent = true;
                }
                case ProcessTreeProcess.START_FROM_BOOT -> startNs = entry.value();
                case ProcessTreeProcess.IS_KTHREAD -> isKernelThread = entry.boolValue();
                case ProcessTreeProcess.UID -> uid = entry.intValue();
                case ProcessTreeProcess.CMDLINE -> {
                    if (name < 0) {
                        name = builder.intern(entry.bytes(), entry.from(), entry.length());
                    }
                    addWord(entry.string(Math.max(0, MAX_COMMAND_LINE - words.length())));
                }
                default -> {}
            }
        }
        if (name >= 0) {
            builder.kernel().process(ts, pid, parent, name, uid);
            boolean isChildOfIdle = hasParent && parent == 0 && pid != 0;
            builder.kernel().processDetails(ts, pid, commandLine(name), startNs, isKernelThread, isChildOfIdle);
        }
    }

    private void addWord(String word) {
        if (!words.isEmpty()) {
            words.append(' ');
        }
        words.append(word);
    }

    /** The command line; without what a kernel worker works on, as in trace processor. */
    private int commandLine(int name) {
        String all = words.toString();
        Matcher worker = KERNEL_WORKER.matcher(all);
        String text = worker.lookingAt() ? worker.group() : all;
        return text.isEmpty() ? name : builder.intern(text);
    }

    private void thread(long ts) {
        int tid = 0;
        int pid = 0;
        int name = -1;
        while (entry.next()) {
            switch (entry.field()) {
                case ProcessTreeThread.TID -> tid = entry.intValue();
                case ProcessTreeThread.TGID -> pid = entry.intValue();
                case ProcessTreeThread.NAME -> name = builder.intern(entry.bytes(), entry.from(), entry.length());
                default -> {}
            }
        }
        builder.kernel().thread(ts, tid, pid, name);
    }
}
