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

/** Says in plain English what happened while all threads of a process stood still: held by a virtual machine, or stopped from outside. */
public final class PauseMessages {
    private static final int MOST_PHASES = 3;

    /** What took a smaller share is not worth a word. */
    private static final double LEAST_SHARE = 0.01;

    private PauseMessages() {}

    /** How long it took until all threads had stopped, what was done then, and which phases took the most time. */
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
            clauses.add(DurationFormat.time(reaching) + " until all had stopped");
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
        return "All threads stood still: " + MessageCatalogue.enumerate(clauses) + "."
                + (phases.isEmpty()
                        ? ""
                        : " Of the pause's phases the longest: " + MessageCatalogue.enumerate(phases) + ".");
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

    /** What happened, in a sentence. */
    static String sentence(Incident incident) {
        Wait wait = incident.rootWait();
        if (wait.kind() == WaitKind.STOP) {
            String process = wait.thread().process();
            return (process == null ? "a process whose name was not recorded" : TerminalText.printableStart(process))
                    + " was stopped as a whole for " + DurationFormat.time(wait.durNs()) + ", from outside, by "
                    + TerminalText.printableStart(wait.target()) + ": " + incident.verdict();
        }
        return ThreadLabels.nameAndProcess(wait.thread()) + " stood still for " + DurationFormat.time(wait.durNs())
                + " because of " + WaitMessages.what(wait) + ": " + incident.verdict();
    }

    /** Whom to ask about it; the collector itself cannot be asked. */
    static String componentToLookAt(Incident incident) {
        ThreadRef owner = incident.owner().thread();
        CodeLocation site = incident.owner().location();
        if (owner.isInTrace()) {
            return " Talk to whoever wrote what " + ThreadLabels.name(owner) + " does"
                    + (site == null ? "" : " in " + TerminalText.printableStart(site.method()))
                    + (isLate(incident) ? ": the others had to wait for it." : ": it asked for this.");
        }
        if (BlockerKind.of(incident).isCausedByRecorder()) {
            return " It was the recorder itself: talk to whoever made the recording.";
        }
        return incident.verdict() == Verdict.GC_BLOCKED ? " An allocation profile shows whose garbage it is." : "";
    }

    /** What it means for whoever wrote the program. */
    static String meaning(Incident incident) {
        if (incident.verdict() == Verdict.STOPPED) {
            return "Somebody outside stopped the whole process. Nothing in its code made it wait, and whatever"
                    + " else waited or was late meanwhile was so for this reason.";
        }
        if (incident.verdict() == Verdict.GC_BLOCKED) {
            return "A pause of the garbage collector stops every thread. "
                    + (BlockerKind.of(incident) == BlockerKind.OBJECT_COUNT
                            ? "Most of this one was the recorder's, which counted all objects."
                            : ofCause(incident.rootWait().target()));
        }
        if (isLate(incident)) {
            return "All threads must stand still for a safepoint, and most of the time went by until the last one had stopped: it"
                    + " ran on in code that does not look for a safepoint, or had no CPU.";
        }
        String operation = ofOperation(incident.rootWait().target());
        boolean offScheduler = operation.isEmpty() && BlockerKind.of(incident).isCausedByRecorder();
        return "All threads must stand still for a safepoint, and what the virtual machine did then took long. "
                + (offScheduler ? "It was the recorder itself that asked for this." : operation);
    }

    /** Whether most of the time went by until all threads had stopped. */
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
                "It took compiled code back, since a class or a breakpoint came that this code did not reckon with.";
            case "JFROldObject" ->
                "It was the recorder itself that looked for paths to old objects: jdk.OldObjectSample with"
                        + " path-to-gc-roots=true.";
            default -> operation.startsWith("JFR") ? "It was the recorder itself." : "";
        };
    }

    /** How the time of a stop is known. */
    static String evidence(Incident incident) {
        return incident.verdict() == Verdict.STOPPED
                ? "the scheduler's account of all threads of the process"
                : "the virtual machine's own account of when all threads stood still";
    }

    /** How much of a recording went by while all threads stood still; empty if none did. */
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
        boolean allDid = stops.size() == diagnosis.incidents().size(); // so that their number and sum are told
        return "All threads stood still for "
                + (allDid
                        ? ""
                        : "at least " + DurationFormat.roundTime(least) + " " + EnglishCounts.times(stops.size()) + ", "
                                + DurationFormat.time(sum) + " in all: ")
                + (tenths == 0 ? "<0.1" : tenths / 10 + "." + tenths % 10) + " % of the recording.";
    }

    private static String ofCause(String collection) {
        int open = collection.lastIndexOf(" (");
        String cause =
                open < 0 || !collection.endsWith(")") ? "" : collection.substring(open + 2, collection.length() - 1);
        String lastResort = collection.startsWith("G1Full ") && !isAskedFor(cause)
                ? " A full collection is the last resort of G1: the heap was too full to be cleaned up beside the program."
                : "";
        return reason(collection, cause) + lastResort;
    }

    private static boolean isAskedFor(String cause) {
        return switch (cause) {
            case "System.gc()", "Heap Inspection Initiated GC", "Heap Dump Initiated GC", "Diagnostic Command" -> true;
            default -> false;
        };
    }

    private static String reason(String collection, String cause) {
        return switch (cause) {
            case "System.gc()" -> "The program itself asked for this one, with System.gc().";
            case "Heap Inspection Initiated GC", "Heap Dump Initiated GC", "Diagnostic Command" ->
                "Somebody asked for this one from outside, with a tool.";
            case "Metadata GC Threshold", "Metadata GC Clear Soft References" ->
                "This one was made since the room for classes was used up: see -XX:MetaspaceSize.";
            case "GCLocker Initiated GC" ->
                "This one had to wait until the last thread had left its JNI critical section.";
            case "G1 Humongous Allocation" ->
                "This one was made for an array that takes half a region or more; -XX:G1HeapRegionSize makes regions larger.";
            case "G1 Evacuation Pause", "Allocation Failure", "G1 Preventive Collection" ->
                "This one was made since the room for new objects was used up.";
            default ->
                collection.startsWith("Pause ")
                        ? "This one belongs to a collection that otherwise runs beside the program."
                        : "";
        };
    }
}
