package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import dev.unjank.trace.read.jfr.VmPauses.Piece;
import dev.unjank.trace.read.jfr.format.FieldReader;
import java.util.Set;

/** Imports events about the whole JVM, and samples that a profiler takes of threads. */
final class VmEventImporter {
    // The slots of fields after time, duration and thread.
    private static final int FIRST = 3;
    private static final int SECOND = 4;
    private static final int THIRD = 5;
    private static final int FOURTH = 6;

    private static final int PER_MILLION = 1_000_000;

    private final JvmRun recording;
    private final Set<Integer> runnable;

    private VmEventImporter(TraceBuilder builder, JvmRun recording) {
        this.recording = recording;
        runnable = Set.of(builder.intern("STATE_RUNNABLE"), builder.intern("RUNNABLE"));
    }

    static void bind(EventBindings kinds, TraceBuilder builder, JvmRun recording) {
        VmEventImporter events = new VmEventImporter(builder, recording);
        kinds.add("jdk.JVMInformation", events::information, "pid", "javaArguments");
        kinds.add("jdk.ActiveSetting", events::setting, "id", "name", "value");
        kinds.add("jdk.DataLoss", events::loss, "amount");
        kinds.add("dev.unjank.Clock", events::clock, "nanoTime", "error");
        kinds.add("jdk.SafepointBegin", event -> events.safepoint(event, Piece.BEGIN), "safepointId");
        kinds.add("jdk.SafepointStateSynchronization", event -> events.safepoint(event, Piece.REACHING), "safepointId");
        kinds.add("jdk.SafepointEnd", event -> events.safepoint(event, Piece.END), "safepointId");
        kinds.add("jdk.ExecuteVMOperation", events::operation, "safepointId", "safepoint", "operation", "caller");
        kinds.add("jdk.GCPhasePause", events::pause, "gcId", "name");
        kinds.add("jdk.GCPhasePauseLevel1", events::phase, "name");
        kinds.add("jdk.GCPhasePauseLevel2", events::phase, "name");
        kinds.add("jdk.GCHeapSummary", events::heap, "heapUsed");
        kinds.add("jdk.GarbageCollection", events::collection, "gcId", "name", "cause", "sumOfPauses");
        kinds.add("jdk.ThreadDump", events::threadDump, "result");
        kinds.add("jdk.ThreadCPULoad", events::threadLoad, "user", "system");
        kinds.add("jdk.CPULoad", events::load, "jvmUser", "jvmSystem", "machineTotal");
        kinds.addSampleType("jdk.ExecutionSample", events::sample, "stackTrace", "state");
        kinds.addSampleType("jdk.NativeMethodSample", event -> events.sampled(event, false), "stackTrace");
        kinds.addSampleType("profiler.WallClockSample", events::sample, "stackTrace", "state");
        kinds.add("datadog.ExecutionSample", events::sample, "stackTrace", "state");
        kinds.add("datadog.MethodSample", events::sample, "stackTrace", "state");
        kinds.add("jdk.CPUTimeSample", event -> events.sampled(event, true), "stackTrace");
    }

    private void information(FieldReader event) {
        String program = recording.text(event, SECOND);
        long pid = event.number(FIRST);
        recording.setProcessName(
                pid > 0 && pid <= Integer.MAX_VALUE ? (int) pid : 0, program == null ? "" : firstWord(program));
    }

    static String firstWord(String program) {
        int space = program.indexOf(' ');
        return space < 0 ? program : program.substring(0, space);
    }

    private void setting(FieldReader event) {
        String name = recording.text(event, SECOND);
        String value = recording.text(event, THIRD);
        if (name != null && value != null) {
            recording.settings.set(event.number(FIRST), name, value);
        }
    }

    private void loss(FieldReader event) {
        long bytes = event.number(FIRST);
        recording.settings.lost(bytes);
        long at = recording.start(event);
        if (at >= 0) {
            recording.counters.add(JfrThreads.NONE, JfrChunks.LOST, "bytes", at, bytes);
            recording.lost(at);
        }
    }

    private void safepoint(FieldReader event, Piece piece) {
        long start = recording.start(event);
        if (start >= 0) {
            recording.pauses.safepoint(event.number(FIRST), start, recording.end(event), piece);
        }
    }

    private void operation(FieldReader event) {
        long start = recording.start(event);
        String operation = recording.text(event, THIRD);
        if (start >= 0 && event.number(SECOND) != 0 && operation != null) {
            int caller = recording.constants().thread(event.value(FOURTH));
            if (caller != JfrThreads.NONE) {
                recording.threads.firstSeen(caller, start);
            }
            recording.pauses.operation(event.number(FIRST), start, recording.end(event), operation, caller);
        }
    }

    private void phase(FieldReader event) {
        long start = recording.start(event);
        if (start >= 0) {
            String name = recording.text(event, FIRST);
            recording.pauses.phase(start, recording.end(event), name);
        }
    }

    private void heap(FieldReader event) {
        long at = recording.start(event);
        if (at >= 0) {
            recording.counters.add(JfrThreads.NONE, "heap used", "bytes", at, event.number(FIRST));
        }
    }

    private void pause(FieldReader event) {
        long start = recording.start(event);
        if (start >= 0) {
            String name = recording.text(event, SECOND);
            recording.allocations.begins(event.number(FIRST), start);
            recording.pauses.pause(event.number(FIRST), start, recording.end(event), name);
        }
    }

    private void collection(FieldReader event) {
        long start = recording.start(event);
        if (start < 0) {
            return;
        }
        recording.allocations.begins(event.number(FIRST), start);
        recording.pauses.collection(
                event.number(FIRST),
                start,
                recording.end(event),
                event.number(FOURTH) > 0 && event.number(FOURTH) >= event.number(JvmRun.DURATION),
                recording.text(event, SECOND),
                recording.text(event, THIRD));
    }

    private void threadDump(FieldReader event) {
        long at = recording.start(event);
        String text = recording.text(event, FIRST);
        if (at >= 0 && text != null) {
            recording.deadlocks.add(at, text);
        }
    }

    private void threadLoad(FieldReader event) {
        int thread = recording.thread(event);
        if (thread != JfrThreads.NONE) {
            double load = event.fraction(FIRST) + event.fraction(SECOND);
            recording.counters.add(thread, "CPU load", "ppm", recording.start(event), perMillion(load));
        }
    }

    private void load(FieldReader event) {
        long at = recording.start(event);
        if (at >= 0) {
            double own = event.fraction(FIRST) + event.fraction(SECOND);
            recording.counters.add(JfrThreads.NONE, "JVM CPU load", "ppm", at, perMillion(own));
            recording.counters.add(JfrThreads.NONE, "machine CPU load", "ppm", at, perMillion(event.fraction(THIRD)));
        }
    }

    private void clock(FieldReader event) {
        long at = recording.start(event);
        if (at >= 0) {
            recording.counters.add(JfrThreads.NONE, JfrChunks.NANO_TIME, "ns", at, event.number(FIRST));
            recording.counters.add(JfrThreads.NONE, JfrChunks.NANO_TIME_ERROR, "ns", at, event.number(SECOND));
        }
    }

    private static long perMillion(double share) {
        return Math.round(share * PER_MILLION);
    }

    private void sample(FieldReader event) {
        int state = recording.textId("", event, SECOND);
        sampled(event, runnable.contains(state));
    }

    private void sampled(FieldReader event, boolean running) {
        int thread = recording.thread(event);
        if (thread != JfrThreads.NONE) {
            recording.samples.add(
                    recording.start(event), thread, recording.stacks().call(event.value(FIRST)), running);
        }
    }
}
