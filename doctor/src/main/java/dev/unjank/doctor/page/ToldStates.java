package dev.unjank.doctor.page;

import dev.unjank.doctor.OwnerState;
import dev.unjank.doctor.Part;
import dev.unjank.doctor.Tenure;
import dev.unjank.doctor.Wait;
import dev.unjank.doctor.page.Timeline.Kind;
import dev.unjank.doctor.page.Timeline.State;
import dev.unjank.trace.ThreadStates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What threads did where no scheduler tells, as in a recording of a Java virtual machine: what the blame tree knows. */
final class ToldStates {
    private ToldStates() {}

    /** {@return what a thread did during a wait, in order of time, without overlaps; there may be gaps} */
    static List<State> of(Wait tree, int utid) {
        List<Part> parts = new ArrayList<>();
        collect(tree, utid, parts);
        parts.sort(Comparator.comparingLong(Part::startNs));
        List<State> states = new ArrayList<>();
        long end = Long.MIN_VALUE;
        for (Part part : parts) {
            if (part.startNs() >= end && part.state() != OwnerState.UNKNOWN) {
                Kind kind = new Kind(part.state(), -1, ThreadStates.NO_PRIORITY, part.detail(), null);
                states.add(new State(kind, part.startNs(), part.durNs()));
                end = part.endNs();
            }
        }
        return states;
    }

    private static void collect(Wait wait, int utid, List<Part> into) {
        for (Tenure tenure : wait.tenures()) {
            for (Part part : tenure.parts()) {
                if (part.thread().utid() == utid || wait.isOfAllThreads()) {
                    into.add(part);
                }
                if (part.further() != null) {
                    collect(part.further(), utid, into);
                }
            }
        }
    }
}
