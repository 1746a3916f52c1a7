package dev.unjank.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Says in plain English what a diagnosis holds: the one place where reports take their sentences from. */
public final class Words {
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1000 * MILLISECOND;

    private static final Pattern PACKAGE = Pattern.compile("\\b([a-z_][a-z_0-9]*\\.)+(?=[A-Z])");

    private Words() {}

    /**
     * {@return a time with its unit, to the microsecond, or to the millisecond from one second on}
     *
     * @param ns the time in ns
     */
    public static String time(long ns) {
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

    /**
     * {@return a text of a traced program, which may hold anything, without what would make a terminal act}
     *
     * @param text the text
     */
    public static String printable(String text) {
        return Page.printable(text);
    }

    private static String ofProcess(String process) {
        return "of " + Page.printable(process);
    }

    private static String inProcess(String process) {
        return "in " + Page.printable(process);
    }

    /**
     * {@return who waited, and behind whom or for what, in a few words; of a thread without a CPU who ran instead}
     *
     * @param incident the wait
     */
    public static String threads(Incident incident) {
        Wait wait = incident.tree();
        Owner inTheWay = incident.inTheWay();
        String who = name(wait.thread());
        if (wait.isOfAllThreads()) {
            return who + ": " + Page.printable(wait.what());
        }
        if (inTheWay == null) {
            ThreadRef instead = incident.verdict() == Verdict.NO_CPU ? incident.toBlame() : null;
            return instead == null ? who : who + ", while " + nameBeside(wait.thread(), instead) + " ran";
        }
        return inTheWay.thread().isKnown() ? who + " by " + name(inTheWay.thread()) : who;
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
        if (site.line() >= 0 && isClassOf(site)) {
            return "line " + site.line();
        }
        return site.isNative() ? file + ", native" : site.line() < 0 ? file : file + ":" + site.line();
    }

    /** Whether a trace gives, for want of the file's name, that of the class. */
    private static boolean isClassOf(Site site) {
        String method = site.method();
        String type = method.substring(0, Math.max(0, method.lastIndexOf('.')));
        String outer = type.substring(type.lastIndexOf('.') + 1).replaceAll("\\$.*", "");
        return outer.equals(site.file());
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
            case REACHING_SAFEPOINT -> "stopping";
            case SAFEPOINT -> "safepoint";
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
        Wait tree = incident.tree();
        if (incident.owner().evidence() == Evidence.UNKNOWN && !owner.isInTrace()) {
            return owner.name() == null
                    ? "The trace does not say who " + (tree.kind().isLock() ? "held the lock." : "was in the way.")
                    : "The lock was held by " + name(owner) + ", of which the trace shows nothing else.";
        }
        if (tree.isOfAllThreads()) {
            return Standstill.story(incident);
        }
        List<String> clauses = new ArrayList<>();
        for (Incident.StateTime time : incident.ownerStates()) {
            clauses.add(clause(time));
        }
        String waiter = subject(tree.thread());
        if (incident.backlog() != null) {
            return messages(incident.backlog(), waiter);
        }
        if (owner.utid() == tree.thread().utid()) {
            return capital(waiter) + " itself " + enumerate(clauses) + ".";
        }
        long hands = tree.ownersTenures().stream()
                .map(tenure -> tenure.owner().thread().tid())
                .distinct()
                .count();
        String subject = hands == 1
                ? subject(owner)
                : (tree.kind().isLock() ? "the lock went" : "it went") + " through " + hands + " hands, longest "
                        + subject(owner) + "'s; its owners";
        String did = enumerate(clauses);
        String sentence = "While " + waiter + " waited, " + subject + " "
                + (hands == 1 ? did : did.replaceAll("(^|, | and )was ", "$1were ")) + ".";
        long delay = tree.wakeDelayNs();
        return delay < Rules.LEAST_PREEMPTION_NS
                ? sentence
                : sentence
                        + (tree.kind().isLock() ? " The lock was free after " : " What it waited for was there after ")
                        + time(tree.durNs() - delay) + "; for the last " + time(delay) + " " + waiter
                        + " was awake and waited for a CPU itself.";
    }

    private static String messages(Backlog backlog, String looper) {
        ThreadRef sender = backlog.sender();
        return capital(looper) + " ran " + backlog.messages() + " messages first, for " + time(backlog.ranNs())
                + ", most of it " + Page.printable(backlog.what())
                + (sender == null
                        ? "."
                        : "; " + backlog.fromSender() + " of them were sent by " + nameAndProcess(sender) + ".");
    }

    /** The beginning of a sentence; a name keeps its own beginning. */
    static String capital(String text) {
        boolean isWord = text.startsWith("the ") || text.startsWith("what ");
        return isWord ? Character.toUpperCase(text.charAt(0)) + text.substring(1) : text;
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
            case REACHING_SAFEPOINT -> "was stopped for " + dur + " until all threads had stopped";
            case SAFEPOINT -> "was stopped at a safepoint for " + dur;
            case JNI_CRITICAL -> "was inside a JNI critical section for " + dur;
            case SLEEPING -> "slept for " + dur;
            case IO_WAIT -> "waited for I/O for " + dur;
            case UNINTERRUPTIBLE -> "slept inside the kernel for " + dur;
            case UNKNOWN -> "did what the trace does not show for " + dur;
        };
    }

