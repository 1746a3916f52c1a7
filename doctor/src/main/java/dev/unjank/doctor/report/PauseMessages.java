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
import dev.unjank.doctor.model.cause.RootCause;
import dev.unjank.trace.text.TerminalText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Messages for pauses of a whole process: GC and safepoint pauses, and stops from outside. */
public final class PauseMessages {
    private static final int MOST_PHASES = 3;

    /** Phases with a smaller share are left out. */
    private static final double LEAST_SHARE = 0.01;

    /** The names of collections of the whole heap that stop all threads. */
    private static final Set<String> FULL =
            Set.of("G1Full", "SerialOld", "ParallelOld", "PSMarkSweep", "MarkSweepCompact", "Pause Full");

    private PauseMessages() {}

    /** The collections of several pauses: the number of each kind, and which are full collections. */
    static String collections(List<RootCause.PauseTotal> pauses) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (RootCause.PauseTotal total : pauses) {
            int cause = total.operation().indexOf(" (");
            String kind = cause < 0 ? total.operation() : total.operation().substring(0, cause);
            counts.merge(kind, total.pauses(), Integer::sum);
        }
        return Messages.of(
                "target.GC.pauses",
                counts.entrySet().stream()
                        .map(kind -> Messages.of(
                                FULL.contains(kind.getKey()) ? "target.GC.full" : "target.GC.kind",
                                kind.getValue(),
                                TerminalText.printableStart(kind.getKey())))
                        .collect(Collectors.joining(", ")));
    }

    /** The time to the safepoint, the time of the operation, and the longest phases. */
    static String phaseBreakdown(Incident incident) {
        Wait wait = incident.rootWait();
        if (wait.kind() == WaitKind.STOP) {
            return Messages.of(
                    "pause.stop", DurationFormat.time(wait.durNs()), TerminalText.printableStart(wait.target()));
        }
        long reaching = incident.timeIn(OwnerState.REACHING_SAFEPOINT);
        long collecting = incident.timeIn(OwnerState.GC_PAUSE);
        long other = incident.timeIn(OwnerState.SAFEPOINT);
        double least = wait.durNs() * LEAST_SHARE;
        List<String> clauses = new ArrayList<>();
        if (reaching >= least) {
            clauses.add(Messages.of("pause.reaching", DurationFormat.time(reaching)));
        }
        if (collecting >= least) {
            clauses.add(Messages.of("pause.collecting", DurationFormat.time(collecting)));
        }
        if (other >= least) {
            clauses.add(
                    collecting > 0
                            ? Messages.of("pause.around", DurationFormat.time(other))
                            : Messages.of(
                                    "pause.operation",
                                    DurationFormat.time(other),
                                    TerminalText.printableStart(wait.target())));
        }
        List<String> phases = phases(wait, least);
        String times = MessageCatalogue.enumerate(clauses);
        return phases.isEmpty()
                ? Messages.of("pause.times", times)
                : Messages.of("pause.timesAndPhases", times, MessageCatalogue.enumerate(phases));
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
            String name = ThreadLabels.name(owner);
            return Messages.of(
                    isLate(incident) ? "component.reachedLast" : "component.requested",
                    site == null
                            ? name
                            : Messages.of("component.in", name, TerminalText.printableStart(site.method())));
        }
        if (BlockerKind.of(incident).isCausedByRecorder()) {
            return Messages.of("component.recorder");
        }
        return incident.verdict() == Verdict.GC_BLOCKED ? Messages.of("component.allocation") : "";
    }

    /** The reason for the verdict. */
    static String meaning(Incident incident) {
        if (incident.verdict() == Verdict.STOPPED) {
            return Messages.of("pause.STOPPED");
        }
        if (incident.verdict() == Verdict.GC_BLOCKED) {
            String cause = BlockerKind.of(incident) == BlockerKind.OBJECT_COUNT
                    ? Messages.of("pause.objectCount")
                    : ofCause(incident.rootWait().target());
            return Messages.of("pause.GC_BLOCKED", cause).strip();
        }
        if (isLate(incident)) {
            return Messages.of("pause.late");
        }
        String operation = ofOperation(incident.rootWait().target());
        boolean isRecorder = operation.isEmpty() && BlockerKind.of(incident).isCausedByRecorder();
        return Messages.of("pause.SAFEPOINT_BLOCKED", isRecorder ? Messages.of("pause.recorder") : operation)
                .strip();
    }

    /** Whether the time to the safepoint was most of the pause. */
    private static boolean isLate(Incident incident) {
        return incident.timeIn(OwnerState.REACHING_SAFEPOINT) * 2
                > incident.rootWait().durNs();
    }

    private static String ofOperation(String operation) {
        String key = "pause.operation." + operation;
        return Messages.contains(key)
                ? Messages.of(key)
                : operation.startsWith("JFR") ? Messages.of("pause.operation.JFR") : "";
    }

    /** The evidence for a pause. */
    static String evidence(Incident incident) {
        return incident.verdict() == Verdict.STOPPED ? Messages.of("evidence.stop") : Messages.of("evidence.pause");
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
        String percent = tenths == 0 ? "<0.1" : tenths / 10 + "." + tenths % 10;
        return onlyPauses
                ? Messages.of("pause.share", percent)
                : Messages.of(
                        "pause.sumAndShare",
                        DurationFormat.roundTime(least),
                        Messages.times(stops.size()),
                        DurationFormat.time(sum),
                        percent);
    }

    private static String ofCause(String collection) {
        int open = collection.lastIndexOf(" (");
        String cause =
                open < 0 || !collection.endsWith(")") ? "" : collection.substring(open + 2, collection.length() - 1);
        String lastResort =
                collection.startsWith("G1Full ") && !isRequested(cause) ? Messages.of("pause.lastResort") : "";
        return (reason(collection, cause) + " " + lastResort).strip();
    }

    private static boolean isRequested(String cause) {
        return switch (cause) {
            case "System.gc()", "Heap Inspection Initiated GC", "Heap Dump Initiated GC", "Diagnostic Command" -> true;
            default -> false;
        };
    }

    private static String reason(String collection, String cause) {
        return switch (cause) {
            case "System.gc()" -> Messages.of("pause.cause.program");
            case "Heap Inspection Initiated GC", "Heap Dump Initiated GC", "Diagnostic Command" ->
                Messages.of("pause.cause.tool");
            case "Metadata GC Threshold", "Metadata GC Clear Soft References" -> Messages.of("pause.cause.metaspace");
            case "GCLocker Initiated GC" -> Messages.of("pause.cause.critical");
            case "G1 Humongous Allocation" -> Messages.of("pause.cause.humongous");
            case "G1 Evacuation Pause", "Allocation Failure", "G1 Preventive Collection" ->
                Messages.of("pause.cause.young");
            default -> collection.startsWith("Pause ") ? Messages.of("pause.cause.concurrent") : "";
        };
    }
}
