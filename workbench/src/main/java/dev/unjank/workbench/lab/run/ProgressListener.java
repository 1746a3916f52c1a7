package dev.unjank.workbench.lab.run;

/** Gets a line for each long step. */
@FunctionalInterface
public interface ProgressListener {
    /** Something begins that takes seconds; nothing is printed until the step is closed. */
    Step begin(String what);

    /** What has begun. */
    @FunctionalInterface
    interface Step extends AutoCloseable {
        @Override
        void close();
    }
}
