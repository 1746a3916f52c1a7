package dev.unjank.doctor.model.cause;

import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.SampledStacks;
import dev.unjank.doctor.model.Summary;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A root cause: the incidents with the same resource, waiters and owner's code. Each incident belongs to exactly one
 * root cause, as a wait or as a sleep of the owner during these waits.
 *
 * @param rank the rank by cost, from 1
 * @param key what its incidents have in common
 * @param verdict the verdict with the longest total wait; {@link Verdict#UNKNOWN} only if the others have less than a
 *     tenth, {@link Verdict#LOCK_CONVOY} only if owners did not sleep for most of the time
 * @param verdicts the incidents by verdict, longest total wait first
 * @param example the longest incident with the verdict, which stands for the others
 * @param kind the kind of resource
 * @param resource the resource: the class of a lock, an interface, a kernel function; empty if the kind identifies it
 * @param pauses the GC pauses among the waits by operation, most first; empty for other kinds
 * @param process the waiters' process, null if unknown
 * @param waiters the waiting threads
 * @param owners the owners' threads; null without an owner
 * @param waiterSite the program's code that waits; null if unknown
 * @param ownerSite the program's code that holds the lock, took the resource or serves the call; null if unknown
 * @param ownerActivity the owner's call: the frames of its stack from the innermost one to its code site, exclusive;
 *     for the holder of a resource to the program's innermost frame, inclusive
 * @param stacks the recorded stacks, longest total wait first
 * @param ownerStates the owners' states, longest first; their sum is {@code totalNs}
 * @param incidents the ids of its incidents, ascending
 * @param meanwhile the ids of the owners' own sleeps and I/O while others waited for their lock, ascending; not in the
 *     totals
 * @param partOf the key of the root cause of the waits for a lock that these threads held while they slept; null if
 *     there is none
 * @param occurrences the number of occurrences: simultaneous waits, and waits for one hold of a lock, count once
 * @param totalNs the sum of the waits, ns
 * @param p50Ns the median wait, ns
 * @param p95Ns the wait that 95 % of the waits do not exceed, ns
 * @param maxNs the longest wait, ns
 * @param costNs the cost by {@link RootCauses#measure}, ns
 * @param samples the stack samples of the last owners during the waits, or of the handler
 */
public record RootCause(
        int rank,
        Key key,
        Verdict verdict,
        List<Summary.Total> verdicts,
        Incident example,
        WaitKind kind,
        String resource,
        List<PauseTotal> pauses,
        @Nullable String process,
        ThreadGroupRef waiters,
        @Nullable ThreadGroupRef owners,
        @Nullable CodeLocation waiterSite,
        @Nullable CodeLocation ownerSite,
        List<CodeLocation> ownerActivity,
        List<StackTotal> stacks,
        List<Incident.StateDuration> ownerStates,
        List<Integer> incidents,
        List<Integer> meanwhile,
        @Nullable Key partOf,
        int occurrences,
        long totalNs,
        long p50Ns,
        long p95Ns,
        long maxNs,
        long costNs,
        SampledStacks samples) {
    /** Copies the lists. */
    public RootCause {
        verdicts = List.copyOf(verdicts);
        pauses = List.copyOf(pauses);
        ownerActivity = List.copyOf(ownerActivity);
        stacks = List.copyOf(stacks);
        ownerStates = List.copyOf(ownerStates);
        incidents = List.copyOf(incidents);
        meanwhile = List.copyOf(meanwhile);
    }

    /**
     * The properties that the incidents of a root cause have in common; equal for the same root cause in other traces.
     *
     * @param process the waiters' process, empty if unknown
     * @param kind the kind of resource
     * @param resource the resource, with the class that waits if many parts of a program have such a resource
     * @param waiters the group of waiting threads
     * @param owner the owner's method, or the group of owners of a resource other than a lock; empty if unknown
     */
    public record Key(String process, WaitKind kind, String resource, String waiters, String owner) {}

    /**
     * The waits with the same stacks.
     *
     * @param waiter the waiter's stack
     * @param owner the owner's stack
     * @param waits the number of waits
     * @param durNs their total duration, ns
     */
    public record StackTotal(CallStack waiter, CallStack owner, int waits, long durNs) {}

    /**
     * The pauses for the same operation.
     *
     * @param operation the collection with its cause: {@code G1Full (System.gc())}
     * @param pauses their number
     */
    public record PauseTotal(String operation, int pauses) {}

    /** {@return this root cause with another rank} */
    RootCause withRank(int other) {
        return new RootCause(
                other,
                key,
                verdict,
                verdicts,
                example,
                kind,
                resource,
                pauses,
                process,
                waiters,
                owners,
                waiterSite,
                ownerSite,
                ownerActivity,
                stacks,
                ownerStates,
                incidents,
                meanwhile,
                partOf,
                occurrences,
                totalNs,
                p50Ns,
                p95Ns,
                maxNs,
                costNs,
                samples);
    }

    /** {@return the ids of all its incidents: the waits, and the sleeps of owners during them} */
    public List<Integer> allIncidents() {
        return Stream.concat(incidents.stream(), meanwhile.stream()).toList();
    }
}
