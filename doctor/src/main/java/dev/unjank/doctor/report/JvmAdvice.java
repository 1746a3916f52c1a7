package dev.unjank.doctor.report;

import dev.unjank.doctor.judge.BlockerKind;
import dev.unjank.doctor.model.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What helps on a Java virtual machine and nowhere else, and the queries over what its recordings hold. */
final class JvmAdvice {
    /** The leaves of the blame tree: what was done by whom, as far as the recording tells. */
    private static final String LEAVES = """
            SELECT blame.ts, blame.dur, blame.state, blame.thread_name, blame.detail
            FROM unjank_blame AS blame JOIN unjank_incident AS incident ON incident.id = blame.incident_id
            WHERE incident.tid = {thread} AND incident.ts >= {from} AND incident.ts < {to}
            ORDER BY blame.ts""";

    /** What stopped all threads, with its phases, and the collections that ran beside the program. */
    private static final String STOPS = """
            SELECT slice.ts, slice.dur, slice.depth, slice.name
            FROM slice JOIN process_track ON slice.track_id = process_track.id
            WHERE slice.category IN ('gc', 'safepoint') AND slice.ts < {to} AND slice.ts + slice.dur > {from}
            ORDER BY slice.ts, slice.depth""";

    /** Samples would not help: who keeps a collector from beginning does so without waiting for anything. */
    private static final List<String> TO_KNOW_OF_A_COLLECTION = List.of(
            "Record again with unjank record --critical as root, before it happens: this records the threads in JNI critical sections.",
            "-Xlog:gc*,gc+jni=debug has the virtual machine say which threads such a section keeps waiting.");

    private JvmAdvice() {}

    /** {@return what helps, null if it is the same as everywhere} */
    static @Nullable List<String> steps(Verdict verdict, BlockerKind awaited) {
        if (awaited.isCausedByRecorder() && (verdict == Verdict.GC_BLOCKED || verdict == Verdict.SAFEPOINT_BLOCKED)) {
            return List.of(ofRecording(awaited));
        }
        return switch (verdict) {
            case GC_BLOCKED ->
                List.of(
                        "Make less garbage before this moment: an allocation profile shows which code does"
                                + " (jdk.ObjectAllocationSample, or asprof -e alloc).",
                        "Ask for no collection; -XX:+ExplicitGCInvokesConcurrent lets those that are asked for run beside the"
                                + " program.",
                        "Give the heap room (-Xmx), so that collections are rarer; a concurrent collector (ZGC, Shenandoah) pauses"
                                + " for less time.");
            case SAFEPOINT_BLOCKED ->
                List.of(
                        "Find out what requests the operation: thread dumps, heap histograms and the redefinition of classes come"
                                + " from tools and agents, some of which do so all the time.",
                        "If most of it went by until all threads had stopped, one of them was in code that does not look for a"
                                + " safepoint, such as a long copy, or had no CPU: -XX:+SafepointTimeout"
                                + " -XX:SafepointTimeoutDelay=MILLISECONDS names it.",
                        "-Xlog:safepoint lists every safepoint with both times.");
            case SLEEPING_OWNER ->
                List.of(
                        "Release the lock before waiting: no query, no call of another service, no wait for a pool while holding it.",
                        "Fetch first and store under the lock afterwards; if two threads may fetch the same, keep a future in"
                                + " place of the value.",
                        "If the wait under the lock cannot go, do not take this lock on a thread that must not wait.");
            case UNKNOWN ->
                awaited == BlockerKind.COLLECTION
                        ? TO_KNOW_OF_A_COLLECTION
                        : List.of(
                                "Record it with unjank record, as root: this records lock owners and scheduling. With Flight Recorder"
                                        + " alone take settings=profile and jdk.JavaMonitorEnter#threshold=1ms, or asprof -e wall --lock"
                                        + " 1ms, whose samples show threads that wait as well.",
                                "Flight Recorder alone does not record owners of java.util.concurrent locks: jcmd PID Thread.print -l lists"
                                        + " the owners of that moment.",
                                "Until then, read the code at the two places: which code takes this lock, and for how long?");
            default -> null;
        };
    }

    /** Which setting of a recording has the recorder stop the program. */
    private static String ofRecording(BlockerKind awaited) {
        return switch (awaited) {
            case OBJECT_COUNT ->
                "Record without jdk.ObjectCount and jdk.ObjectCountAfterGC (#enabled=false): for these the recorder looks at all"
                        + " objects of the heap.";
            case OLD_OBJECTS ->
                "Record without path-to-gc-roots=true (jdk.OldObjectSample#cutoff=0ns): to find out what keeps old objects alive"
                        + " the recorder searches the heap.";
            default ->
                "Record without the periodic events that need a safepoint, such as jdk.ClassLoaderStatistics"
                        + " or jdk.ThreadDump (#enabled=false), or more rarely (#period=60s).";
        };
    }

    /** {@return the query, null if it is the same as everywhere} */
    static @Nullable String template(Verdict verdict) {
        return switch (verdict) {
            case GC_BLOCKED, SAFEPOINT_BLOCKED -> STOPS;
            case LONG_HOLD, SLEEPING_OWNER, UNKNOWN -> LEAVES;
            default -> null;
        };
    }
}