    static String enumerate(List<String> clauses) {
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
     * {@return how it is known who was in the way}
     *
     * @param incident the wait
     */
    public static String evidence(Incident incident) {
        if (incident.tree().isOfAllThreads()) {
            return Standstill.evidence();
        }
        return switch (incident.judgement().evidence()) {
            case OWNER_FROM_CHILD -> "a lock slice within that of the wait gave the owner's thread number";
            case OWNER_NAMED ->
                incident.chain().stream().allMatch(wait -> wait.kind() == WaitKind.BINDER)
                        ? "the kernel named the thread that served the call"
                        : "the runtime named the owner";
            case WAKER_INFERRED -> "the owner is inferred: this thread woke the waiting one";
            case SCHEDULER -> "the scheduler's account of the thread itself";
            case UNKNOWN -> "the owner is not known";
        };
    }

    /**
     * {@return the diagnosis in a sentence or two: what made the screen stutter, and whom to talk to}
     *
     * @param diagnosis the diagnosis
     */
    public static String answer(Diagnosis diagnosis) {
        return Answer.of(diagnosis);
    }

    /**
     * {@return what a verdict means for whoever wrote the program}
     *
     * @param incident the wait
     */
    public static String meaning(Incident incident) {
        return Meaning.of(incident);
    }

    /**
     * {@return what a thread waited for, as a sentence has it}
     *
     * @param wait its wait
     */
    public static String what(Wait wait) {
        String what = Page.printable(wait.what());
        return switch (wait.kind()) {
            case MONITOR -> wait.what().equals(ContentionParser.MONITOR_LOCK) ? "a monitor" : "a monitor of " + what;
            case RUNTIME_LOCK -> runtimeLock(what);
            case PARK -> "a lock of class " + withoutSync(what);
            case MUTEX, FUTEX -> "a " + what;
            case BINDER -> "the reply to " + (wait.what().equals(BinderCalls.CALL) ? "a binder call" : what);
            case GC ->
                (wait.isOfAllThreads() ? "a pause of the garbage collector (" : "the garbage collector (") + what + ")";
            case SAFEPOINT -> (wait.isOfAllThreads() ? "a safepoint (" : "the end of a suspension (") + what + ")";
            case QUEUE -> "its turn: " + what;
            case CPU -> "a CPU";
            case KERNEL -> what;
        };
    }

    /** The runtime names its locks as it likes: {@code thread list lock}, {@code Jit code cache}, {@code a monitor lock}. */
    private static String runtimeLock(String what) {
        return what.startsWith("a ") || what.startsWith("an ")
                ? what
                : "the " + what + (what.endsWith("lock") ? "" : " lock");
    }

    /**
     * {@return where somebody in the way wanted something further, or what}
     *
     * @param wait its wait
     */
    public static String wanted(Wait wait) {
        Site site = wait.site();
        String wanted = site == null || isOfClass(wait) ? "wanting " + what(wait) : "wanted";
        return wanted + (site == null ? "" : " in " + Page.printable(site.method()));
    }

    /** Whether it is known of which class the lock is. */
    static boolean isOfClass(Wait wait) {
        return wait.kind() == WaitKind.PARK
                || (wait.kind() == WaitKind.MONITOR && !wait.what().equals(ContentionParser.MONITOR_LOCK));
    }

    /** The library's locks park on a part of theirs, such as {@code ReentrantLock$NonfairSync}. */
    private static String withoutSync(String className) {
        int dollar = className.indexOf('$');
        return className.startsWith("java.util.concurrent.") && dollar > 0 ? className.substring(0, dollar) : className;
    }

    /** What a share of a start-up is called. */
    static String share(StartUp.Share share) {
        String cause = switch (share.cause()) {
            case NOT_YET_BORN -> "process not there yet";
            case RUNNING -> "running";
            case RUNNABLE -> "ready, without a CPU";
            case LOCK -> "lock";
            case BINDER -> "reply";
            case GC -> "garbage collector";
            case IO -> "in the kernel, I/O";
            case SLEEPING -> "sleeping";
            case UNKNOWN -> "not recorded";
        };
        return share.verdict() == null ? cause : cause + ", " + share.verdict();
    }

    /**
     * {@return the threads whose waits for locks a summary adds up}
     *
     * @param diagnosis the diagnosis
     */
    public static String summarized(Diagnosis diagnosis) {
        return diagnosis.platform().isJvm() ? "Threads" : "Main threads";
    }

    /** That none of the threads that were looked at did something: the beginning of a sentence. */
    static String nobody(Diagnosis diagnosis) {
        String wanted = diagnosis.search().options().thread();
        if (wanted == null) {
            return diagnosis.platform().isJvm() ? "no thread" : "no main thread";
        }
        return switch (wanted) {
            case DoctorOptions.ALL_THREADS -> "no thread";
            case DoctorOptions.MAIN_THREADS -> "no main thread";
            default -> "no thread " + Page.printable(wanted);
        };
    }

    /** Why a frame was late, and which it was; a message without the packages of its classes if that is too long with them. */
    static String frame(Frame frame, int room) {
        String all = Page.printable(frame.jankType() + ": " + frame.name());
        return frame.source() == Frame.Source.MESSAGE && all.length() > room
                ? PACKAGE.matcher(all).replaceAll("")
                : all;
    }

    static String count(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    /** Some CPUs, ascending: {@code CPU 1}, {@code CPUs 0 to 3}, {@code CPUs 0 and 2}. */
    static String cpus(SortedSet<Integer> cpus) {
        int first = cpus.getFirst();
        int last = cpus.getLast();
        boolean inARow = last - first == cpus.size() - 1;
        return first == last
                ? "CPU " + first
                : "CPUs "
                        + (inARow && cpus.size() > 2
                                ? first + " to " + last
                                : enumerate(cpus.stream().map(String::valueOf).toList()));
    }

    static String times(int count) {
        return count == 1 ? "once" : count == 2 ? "twice" : count + " times";
    }
}
