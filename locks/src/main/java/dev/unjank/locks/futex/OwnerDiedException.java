package dev.unjank.locks.futex;

/**
 * Thrown when the owner of a {@link PiMutex} has ended without releasing it. <b>The calling thread owns the mutex
 * now</b>: it must repair the guarded state, or decide that it cannot be repaired, and release the mutex in either
 * case.
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
