package dev.unjank.doctor.report;

import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.trace.read.jfr.JfrChunks;
import dev.unjank.trace.text.TerminalText;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** Names and identities of threads. */
public final class ThreadLabels {
    private ThreadLabels() {}

    /** {@return the name of a thread: a main thread by its process, since the kernel cuts its own name} */
    public static String name(ThreadRef thread) {
        String name = recorded(thread);
        return name == null ? nameless(thread.tid()) : TerminalText.printableStart(name);
    }

    /** The name by which a thread is called, null if none was recorded: some programs write nothing for one. */
    private static @Nullable String recorded(ThreadRef thread) {
        String name = thread.main() && thread.process() != null ? thread.process() : thread.name();
        return name == null || name.isEmpty() ? null : name;
    }

    /**
     * A virtual thread has no number of the kernel's: what stands for it begins at 2^30 and has Java's own in it, 0 for
     * none.
     */
    private static String nameless(int tid) {
        if (tid < JfrChunks.FIRST_VIRTUAL) {
            return tid == ThreadRef.NOT_IN_TRACE ? Messages.of("thread.unknown") : Messages.of("thread.number", tid);
        }
        int ofJava = tid - JfrChunks.FIRST_VIRTUAL;
        return ofJava == 0 ? Messages.of("thread.withoutName") : Messages.of("thread.virtual", ofJava);
    }

    /** {@return the name of several threads like this one, which has no name} */
    static String groupWithoutName(ThreadRef one) {
        return Messages.of(one.tid() >= JfrChunks.FIRST_VIRTUAL ? "thread.virtuals" : "thread.withoutNames");
    }

    /** {@return a thread's name with its process's} */
    public static String nameAndProcess(ThreadRef thread) {
        if (thread.process() == null || thread.main()) {
            return name(thread);
        }
        return name(thread) + " "
                + (thread.isAllOfProcess() ? ofProcess(thread.process()) : inProcess(thread.process()));
    }

    /** A thread's name, with its process's if that is not the same as another's. */
    public static String nameBeside(ThreadRef one, ThreadRef other) {
        return one.upid() == other.upid() ? name(other) : nameAndProcess(other);
    }

    /** The name of a thread in a sentence about its process. */
    static String subject(ThreadRef thread) {
        return thread.main() ? Messages.of("thread.theMain") : name(thread);
    }

    /** The name of a thread beside another one: the main thread of another process by that process. */
    static String subjectBeside(ThreadRef one, ThreadRef other) {
        return other.main() && one.upid() != other.upid() ? Messages.of("thread.mainOf", name(other)) : subject(other);
    }

    private static String ofProcess(String process) {
        return Messages.of("thread.ofProcess", TerminalText.printableStart(process));
    }

    private static String inProcess(String process) {
        return Messages.of("thread.inProcess", TerminalText.printableStart(process));
    }

    /** Properties that identify a thread besides its name: {@code main thread, tid 3363, priority 110}. */
    public static String identity(ThreadRef thread, @Nullable String otherProcessThan) {
        List<String> facts = facts(thread, otherProcessThan);
        if (thread.hasPriority()) {
            facts.add(Messages.of("thread.priority", thread.priority()));
        }
        if (thread.hasInherited()) {
            facts.add(
                    thread.inheritedPriority() == thread.priority()
                            ? Messages.of("thread.inherited")
                            : Messages.of("thread.inheritedPriority", thread.inheritedPriority()));
        }
        return String.join(", ", facts);
    }

    /** {@return what identifies a thread beside its name, whatever its priority: {@code main thread, tid 3363}} */
    public static String identity(ThreadRef thread) {
        return String.join(", ", facts(thread, null));
    }

    private static List<String> facts(ThreadRef thread, @Nullable String otherProcessThan) {
        List<String> facts = new ArrayList<>();
        if (thread.main()) {
            facts.add(Messages.of("thread.main"));
        } else if (thread.isAllOfProcess() && thread.process() != null) {
            facts.add(ofProcess(thread.process()));
        } else if (thread.process() != null && !thread.process().equals(otherProcessThan)) {
            facts.add(inProcess(thread.process()));
        }
        boolean named = recorded(thread) != null;
        if (named && thread.tid() > JfrChunks.FIRST_VIRTUAL) {
            facts.add(nameless(thread.tid()));
        } else if (named && thread.tid() != ThreadRef.NOT_IN_TRACE && thread.tid() < JfrChunks.FIRST_VIRTUAL) {
            facts.add(Messages.of("thread.tid", thread.tid()));
        }
        return facts;
    }

    /** The priority of a thread compared with the waiter's. */
    public static String rank(ThreadRef thread, ThreadRef blocked) {
        if (thread.utid() == blocked.utid()) {
            return Messages.of("rank.itself");
        }
        if (!thread.hasPriority() || !blocked.hasPriority()) {
            return "";
        }
        return Messages.of(
                thread.isLessImportantThan(blocked)
                        ? "rank.lower"
                        : thread.priority() == blocked.priority() ? "rank.equal" : "rank.higher");
    }

    /** {@return some CPUs: {@code CPU 1}, {@code CPUs 0 to 3}, {@code CPUs 0 and 2}} */
    public static String cpus(SortedSet<Integer> cpus) {
        int first = cpus.getFirst();
        int last = cpus.getLast();
        boolean inARow = last - first == cpus.size() - 1;
        if (first == last) {
            return Messages.of("cpus.one", first);
        }
        return inARow && cpus.size() > 2
                ? Messages.of("cpus.range", first, last)
                : Messages.of(
                        "cpus.list",
                        MessageCatalogue.enumerate(
                                cpus.stream().map(String::valueOf).toList()));
    }
}
