package dev.unjank.doctor.report;

import dev.unjank.doctor.find.wait.WaitSource;
import dev.unjank.doctor.judge.BlockerKind;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.trace.text.EnglishCounts;
import dev.unjank.trace.text.TerminalText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Messages for pauses of a whole process: GC and safepoint pauses, and stops from outside. */
public final class PauseMessages {
    private static final int MOST_PHASES = 3;

    /** Phases with a smaller share are left out. */
    private static final double LEAST_SHARE = 0.01;

    private PauseMessages() {}

    /** The time to the safepoint, the time of the operation, and the longest phases. */
    static String phaseBreakdown(Incident incident) {
        Wait wait = incident.rootWait();
        if (wait.kind() == WaitKind.STOP) {
            return "All threads were stopped from outside for " + DurationFormat.time(wait.durNs()) + ", by "
                    + TerminalText.printableStart(wait.target()) + ".";
        }
        long reaching = incident.timeIn(OwnerState.REACHING_SAFEPOINT);
        long collecting = incident.timeIn(OwnerState.GC_PAUSE);
        long other = incident.timeIn(OwnerState.SAFEPOINT);
        double least = wait.durNs() * LEAST_SHARE;
        List<String> clauses = new ArrayList<>();
        if (reaching >= least) {
            clauses.add(DurationFormat.time(reaching) + " until all had reached the safepoint");
        }
        if (collecting >= least) {
            clauses.add(DurationFormat.time(collecting) + " for the garbage collector");
        }
        if (other >= least) {
            clauses.add(DurationFormat.time(other)
                    + (collecting > 0
                            ? " at the safepoint around that"
                            : " for " + TerminalText.printableStart(wait.target())));
        }
        List<String> phases = phases(wait, least);
        return "All threads paused: " + MessageCatalogue.enumerate(clauses) + "."
                + (phases.isEmpty() ? "" : " Longest phases: " + MessageCatalogue.enumerate(phases) + ".");
    }

    private static List<String> phases(Wait wait, double least) {
        Map<String, Long> sums = new LinkedHashMap<>();
        wait.forEachLeaf(leaf -> {
            String name = leaf.detail();
            if (leaf.state() == OwnerState.GC_PAUSE && name != null && !name.equals(wait.target())) {
                sums.merge(name, leaf.durNs(), Long::sum);
            }
        });
        return sums.entrySet().stream()
                .filter(phase -> phase.getValue() >= least)
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(MOST_PHASES)
                .map(phase -> TerminalText.printableStart(phase.getKey()) + " " + DurationFormat.time(phase.getValue()))
                .toList();
    }

    /** The paused or stopped process. */
    static String waiter(Wait wait, String duration) {
        if (wait.kind() == WaitKind.STOP) {
            String process = wait.thread().process();
            return Messages.of(
                    "waiter.stop",
                    process == null ? Messages.of("waiter.unnamedProcess") : TerminalText.printableStart(process),
                    duration,
                    TerminalText.printableStart(wait.target()));
        }
        return Messages.of(
                wait.kind() == WaitKind.GC ? "waiter.gcPause" : "waiter.safepointPause",
                ThreadLabels.nameAndProcess(wait.thread()),
                duration,
                TerminalText.printableStart(wait.target()));
    }

    /** {@return the component to look at; empty if none is recorded} */
    static String componentToLookAt(Incident incident) {
        ThreadRef owner = incident.owner().thread();
        CodeLocation site = incident.owner().location();
        if (owner.isInTrace()) {
            return ThreadLabels.name(owner)
                    + (site == null ? "" : " in " + TerminalText.printableStart(site.method()))
                    + (isLate(incident) ? ", which reached the safepoint last" : ", which requested the operation");
        }
        if (BlockerKind.of(incident).isCausedByRecorder()) {
            return "the settings of the recording: the recorder itself caused the pause";
        }
        return incident.verdict() == Verdict.GC_BLOCKED ? "the allocating code, by an allocation profile" : "";
    }

    /** The reason for the verdict. */
    static String meaning(Incident incident) {
        if (incident.verdict() == Verdict.STOPPED) {
            return "A signal or a debugger stopped the whole process. Its code is not the cause, nor of other waits and missed frames"
                    + " during the stop.";
        }
        if (incident.verdict() == Verdict.GC_BLOCKED) {
            return "A GC pause stops every thread. "
                    + (BlockerKind.of(incident) == BlockerKind.OBJECT_COUNT
                            ? "Most of this one went to the recorder, which counted all objects."
                            : ofCause(incident.rootWait().target()));
        }
        if (isLate(incident)) {
            return "Most of the safepoint pause was time to safepoint: the last thread ran code that does not check for one, or had no"
                    + " CPU.";
        }
        String operation = ofOperation(incident.rootWait().target());
        boolean isRecorder = operation.isEmpty() && BlockerKind.of(incident).isCausedByRecorder();
        return "Most of the safepoint pause was the operation of the virtual machine. "
                + (isRecorder ? "The recorder itself requested it." : operation);
    }

