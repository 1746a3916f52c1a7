package dev.unjank.trace.read.jfr;

import dev.unjank.trace.build.TraceBuilder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The waits of deadlocked threads, from thread dumps: Flight Recorder records a wait when it ends, and these do not.
 * Such a wait begins with the end of the thread's last event, but not before a dump in which the thread was not
 * deadlocked.
 */
final class Deadlocks {
    /** The dumps of a file have at most so many characters in all: a file may repeat one dump in a few bytes. */
    private static final long MOST_CHARS = 1L << 28;

    private List<ThreadDump.Blocked> last = List.of();
    private final Map<Long, Long> notBefore = new HashMap<>(); // by Java id: the last dump without the wait, ns
    private long lastNs = Long.MIN_VALUE;
    private boolean hasDumps;
    private long chars;

    /** A deadlocked thread, its number in the recording, and the time of its last event. */
    private record Member(int thread, ThreadDump.Blocked blocked, long lastEventNs) {}

    /** Adds a dump; dumps come in the order of their times. */
    void add(long ns, String text) {
        chars += text.length();
        if (chars > MOST_CHARS) {
            return;
        }
        last = ThreadDump.deadlocked(text);
        Set<Long> blocked = new HashSet<>();
        for (ThreadDump.Blocked wait : last) {
            blocked.add(wait.javaId());
            notBefore.putIfAbsent(wait.javaId(), lastNs);
        }
        notBefore.keySet().retainAll(blocked);
        lastNs = ns;
        hasDumps = true;
    }

    /** {@return whether there was a dump, with or without a deadlock} */
    boolean hasDumps() {
        return hasDumps;
    }

    /** Adds the waits of the last dump as slices without end. All events of the threads must be there. */
    void emitTo(
            SliceBuffer slices,
            ExecutionSamples samples,
            JfrThreads threads,
            WaitDetails details,
            TraceBuilder builder,
            long runStartNs) {
        Map<Long, Member> members = new LinkedHashMap<>();
        for (ThreadDump.Blocked wait : last) {
            int thread = threads.add(wait.osId(), wait.javaId(), null, wait.name());
            long lastEventNs = Math.max(slices.lastEnd(thread), samples.lastOf(thread));
            members.put(wait.javaId(), new Member(thread, wait, lastEventNs));
        }
        removeThoseThatWentOn(members);
        for (Member member : members.values()) {
            long from = Math.max(
                    Math.max(runStartNs, threads.firstNs(member.thread)),
                    Math.max(member.lastEventNs, notBefore.getOrDefault(member.blocked.javaId(), runStartNs)));
            threads.firstSeen(member.thread, from);
            Member owner = Objects.requireNonNull(members.get(member.blocked.owner()));
            emit(member, owner, from, new Target(slices, threads, details, builder));
        }
    }

    /** A thread with a later event had got its lock; so those that wait for it may have got theirs. */
    private void removeThoseThatWentOn(Map<Long, Member> members) {
        boolean isChanged = members.values().removeIf(member -> member.lastEventNs > lastNs);
        while (isChanged) {
            isChanged = members.values().removeIf(member -> !members.containsKey(member.blocked.owner()));
        }
    }

    /** The tracks on which waits become slices. */
    private record Target(SliceBuffer slices, JfrThreads threads, WaitDetails details, TraceBuilder builder) {}

    /** The slices have the names and details of those that recorders write that sample the owners of locks. */
    private static void emit(Member member, Member owner, long from, Target to) {
        ThreadDump.Blocked wait = member.blocked;
        int ownerTid = to.threads.tid(owner.thread);
        int stack = to.builder.intern(wait.stack());
        int ownerStack = to.builder.intern(owner.blocked.stack());
        if (wait.isMonitor()) {
            String name = MonitorWaits.text(
                    to.threads.name(owner.thread), ownerTid, wait.ownerSite(), 0, innermost(wait.stack()));
            int lockClass = to.builder.intern(wait.lockClass());
            to.slices.add(
                    member.thread,
                    from,
                    SliceBuffer.OPEN,
                    to.builder.intern(name),
                    -1,
                    to.details.ofMonitor(lockClass, stack));
            to.slices.add(
                    member.thread,
                    from,
                    SliceBuffer.OPEN,
                    to.builder.intern(MonitorWaits.innerText(ownerTid)),
                    -1,
                    to.details.ofLock(-1, ownerStack));
        } else {
            String name = "parking on " + wait.lockClass() + " (owner tid: " + ownerTid + ") blocking from "
                    + innermost(wait.stack());
            to.slices.add(
                    member.thread,
                    from,
                    SliceBuffer.OPEN,
                    to.builder.intern(name),
                    to.builder.intern("park"),
                    to.details.ofLock(stack, ownerStack));
        }
    }

    private static String innermost(String stack) {
        return stack.lines().findFirst().orElse(JavaNames.UNKNOWN_SITE);
    }
}
