package dev.unjank.trace.read.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.text.EnglishCounts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnreadableRecordsTest {
    private static List<String> warnings(UnreadableRecords omissions) {
        List<String> warnings = new ArrayList<>();
        omissions.forEachWarning(warning -> warnings.add(warning.sentence()));
        return warnings;
    }

    @Test
    void warningsUseSingularAndPlural() {
        UnreadableRecords omissions = new UnreadableRecords();
        assertThat(warnings(omissions)).isEmpty();
        omissions.count(UnreadableRecords.Kind.KERNEL_EVENT);
        omissions.count(UnreadableRecords.Kind.BUNDLE);
        assertThat(warnings(omissions))
                .containsExactly("skipped: 1 damaged bundle of kernel events", "skipped: 1 damaged kernel event");
        UnreadableRecords others = new UnreadableRecords();
        others.count(UnreadableRecords.Kind.BUNDLE);
        others.count(UnreadableRecords.Kind.ORPHAN);
        omissions.add(others);
        assertThat(warnings(omissions))
                .containsExactly(
                        "skipped: 1 packet that depends on a lost one",
                        "skipped: 2 damaged bundles of kernel events",
                        "skipped: 1 damaged kernel event");
    }

    @Test
    void eachIsCounted() {
        UnreadableRecords omissions = new UnreadableRecords();
        for (int i = 0; i < 3; i++) {
            omissions.count(UnreadableRecords.Kind.PACKET);
        }
        assertThat(warnings(omissions)).containsExactly("skipped: 3 damaged packets");
    }

    @Test
    void howManyAndHowOften() {
        assertThat(EnglishCounts.of(1, "wait")).isEqualTo("1 wait");
        assertThat(EnglishCounts.of(0, "wait")).isEqualTo("0 waits");
        assertThat(EnglishCounts.times(1)).isEqualTo("once");
        assertThat(EnglishCounts.times(2)).isEqualTo("twice");
        assertThat(EnglishCounts.times(3)).isEqualTo("3 times");
    }
}
