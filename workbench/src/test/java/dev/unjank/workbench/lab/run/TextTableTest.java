package dev.unjank.workbench.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TextTableTest {

    @Test
    void columnsAreAsWideAsTheirWidestCell() {
        TextTable grid = new TextTable("", "before", "after");
        grid.row("frames", "1", "23456789");
        grid.row("a short row", "2");

        assertThat(grid.lines())
                .containsExactly(
                        "              before      after", "frames             1   23456789", "a short row        2");
    }

    @Test
    void aRowHasNoMoreCellsThanTheHead() {
        TextTable grid = new TextTable("only");

        assertThatThrownBy(() -> grid.row("a", "b")).isInstanceOf(IllegalArgumentException.class);
    }
}
