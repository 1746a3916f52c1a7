package dev.unjank.trace.read.perfetto;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.proto.PacketFields.PerfSample;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.read.common.SkippedRecords;
import dev.unjank.trace.read.common.UnreadableRecords;

/** Imports stack samples of perf: the thread that ran on a CPU at a time, and its call stack. */
final class PerfSampleImporter {
    private final TraceBuilder builder;
    private final SkippedRecords skipped;
    private final ProtoReader sample = new ProtoReader();

    PerfSampleImporter(TraceBuilder builder, SkippedRecords skipped) {
        this.builder = builder;
        this.skipped = skipped;
    }

    /** Imports the sample in a packet's current field. */
    void read(ProtoReader packet, long ts, PacketSequence sequence) {
        int cpu = -1;
        int pid = 0;
        int tid = -1;
        int call = -1;
        boolean isSample = true;
        sample.resetToField(packet);
        while (sample.next()) {
            switch (sample.field()) {
                case PerfSample.CPU -> cpu = sample.intValue();
                case PerfSample.PID -> pid = sample.intValue();
                case PerfSample.TID -> tid = sample.intValue();
                case PerfSample.CALLSTACK_IID -> call = sequence.stacks.stack(sample.value());
                case PerfSample.KERNEL_RECORDS_LOST -> {
                    isSample = false;
                    skipped.omit(UnreadableRecords.Kind.SAMPLES);
                }
                case PerfSample.SAMPLE_SKIPPED_REASON -> {
                    isSample = false;
                    skipped.omit(UnreadableRecords.Kind.STACK);
                }
                default -> {}
            }
        }
        if (isSample && tid >= 0) {
            builder.samples().sample(ts, tid, pid, cpu, call, true);
        }
    }
}
