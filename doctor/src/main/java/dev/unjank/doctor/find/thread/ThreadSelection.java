package dev.unjank.doctor.find.thread;

import dev.unjank.doctor.model.AppStartup;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.ThreadRef;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The threads of a trace that the options select, and their processes. */
public final class ThreadSelection {
    private final Threads threads;
    private final Processes processes;
    private final DoctorOptions options;

    /** Threads that draw frames besides main threads. */
    private final BitSet drawing;

    private final BitSet utids = new BitSet();

    /** The processes of these threads, as upids. */
    private final BitSet upids = new BitSet();

    private final boolean isWithinJvms;

    /** Selects threads; {@code drawing} are those that draw frames besides main threads. */
    public ThreadSelection(Trace trace, DoctorOptions options, BitSet drawing) {
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.options = options;
        this.drawing = drawing;
        BitSet inJvms = new BitSet();
        boolean anyJvm = false;
        for (int utid = 1; utid < threads.size(); utid++) {
            if (matchesProcess(threads.upid(utid))) {
                anyJvm |= isInJvm(utid);
                utids.set(utid, matchesThread(utid));
                inJvms.set(utid, isInJvm(utid));
            }
        }
        isWithinJvms = options.isMainThreads() ? anyJvm : options.isThreadNamed() && inJvms.intersects(utids);
        if (isWithinJvms) {
            utids.and(inJvms);
        }
        utids.stream().map(threads::upid).filter(upid -> upid >= 0).forEach(upids::set);
    }

    /**
     * {@return whether the options name threads that exist in a JVM; threads of the same name in non-JVM processes are
     * then not selected}
     */
    public boolean isWithinJvms() {
        return isWithinJvms;
    }

    /** {@return the utids of the selected threads} */
    public BitSet utids() {
        return utids;
    }

    /** {@return the utids of threads that draw frames and are not main threads, selected or not} */
    public BitSet drawing() {
        return drawing;
    }

    /** {@return whether the options name neither a process nor a thread} */
    public boolean isDefault() {
        return options.thread() == null && options.process() == null;
    }

    /**
     * {@return whether a thread is selected by default: a main thread, one that draws frames, or any of a Java virtual
     * machine}
     */
    public boolean isSelectedByDefault(int utid) {
        return threads.isMain(utid) || drawing.get(utid) || isInJvm(utid);
    }

    private boolean isInJvm(int utid) {
        return threads.upid(utid) >= 0 && processes.isJvm(threads.upid(utid));
    }

    /**
     * {@return whether the options select a process, either by its name or pid or because they name one of its threads
     * (a main thread does not count)}
     */
    public boolean includesProcess(int upid) {
        return isThreadNamed() ? upid >= 0 && upids.get(upid) : matchesProcess(upid);
    }

    /** Whether the options name threads that only some processes have. */
    private boolean isThreadNamed() {
        return options.isThreadNamed() && !options.isMainThreads();
    }

    /** {@return whether the options select the process of an app startup} */
    public boolean includesProcess(AppStartup startup) {
        ThreadRef main = startup.mainThread();
        if (main == null) {
            return !isThreadNamed()
                    && (options.process() == null || startup.packageName().equals(options.process()));
        }
        return includesProcess(threads.upid(main.utid()));
    }

    private boolean matchesProcess(int upid) {
        String process = options.process();
        return process == null || (upid >= 0 && (isNamed(upid, process) || isNumbered(upid, process)));
    }

    private boolean isNamed(int upid, @Nullable String name) {
        return name != null && name.equals(processes.name(upid));
    }

    private boolean isNumbered(int upid, String number) {
        return number.equals(Integer.toString(processes.pid(upid)));
    }

    private boolean matchesThread(int utid) {
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
