package dev.unjank.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GridTest {

    @Test
    void columnsAreAsWideAsTheirWidestCell() {
        Grid grid = new Grid("", "before", "after");
        grid.row("frames", "1", "23456789");
        grid.row("a short row", "2");

        assertThat(grid.lines())
                .containsExactly(
                        "              before      after", "frames             1   23456789", "a short row        2");
    }

    @Test
    void aRowHasNoMoreCellsThanTheHead() {
        Grid grid = new Grid("only");

        assertThatThrownBy(() -> grid.row("a", "b")).isInstanceOf(IllegalArgumentException.class);
    }
}
