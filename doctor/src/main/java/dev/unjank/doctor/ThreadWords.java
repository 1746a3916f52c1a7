package dev.unjank.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** Says in plain English which thread is meant. */
public final class ThreadWords {
    private ThreadWords() {}

    /**
     * {@return what to call a thread: a main thread by its process, since the kernel cuts its own name}
     *
     * @param thread the thread
     */
    public static String name(ThreadRef thread) {
        String name = thread.main() && thread.process() != null ? thread.process() : thread.name();
        if (name != null) {
            return Page.printable(name);
        }
        return thread.tid() == ThreadRef.NOWHERE ? "an unknown thread" : "thread " + thread.tid();
    }

    /**
     * {@return a thread's name with its process's}
     *
     * @param thread the thread
     */
    public static String nameAndProcess(ThreadRef thread) {
        if (thread.process() == null || thread.main()) {
            return name(thread);
        }
        return name(thread) + " "
                + (thread.isAllOfProcess() ? ofProcess(thread.process()) : inProcess(thread.process()));
    }

    /** A thread's name, with its process's if that is not the same as another's. */
    static String nameBeside(ThreadRef one, ThreadRef other) {
        return one.upid() == other.upid() ? name(other) : nameAndProcess(other);
    }

    /** What to call a thread in a sentence about its process. */
    static String subject(ThreadRef thread) {
        return thread.main() ? "the main thread" : name(thread);
    }

    private static String ofProcess(String process) {
        return "of " + Page.printable(process);
    }

    private static String inProcess(String process) {
        return "in " + Page.printable(process);
    }

    /** What else identifies a thread: {@code main thread, tid 3363, priority 110}. */
    static String identity(ThreadRef thread, @Nullable String otherProcessThan) {
        List<String> facts = new ArrayList<>();
        if (thread.main()) {
            facts.add("main thread");
        } else if (thread.isAllOfProcess() && thread.process() != null) {
            facts.add(ofProcess(thread.process()));
        } else if (thread.process() != null && !thread.process().equals(otherProcessThan)) {
            facts.add(inProcess(thread.process()));
        }
        if (thread.tid() != ThreadRef.NOWHERE && thread.name() != null) {
            facts.add("tid " + thread.tid());
        }
        if (thread.hasPriority()) {
            facts.add("priority " + thread.priority());
        }
        if (thread.hasInherited()) {
            facts.add(thread.inherited() == thread.priority() ? "lent" : "lent " + thread.inherited());
        }
        return String.join(", ", facts);
    }

    /** How important a thread is beside the one that waits. */
    static String rank(ThreadRef thread, ThreadRef blocked) {
        if (thread.utid() == blocked.utid()) {
            return "itself";
        }
        if (!thread.hasPriority() || !blocked.hasPriority()) {
            return "";
        }
        return thread.isLessImportantThan(blocked)
                ? "worse"
                : thread.priority() == blocked.priority() ? "equal" : "better";
    }

    /**
     * {@return some CPUs: {@code CPU 1}, {@code CPUs 0 to 3}, {@code CPUs 0 and 2}}
     *
     * @param cpus their numbers, at least one
     */
    public static String cpus(SortedSet<Integer> cpus) {
        int first = cpus.getFirst();
        int last = cpus.getLast();
        boolean inARow = last - first == cpus.size() - 1;
        return first == last
                ? "CPU " + first
                : "CPUs "
                        + (inARow && cpus.size() > 2
                                ? first + " to " + last
                                : Words.enumerate(
                                        cpus.stream().map(String::valueOf).toList()));
    }
}
