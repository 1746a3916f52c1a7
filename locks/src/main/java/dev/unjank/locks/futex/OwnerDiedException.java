package dev.unjank.locks.futex;

/**
 * The owner of a {@link PiMutex} has ended without releasing it. <b>The calling thread owns the mutex now</b>: it repairs what the mutex
 * guards, or decides that it cannot be repaired, and releases the mutex in either case.
 *
 * {@snippet :
 * try {
 *     mutex.lock();
 * } catch (OwnerDiedException e) {
 *     state.repair(); // the mutex is held
 * }
 * try {
 *     ...
 * } finally {
 *     mutex.unlock();
 * }
 * }
 */
public final class OwnerDiedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    OwnerDiedException(String message) {
        super(message);
    }
}
