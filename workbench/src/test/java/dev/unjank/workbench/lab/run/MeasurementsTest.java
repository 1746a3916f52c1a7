package dev.unjank.workbench.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MeasurementsTest {

    @Test
    void anAnswerIsRead() {
        Measurements figures = Measurements.parse(" due=120.0 longest=1.89E7");

        assertThat(figures.count("due")).isEqualTo(120);
        assertThat(figures.get("longest")).isEqualTo(18_900_000);
    }

    @Test
    void aFigureThatIsMissingIsNamedWithThoseThereAre() {
        assertThatThrownBy(() -> Measurements.parse("due=1").get("missed"))
                .hasMessageContaining("missed")
                .hasMessageContaining("due");
    }
}
