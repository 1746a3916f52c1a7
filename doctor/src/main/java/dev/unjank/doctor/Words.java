package dev.unjank.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Says in plain English what a diagnosis holds: the one place where reports take their sentences from. */
public final class Words {
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1000 * MILLISECOND;

    private Words() {}

    /** A time with its unit, to the microsecond, or to the millisecond from one second on. */
    static String time(long ns) {
        return ns < SECOND - MILLISECOND / 2000 ? thousandths(ns, MILLISECOND) + " ms" : thousandths(ns, SECOND) + " s";
    }

    /** The same without zeros at the end. */
    static String roundTime(long ns) {
        String time = time(ns);
        int unit = time.indexOf(' ');
        int end = unit;
        while (time.charAt(end - 1) == '0') {
            end--;
        }
        return time.substring(0, time.charAt(end - 1) == '.' ? end - 1 : end) + time.substring(unit);
    }

    /** By hand, since a formatter costs a short program a tenth of its run. */
    private static String thousandths(long ns, long unit) {
        long rounded = (ns + unit / 2000) / (unit / 1000);
        return rounded / 1000 + "." + Long.toString(1000 + rounded % 1000).substring(1);
    }

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

    private static String inProcess(String process) {
        return "in " + Page.printable(process);
    }

    /** What else identifies a thread: {@code main thread, tid 3363, priority 110}. */
    static String identity(ThreadRef thread, @Nullable String otherProcessThan) {
        List<String> facts = new ArrayList<>();
        if (thread.main()) {
            facts.add("main thread");
        } else if (thread.process() != null && !thread.process().equals(otherProcessThan)) {
            facts.add(inProcess(thread.process()));
        }
        if (thread.tid() != ThreadRef.NOWHERE && thread.name() != null) {
            facts.add("tid " + thread.tid());
        }
        if (thread.hasPriority()) {
            facts.add("priority " + thread.priority());
        }
        return String.join(", ", facts);
    }

