package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.proto.PacketFields.ProcessTree;
import dev.unjank.trace.proto.PacketFields.ProcessTreeProcess;
import dev.unjank.trace.proto.PacketFields.ProcessTreeThread;
import dev.unjank.trace.proto.ProtoReader;

/** Imports lists of processes and threads. */
final class ProcessTreeImporter {
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
        while (entry.next()) {
            switch (entry.field()) {
                case ProcessTreeProcess.PID -> pid = entry.intValue();
                case ProcessTreeProcess.PPID -> parent = entry.intValue();
                case ProcessTreeProcess.UID -> uid = entry.intValue();
                case ProcessTreeProcess.CMDLINE -> {
                    if (name < 0) {
                        name = builder.intern(entry.bytes(), entry.from(), entry.length());
                    }
                }
                default -> {}
            }
        }
        if (name >= 0) {
            builder.kernel().process(ts, pid, parent, name, uid);
        }
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
