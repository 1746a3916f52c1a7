package dev.unjank.doctor.judge;

import dev.unjank.doctor.find.message.LooperMessageRuns;
import dev.unjank.doctor.find.runtime.EventThreads;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * JVM threads whose waits users notice: event threads, by the names that their libraries give them; looper threads; the
 * program's main thread. Reports list their waits first.
 */
final class EventLoopThreads {
    private EventLoopThreads() {}

    /** {@return their utids} */
    static BitSet of(Trace trace) {
        BitSet utids = new BitSet();
        Threads threads = trace.threads();
        Processes processes = trace.processes();
        for (int utid = 1; utid < threads.size(); utid++) {
            int upid = threads.upid(utid);
            if (upid >= 0
                    && processes.isJvm(upid)
                    && (isUiThreadName(threads.name(utid)) || runsMessages(trace, utid))) {
                utids.set(utid);
            }
        }
        return utids;
    }

    private static boolean isUiThreadName(@Nullable String name) {
        return name != null && (name.equals(DoctorOptions.MAIN_THREADS) || EventThreads.isName(name));
    }

    /** {@return whether a thread runs messages of a looper that records them} */
    static boolean runsMessages(Trace trace, int utid) {
        Slices slices = trace.slices();
        for (int row = slices.first(utid); row < slices.end(utid); row++) {
            if (slices.depth(row) == 0 && slices.category(row).equals(LooperMessageRuns.CATEGORY)) {
                return true;
            }
        }
        return false;
    }
}
