package dev.unjank.workbench.lab.run;

/** Gets a line for each long step. */
@FunctionalInterface
public interface ProgressListener {
    /**
     * Something begins that takes seconds; nothing is printed until it is over.
     *
     * @return to be closed when it is over
     */
    Step begin(String what);

    /** What has begun. */
    @FunctionalInterface
    interface Step extends AutoCloseable {
        @Override
        void close();
    }
}
