package dev.unjank.doctor.find.runtime;

import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.CodeLocation;
import dev.unjank.doctor.model.GenericTerm;
import dev.unjank.doctor.model.WaitKind;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a wait that a virtual machine recorded.
 *
 * @param kind its kind; null if the recording does not identify it
 * @param target what the thread waited for, such as {@code LinkedBlockingQueue.take}
 * @param location the innermost method outside of the JDK; null if unknown
 * @param stack the recorded stack
 * @param isIdle whether the thread waited for work
 * @param isSignal whether it waited for a condition, which may be a resource's or a result's
 */
record RuntimeWait(
        @Nullable WaitKind kind,
        String target,
        @Nullable CodeLocation location,
        CallStack stack,
        boolean isIdle,
        boolean isSignal) {
    /** {@return the wait of this thread for a carrier, after its sleep was over} */
    RuntimeWait forCarrier() {
        return new RuntimeWait(WaitKind.CARRIER, GenericTerm.CARRIER_THREAD.text(), location, stack, false, false);
    }

    RuntimeWait withKind(WaitKind other) {
        return new RuntimeWait(other, target, location, stack, isIdle, isSignal);
    }

    /** {@return the same wait of a thread that waits for its next item} */
    RuntimeWait forNextItem() {
        return new RuntimeWait(kind, target, location, stack, true, isSignal);
    }
}