    /** Whether the time to the safepoint was most of the pause. */
    private static boolean isLate(Incident incident) {
        return incident.timeIn(OwnerState.REACHING_SAFEPOINT) * 2
                > incident.rootWait().durNs();
    }

    private static String ofOperation(String operation) {
        return switch (operation) {
            case "ThreadDump", "PrintThreads", "FindDeadlocks", "GetAllStackTraces", "GetThreadListStackTraces" ->
                "It looked at the stacks of all threads, as monitoring tools ask for.";
            case "HeapDumper", "GC_HeapInspection" -> "It wrote down all objects of the heap.";
            case "RedefineClasses" -> "An agent or a debugger changed classes of the running program.";
            case "RevokeBias", "BulkRevokeBias", "EnableBiasedLocking" ->
                "It took a lock's bias towards one thread back; -XX:-UseBiasedLocking does without.";
            case "DeoptimizeAll", "DeoptimizeFrame", "DeoptimizeTheWorld", "MarkActiveNMethods" ->
                "It deoptimized compiled code, because of a new class or a breakpoint.";
            case "JFROldObject" ->
                "It was the recorder itself that looked for paths to old objects: jdk.OldObjectSample with"
                        + " path-to-gc-roots=true.";
            default -> operation.startsWith("JFR") ? "It was the recorder itself." : "";
        };
    }

    /** The evidence for a pause. */
    static String evidence(Incident incident) {
        return incident.verdict() == Verdict.STOPPED
                ? "scheduler events of all threads of the process"
                : "the virtual machine records its pauses";
    }

    /** {@return the share of a recording in pauses; empty without pauses} */
    public static String share(Diagnosis diagnosis) {
        List<Incident> stops = diagnosis.incidents().stream()
                .filter(incident -> incident.rootWait().isProcessPause())
                .toList();
        if (stops.isEmpty()) {
            return "";
        }
        long sum = stops.stream().mapToLong(stop -> stop.rootWait().durNs()).sum();
        long least = Math.max(diagnosis.search().options().minDuration().toNanos(), WaitSource.MIN_WAIT_NS);
        long tenths = Math.round(1000.0 * sum / Math.max(1, diagnosis.durationNs()));
        boolean onlyPauses = stops.size() == diagnosis.incidents().size(); // then the summary has number and sum
        return "All threads paused for "
                + (onlyPauses
                        ? ""
                        : "at least " + DurationFormat.roundTime(least) + " " + EnglishCounts.times(stops.size()) + ", "
                                + DurationFormat.time(sum) + " in all: ")
                + (tenths == 0 ? "<0.1" : tenths / 10 + "." + tenths % 10) + " % of the recording.";
    }

    private static String ofCause(String collection) {
        int open = collection.lastIndexOf(" (");
        String cause =
                open < 0 || !collection.endsWith(")") ? "" : collection.substring(open + 2, collection.length() - 1);
        String lastResort = collection.startsWith("G1Full ") && !isRequested(cause)
                ? " A full collection is the last resort of G1: the heap was too full for a concurrent one."
                : "";
        return reason(collection, cause) + lastResort;
    }

    private static boolean isRequested(String cause) {
        return switch (cause) {
            case "System.gc()", "Heap Inspection Initiated GC", "Heap Dump Initiated GC", "Diagnostic Command" -> true;
            default -> false;
        };
    }

    private static String reason(String collection, String cause) {
        return switch (cause) {
            case "System.gc()" -> "The program requested this one, with System.gc().";
            case "Heap Inspection Initiated GC", "Heap Dump Initiated GC", "Diagnostic Command" ->
                "A tool requested this one from outside.";
            case "Metadata GC Threshold", "Metadata GC Clear Soft References" ->
                "This one was caused by a full metaspace: see -XX:MetaspaceSize.";
            case "GCLocker Initiated GC" -> "This one waited until the last thread had left its JNI critical section.";
            case "G1 Humongous Allocation" ->
                "This one was caused by an array of half a region or more; -XX:G1HeapRegionSize makes regions larger.";
            case "G1 Evacuation Pause", "Allocation Failure", "G1 Preventive Collection" ->
                "This one was caused by a full young generation.";
            default -> collection.startsWith("Pause ") ? "This one belongs to a concurrent collection." : "";
        };
    }
}
