package dev.unjank.doctor.find.thread;

import dev.unjank.doctor.model.AppStartup;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The threads of a trace that a user asked for, and what else of it belongs to them. */
public final class ThreadSelection {
    private final Threads threads;
    private final Processes processes;
    private final DoctorOptions options;
    private final BitSet utids = new BitSet();

    /** The processes of these threads, as upids. */
    private final BitSet upids = new BitSet();

    private final boolean withinJvms;

    public ThreadSelection(Trace trace, DoctorOptions options) {
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.options = options;
        BitSet inJvms = new BitSet();
        boolean anyJvm = false;
        for (int utid = 1; utid < threads.size(); utid++) {
            if (fitsProcess(utid)) {
                anyJvm |= isInJvm(utid);
                utids.set(utid, fitsThread(utid));
                inJvms.set(utid, isInJvm(utid));
            }
        }
        withinJvms = options.isMainThreads() ? anyJvm : options.isThreadNamed() && inJvms.intersects(utids);
        if (withinJvms) {
            utids.and(inJvms);
        }
        utids.stream().map(threads::upid).filter(upid -> upid >= 0).forEach(upids::set);
    }

    /**
     * {@return whether threads were asked for by name and only those of Java virtual machines are meant: whose recording it is has
     * threads of that name, and other processes of the machine only happen to be seen in it}
     */
    public boolean isWithinJvms() {
        return withinJvms;
    }

    /**
     * {@return the utids that fit}
     */
    public BitSet utids() {
        return utids;
    }

    /**
     * {@return whether neither a process nor a thread was asked for}
     */
    public boolean isDefault() {
        return options.thread() == null && options.process() == null;
    }

    /**
     * {@return whether a thread is looked at if none is asked for: a main thread, or any of a Java virtual machine, which has no
     * thread that draws; there whoever waits may be the one that somebody waits for}
     */
    public boolean isSelectedByDefault(int utid) {
        return threads.isMain(utid) || isInJvm(utid);
    }

    private boolean isInJvm(int utid) {
        return threads.upid(utid) >= 0 && processes.isJvm(threads.upid(utid));
    }

    /**
     * {@return whether a process was asked for: by its name, or by that of one of its threads, other than as the main one}
     */
    public boolean includesProcess(int upid) {
        return isThreadNamed() ? upid >= 0 && upids.get(upid) : isProcessAskedFor(upid);
    }

    /** Whether threads were asked for that not every process has. */
    private boolean isThreadNamed() {
        return options.isThreadNamed() && !options.isMainThreads();
    }

    /**
     * {@return whether the start of an app is one of a process that was asked for}
     */
    public boolean includesProcess(AppStartup start) {
        ThreadRef main = start.mainThread();
        if (main == null) {
            return !isThreadNamed()
                    && (options.process() == null || start.packageName().equals(options.process()));
        }
        return includesProcess(threads.upid(main.utid()));
    }

    private boolean fitsProcess(int utid) {
        return isProcessAskedFor(threads.upid(utid));
    }

    private boolean isProcessAskedFor(int upid) {
        String process = options.process();
        return process == null || (upid >= 0 && (isNamed(upid, process) || isNumbered(upid, process)));
    }

    private boolean isNamed(int upid, @Nullable String name) {
        return name != null && name.equals(processes.name(upid));
    }

    private boolean isNumbered(int upid, String number) {
        return number.equals(Integer.toString(processes.pid(upid)));
    }

    private boolean fitsThread(int utid) {
        String wanted = options.thread();
        if (wanted == null) {
            return isSelectedByDefault(utid);
        }
        return switch (wanted) {
            case DoctorOptions.ALL_THREADS -> true;
            case DoctorOptions.MAIN_THREADS -> isInJvm(utid) ? wanted.equals(threads.name(utid)) : threads.isMain(utid);
            default ->
                wanted.equals(Integer.toString(threads.tid(utid)))
                        || ThreadNameMatcher.agree(wanted, threads.name(utid))
                        || isMainOf(utid, wanted);
        };
    }

    private boolean isMainOf(int utid, String process) {
        int upid = threads.upid(utid);
        return threads.isMain(utid) && upid >= 0 && (isNamed(upid, process) || isNumbered(upid, process));
    }
}
