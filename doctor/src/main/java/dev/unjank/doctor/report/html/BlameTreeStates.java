package dev.unjank.doctor.report.html;

import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Segment;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.report.WaitMessages;
import dev.unjank.doctor.report.html.Timeline.Kind;
import dev.unjank.doctor.report.html.Timeline.State;
import dev.unjank.trace.model.ThreadStates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The states of threads without scheduler events, as in a recording of a Java virtual machine: from the blame tree. */
final class BlameTreeStates {
    private BlameTreeStates() {}

    /** {@return what a thread did during a wait, in order of time, without overlaps; there may be gaps} */
    static List<State> of(Wait tree, int utid) {
        List<Segment> parts = new ArrayList<>();
        collect(tree, utid, parts);
        parts.sort(Comparator.comparingLong(Segment::startNs));
        List<State> states = new ArrayList<>();
        long end = Long.MIN_VALUE;
        for (Segment part : parts) {
            if (part.startNs() >= end && part.state() != OwnerState.UNKNOWN) {
                Kind kind =
                        new Kind(part.state(), -1, ThreadStates.NO_PRIORITY, WaitMessages.detail(part.detail()), null);
                states.add(new State(kind, part.startNs(), part.durNs()));
                end = part.endNs();
            }
        }
        return states;
    }

    private static void collect(Wait wait, int utid, List<Segment> into) {
        for (OwnerInterval ownerInterval : wait.ownerIntervals()) {
            for (Segment part : ownerInterval.segments()) {
                if (part.thread().utid() == utid || wait.isProcessPause()) {
                    into.add(part);
                }
                if (part.nextWait() != null) {
                    collect(part.nextWait(), utid, into);
                }
            }
        }
    }
}
