package dev.unjank.workbench.lab.run;

/** A listener of long steps, which shows one line per step. */
@FunctionalInterface
public interface ProgressListener {
    /** Called before a step that takes several seconds without output until it is closed. */
    Step begin(String what);

    /** A step in progress; close() ends it. */
    @FunctionalInterface
    interface Step extends AutoCloseable {
        @Override
        void close();
    }
}
