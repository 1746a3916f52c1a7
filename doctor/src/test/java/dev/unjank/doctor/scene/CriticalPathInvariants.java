package dev.unjank.doctor.scene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.CriticalPath;
import dev.unjank.doctor.model.CriticalPath.PathSlice;
import dev.unjank.doctor.model.CriticalPath.ThreadWork;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.OwnWorkFrame;
import dev.unjank.doctor.model.OwnerInterval;
import dev.unjank.doctor.model.Segment;

/** What holds for the critical path of every missed frame. */
final class CriticalPathInvariants {
    private CriticalPathInvariants() {}

    static void check(Diagnosis diagnosis) {
        long longest = Long.MAX_VALUE;
        for (OwnWorkFrame late : diagnosis.ownWorkFrames()) {
            Frame frame = late.frame();
            assertThat(frame.durNs()).isLessThanOrEqualTo(longest);
            longest = frame.durNs();
            checkIntervals(late.path(), frame);
            assertThat(late.path().threads().stream()
                            .mapToLong(ThreadWork::durNs)
                            .sum())
                    .isEqualTo(frame.durNs());
            late.path().threads().forEach(work -> checkThread(work, frame));
        }
        OwnWorkFrame main = diagnosis.mainOwnWork();
        if (main != null) {
            assertThat(main.work()).isSameAs(diagnosis.mainFinding().workload());
        }
    }

    private static void checkIntervals(CriticalPath path, Frame frame) {
        long at = frame.startNs();
        for (OwnerInterval interval : path.intervals()) {
            assertThat(interval.startNs()).isEqualTo(at);
            for (Segment part : interval.segments()) {
                assertThat(part.startNs()).isEqualTo(at);
                at += part.durNs();
                if (part.nextWait() != null) {
                    SceneDiagnoses.assertTiled(part.nextWait());
                }
            }
            assertThat(at).isEqualTo(interval.endNs());
        }
        assertThat(at).isEqualTo(frame.endNs());
    }

    private static void checkThread(ThreadWork work, Frame frame) {
        assertThat(work.states().stream()
                        .mapToLong(Incident.StateDuration::durNs)
                        .sum())
                .isEqualTo(work.durNs());
        long own = 0;
        for (PathSlice slice : work.slices()) {
            assertThat(slice.ownNs()).isBetween(0L, slice.durNs());
            assertThat(slice.durNs()).isBetween(frame.durNs() / 20, frame.durNs());
            own += slice.ownNs();
        }
        assertThat(own).isLessThanOrEqualTo(work.durNs());
    }
}
