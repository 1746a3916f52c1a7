package dev.unjank.record.session;

import java.util.concurrent.CancellationException;

/**
 * A sink whose writer can lose access. {@link #revoke} makes every further call fail, so that an abandoned reader
 * cannot write to the trace. Thread-safe.
 */
public final class RevocableSink implements TraceSink {
    private final TraceSink to;
    private boolean isRevoked;

    public RevocableSink(TraceSink to) {
        this.to = to;
    }

    /** Closes the sink; waits for the current call. */
    public synchronized void revoke() {
        isRevoked = true;
    }

    /** Runs an action, or throws a {@link CancellationException} if the sink is revoked. */
    public synchronized void unlessRevoked(Runnable action) {
        if (isRevoked) {
            throw new CancellationException("given up");
        }
        action.run();
    }

    @Override
    public void process(int pid, int parentPid, String name, boolean isJvm) {
        unlessRevoked(() -> to.process(pid, parentPid, name, isJvm));
    }

    @Override
    public void onlyWakeupsOfTarget() {
        unlessRevoked(to::onlyWakeupsOfTarget);
    }

    @Override
    public void thread(int pid, int tid, String name) {
        unlessRevoked(() -> to.thread(pid, tid, name));
    }

    @Override
    public void kernelThread(int pid, int tid, String comm) {
        unlessRevoked(() -> to.kernelThread(pid, tid, comm));
    }

    @Override
    public void scheduling(int tid, String name, String policy, int nice, int realTimePriority) {
        unlessRevoked(() -> to.scheduling(tid, name, policy, nice, realTimePriority));
    }

    @Override
    public void gone(int tid) {
        unlessRevoked(() -> to.gone(tid));
    }

    @Override
    public void write(Batch batch) {
        unlessRevoked(() -> to.write(batch));
    }

    @Override
    public RecordingInterval interval() {
        return to.interval();
    }

    @Override
    public void lost(String source, long events) {
        unlessRevoked(() -> to.lost(source, events));
    }

    @Override
    public void ended(String source, String reason) {
        unlessRevoked(() -> to.ended(source, reason));
    }
}
