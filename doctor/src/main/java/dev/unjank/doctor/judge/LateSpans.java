package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.CpuSamples.Span;
import dev.unjank.doctor.model.CriticalPath;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnWorkFrame;
import dev.unjank.doctor.model.SampledStacks;
import dev.unjank.doctor.model.Wait;
import dev.unjank.doctor.model.WaitKind;
import java.util.ArrayList;
import java.util.List;

/** The intervals in which the work of a thread made another one, a frame or an event late. */
public final class LateSpans {
    private LateSpans() {}

    /**
     * {@return the stacks sampled in all such intervals: of the incidents and of the missed frames that their program's
     * own work made late; a sample counts once}
     *
     * @param diagnosis the diagnosis
     */
    public static SampledStacks samples(Diagnosis diagnosis) {
        if (diagnosis.samples().isEmpty()) {
            return SampledStacks.NONE;
        }
        List<Span> spans = of(diagnosis.incidents());
        for (OwnWorkFrame frame : diagnosis.ownWorkFrames()) {
            spans.addAll(of(frame.path()));
        }
        return diagnosis.samples().within(spans);
    }

    /**
     * {@return the intervals of some incidents: those in which the last owners of their blame trees blocked them, and
     * the whole time of a long handler}
     */
    static List<Span> of(List<Incident> incidents) {
        List<Span> spans = new ArrayList<>();
        for (Incident incident : incidents) {
            Wait wait = incident.rootWait();
            int waiter = wait.thread().utid();
            wait.forEachLeaf(leaf -> {
                boolean isOwn = leaf.thread().utid() == waiter;
                if (leaf.thread().isInTrace() && isOwn == (wait.kind() == WaitKind.HANDLER)) {
                    spans.add(new Span(leaf.thread().utid(), leaf.startNs(), leaf.endNs()));
                }
            });
        }
        return spans;
    }

    /** {@return the intervals of a critical path} */
    static List<Span> of(CriticalPath path) {
        return path.intervals().stream()
                .filter(interval -> interval.owner().thread().isInTrace())
                .map(interval -> new Span(interval.owner().thread().utid(), interval.startNs(), interval.endNs()))
                .toList();
    }
}
