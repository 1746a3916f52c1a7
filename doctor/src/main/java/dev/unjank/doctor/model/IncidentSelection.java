package dev.unjank.doctor.model;

import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * The place of a diagnosis's incidents among those of all threads: with the options, what a query needs to select the
 * same ones.
 *
 * @param jvms upids of the Java virtual machines among the selected processes
 * @param drawing utids of threads that draw frames and are not main threads
 * @param process what the process of the options matches; null without one
 * @param thread what the thread of the options matches; null unless they name one
 * @param pauses the times of selected pauses of all threads, if the options name threads
 */
public record IncidentSelection(
        List<Integer> jvms,
        List<Integer> drawing,
        @Nullable ProcessMatch process,
        @Nullable ThreadMatch thread,
        List<PauseRun> pauses) {
    /** Keeps its own copies of the lists. */
    public IncidentSelection {
        jvms = List.copyOf(jvms);
        drawing = List.copyOf(drawing);
        pauses = List.copyOf(pauses);
    }

    /**
     * The part of a process that the name in the options matches.
     *
     * @param wanted the name or pid
     * @param byNumber whether it is the pid of a process
     * @param byName whether it is the name of a process
     * @param isJvm whether the process with this pid is a Java virtual machine
     */
    public record ProcessMatch(String wanted, boolean byNumber, boolean byName, boolean isJvm) {}

    /**
     * The part of a thread that the name in the options matches.
     *
     * @param wanted the name, tid or process
     * @param byNumber whether it is the tid of a thread
     * @param names full names of threads, as the kernel cuts long ones; empty if none matches
     * @param mainThreadOf processes whose main threads match; null if there is none
     * @param isWithinJvms whether only threads of virtual machines are selected
     */
    public record ThreadMatch(
            String wanted,
            boolean byNumber,
            SortedSet<String> names,
            @Nullable ProcessMatch mainThreadOf,
            boolean isWithinJvms) {
        /** {@return the names, or the wanted one if nothing matches} */
        public Set<String> namesOrWanted() {
            return names.isEmpty() ? Set.of(wanted) : names;
        }
    }

    /**
     * Consecutive pauses that are all selected.
     *
     * @param firstNs start of the first, ns
     * @param lastNs start of the last, ns
     */
    public record PauseRun(long firstNs, long lastNs) {}
}
