package dev.unjank.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OmissionsTest {
    private static List<String> told(Omissions omissions) {
        List<String> told = new ArrayList<>();
        omissions.tell(told::add);
        return told;
    }

    @Test
    void oneAndManyAreToldInWords() {
        Omissions omissions = new Omissions();
        assertThat(told(omissions)).isEmpty();
        omissions.note(Omissions.What.KERNEL_EVENT);
        omissions.note(Omissions.What.BUNDLE);
        assertThat(told(omissions))
                .containsExactly("left out: 1 damaged bundle of kernel events", "left out: 1 damaged kernel event");
        Omissions others = new Omissions();
        others.note(Omissions.What.BUNDLE);
        others.note(Omissions.What.ORPHAN);
        omissions.add(others);
        assertThat(told(omissions))
                .containsExactly(
                        "left out: 1 packet that builds on a lost one",
                        "left out: 2 damaged bundles of kernel events",
                        "left out: 1 damaged kernel event");
    }

    @Test
    void eachIsCounted() {
        Omissions omissions = new Omissions();
        for (int i = 0; i < 3; i++) {
            omissions.note(Omissions.What.PACKET);
        }
        assertThat(told(omissions)).containsExactly("left out: 3 damaged packets");
    }

    @Test
    void howManyAndHowOften() {
        assertThat(Counts.of(1, "wait")).isEqualTo("1 wait");
        assertThat(Counts.of(0, "wait")).isEqualTo("0 waits");
        assertThat(Counts.times(1)).isEqualTo("once");
        assertThat(Counts.times(2)).isEqualTo("twice");
        assertThat(Counts.times(3)).isEqualTo("3 times");
    }
}