    /** A thread's name with its process's. */
    static String nameAndProcess(ThreadRef thread) {
        return thread.process() == null || thread.main()
                ? name(thread)
                : name(thread) + " " + inProcess(thread.process());
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
     * {@return where code took or wanted a lock, such as {@code MessageQueue.java:348}; empty if the runtime does not say}
     *
     * @param site the place
     */
    public static String source(Site site) {
        if (site.file() == null) {
            return "";
        }
        String file = Page.printable(site.file());
        return site.isNative() ? file + ", native" : site.line() < 0 ? file : file + ":" + site.line();
    }

    /**
     * {@return a state in a word or two}
     *
     * @param state the state
     */
    public static String label(OwnerState state) {
        return switch (state) {
            case RUNNING -> "running";
            case PREEMPTED -> "preempted";
            case BLOCKED -> "blocked";
            case DEADLOCKED -> "deadlocked";
            case GC_PAUSE -> "GC pause";
            case JNI_CRITICAL -> "JNI critical";
            case SLEEPING -> "sleeping";
            case IO_WAIT -> "I/O wait";
            case UNINTERRUPTIBLE -> "in kernel";
            case UNKNOWN -> "unknown";
        };
    }

    /**
     * {@return one sentence about what the owner did during the wait, perhaps a second about its end}
     *
     * @param incident the wait
     */
    public static String whatTheOwnerDid(Incident incident) {
        ThreadRef owner = incident.owner().thread();
        if (incident.owner().evidence() == Evidence.UNKNOWN && !owner.isInTrace()) {
            return owner.name() == null
                    ? "The trace does not say who held the lock."
                    : "The lock was held by " + name(owner) + ", of which the trace shows nothing else.";
        }
        List<String> clauses = new ArrayList<>();
        for (Incident.StateTime time : incident.ownerStates()) {
            clauses.add(clause(time));
        }
        int hands = incident.tree().ownersTenures().size();
        String subject = hands == 1
                ? subject(owner)
                : "the lock went through " + hands + " hands, longest " + subject(owner) + "'s; its owners";
        String waiter = subject(incident.tree().thread());
        String sentence = "While " + waiter + " waited, " + subject + " " + enumerate(clauses) + ".";
        long delay = incident.tree().wakeDelayNs();
        return delay < Rules.LEAST_PREEMPTION_NS
                ? sentence
                : sentence + " The lock was free after " + time(incident.tree().durNs() - delay) + "; for the last "
                        + time(delay) + " " + waiter + " was awake and waited for a CPU itself.";
    }

    private static String subject(ThreadRef thread) {
        return thread.main() ? "the main thread" : name(thread);
    }

    private static String clause(Incident.StateTime time) {
        String dur = time(time.durNs());
        return switch (time.state()) {
            case RUNNING -> "ran for " + dur;
            case PREEMPTED -> "was ready to run for " + dur + " without being given a CPU";
            case BLOCKED -> "was itself blocked for " + dur;
            case DEADLOCKED -> "waited in turn for " + dur;
            case GC_PAUSE -> "was stopped for a pause of the garbage collector for " + dur;
            case JNI_CRITICAL -> "slept inside a JNI critical section for " + dur;
            case SLEEPING -> "slept for " + dur;
            case IO_WAIT -> "waited for I/O for " + dur;
            case UNINTERRUPTIBLE -> "slept inside the kernel for " + dur;
            case UNKNOWN -> "did what the trace does not show for " + dur;
        };
    }

    private static String enumerate(List<String> clauses) {
        int last = clauses.size() - 1;
        return last <= 0
                ? String.join("", clauses)
                : String.join(", ", clauses.subList(0, last)) + " and " + clauses.get(last);
    }

    /**
     * {@return the verdict with its grade, such as {@code PRIORITY_INVERSION (unbounded)}}
     *
     * @param judgement the verdict and what it rests on
     */
    public static String verdict(Judgement judgement) {
        return judgement.verdict() != Verdict.PRIORITY_INVERSION
                ? judgement.verdict().name()
                : judgement.verdict().name() + (judgement.unbounded() ? " (unbounded)" : " (bounded)");
    }

    /**
     * {@return how an owner is known}
     *
     * @param evidence the grade
     */
    public static String evidence(Evidence evidence) {
        return switch (evidence) {
            case OWNER_FROM_CHILD -> "the runtime's inner lock slice gave the owner's thread number";
            case OWNER_NAMED -> "the runtime named the owner";
            case WAKER_INFERRED -> "the owner is inferred: this thread woke the waiting one";
            case SCHEDULER -> "the scheduler's account of the thread itself";
            case UNKNOWN -> "the owner is not known";
        };
    }

    /**
     * {@return what a verdict means for whoever wrote the program}
     *
     * @param incident the wait
     */
    public static String meaning(Incident incident) {
        String ownersPart = meaningOfVerdict(incident);
        return incident.tree().wakeDelayNs() * 2 <= incident.tree().durNs()
                ? ownersPart
                : ownersPart + " But for most of this wait the lock was free: the waiting thread itself got no CPU.";
    }

    private static String meaningOfVerdict(Incident incident) {
        return switch (incident.verdict()) {
            case PRIORITY_INVERSION -> inversion(incident);
            case PREEMPTED_OWNER ->
                "The owner is no less important than the thread that waited, and still got no CPU: there was more work than"
                        + " CPU time. This is no priority inversion. It helps to run less at this moment.";
            case LONG_HOLD ->
                whileTaken(incident, state -> state == OwnerState.RUNNING, "ran for ") + ", longer than "
                        + (behind(incident) || incident.tree().ownersTenures().size() > 1 ? "they" : "it")
                        + " slept. It helps to do less while holding the lock, or to hold a lock of finer grain.";
            case SLEEPING_OWNER ->
                whileTaken(incident, OwnerState::isAsleep, "slept for ")
                        + ", waiting for somebody or something else with the lock in hand. It helps to let go of the lock"
                        + " first.";
            case DEADLOCK ->
                "These threads wait for each other in a circle, and none of them went on. It helps to take the locks in the"
                        + " same order everywhere.";
            case GC_BLOCKED_BY_CRITICAL ->
                "The garbage collector waited for a thread inside a JNI critical section. It helps to sleep or block in none.";
            case GC_BLOCKED ->
                "The garbage collector was in the way. It helps to make less garbage, most of all before this moment.";
            case LOCK_CONVOY ->
                "Many threads follow one another on this lock. It helps to take it less often, or a lock of finer grain.";
            case SLOW_REPLY ->
                "The thread that serves the call was busy with it. It helps to make the call from another thread.";
            case QUEUE_BACKLOG -> "Messages waited longer than they ran. It helps to send fewer of them.";
            case NO_CPU -> "Nobody was in the way: the thread itself was ready to run and got no CPU.";
            case BLOCKING_IO -> "Nobody was in the way: the thread itself slept inside the kernel.";
            case UNKNOWN -> "The trace does not hold what a verdict needs.";
        };
    }

    /** What the verdict counts: not only the owner's own time but also that of those it waited for. */
    private static String whileTaken(Incident incident, Predicate<OwnerState> states, String did) {
        Wait tree = incident.tree();
        return "Of the " + time(tree.durNs() - tree.wakeDelayNs()) + " in which the lock was taken, its "
                + (tree.ownersTenures().size() == 1 ? "owner " : "owners ")
                + (behind(incident) ? "and those further down the chain " : "") + did
                + time(incident.leafTimeIn(states));
    }

    private static boolean behind(Incident incident) {
        return incident.timeIn(OwnerState.BLOCKED) > 0;
    }

    private static String inversion(Incident incident) {
        long inverted = incident.judgement().decisiveNs();
        long ready = incident.timeIn(OwnerState.PREEMPTED);
        String what;
        if (inverted == ready) {
            what = "The thread that waited is more important than the owner, which was ready to run for " + time(ready)
                    + " and got no CPU, ";
        } else if (behind(incident)) {
            what = "Owners in the chain that were less important than the thread that waited were ready to run for "
                    + time(inverted) + " in all and got no CPU, ";
        } else {
            what = "Of the " + time(ready) + " in which the owner was ready to run, " + time(inverted)
                    + " count: the lock was taken then, and the thread that waited was more important than the owner and"
                    + " not running itself, ";
        }
        String who = incident.judgement().unbounded()
                ? "while less important threads than the waiting one ran. Nothing in the code under the lock bounds such a"
                        + " wait. "
                : incident.culprits().isEmpty()
                        ? "although no other thread was seen running there. "
                        : "while threads at least as important as the waiting one ran. ";
        return what + who
                + "It helps to share no lock with less important threads, to use a queue without locks, or a lock"
                + " that lends the waiting thread's priority to its owner.";
    }
}
