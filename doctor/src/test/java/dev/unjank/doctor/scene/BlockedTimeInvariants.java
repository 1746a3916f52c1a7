package dev.unjank.doctor.scene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.BlockedKind;
import dev.unjank.doctor.model.BlockedTime;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.Incident;
import dev.unjank.doctor.model.WaitKind;
import java.util.EnumMap;
import java.util.Map;

/** What holds of the blocked time of every diagnosis: its parts add up and contain each incident. */
final class BlockedTimeInvariants {
    private BlockedTimeInvariants() {}

    static void check(Diagnosis diagnosis) {
        BlockedTime time = diagnosis.blockedTime();
        assertThat(time.totalNs())
                .isEqualTo(time.kinds().stream()
                        .mapToLong(BlockedTime.KindTotal::durNs)
                        .sum())
                .isEqualTo(time.busyNs() + time.ns(BlockedKind.IDLE));
        for (BlockedTime.KindTotal part : time.kinds()) {
            assertThat(part.durNs()).isPositive();
            assertThat(part.threads()).isBetween(1, time.threads());
            assertThat(part.durNs()).isLessThanOrEqualTo(part.threads() * diagnosis.durationNs());
        }
        assertThat(time.totalNs())
                .as("no moment of a thread counts twice")
                .isLessThanOrEqualTo(time.threads() * diagnosis.durationNs());
        Map<BlockedKind, Long> incidents = new EnumMap<>(BlockedKind.class);
        for (Incident incident : diagnosis.incidents()) {
            WaitKind kind = incident.rootWait().kind();
            boolean isBlocked = kind != WaitKind.QUEUE && kind != WaitKind.HANDLER;
            if (isBlocked && !incident.rootWait().thread().isAllOfProcess()) {
                incidents.merge(BlockedKind.of(kind), incident.rootWait().durNs(), Long::sum);
            }
        }
        incidents.forEach((kind, ns) ->
                assertThat(time.ns(kind)).as("contains all waits: " + kind).isGreaterThanOrEqualTo(ns));
    }
}
