package dev.unjank.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineWrappingTest {

    @Test
    void aLineEndsBeforeTheWordThatDoesNotFit() {
        assertThat(LineWrapping.wrapped("one two three four", 7).lines()).containsExactly("one two", "three", "four");
        assertThat(LineWrapping.wrapped("one two three four", 9).lines()).containsExactly("one two", "three", "four");
        assertThat(LineWrapping.wrapped("one two three four", 10).lines()).containsExactly("one two", "three four");
    }

    @Test
    void aWordWiderThanTheLineStaysWhole() {
        assertThat(LineWrapping.wrapped("a antidisestablishment b", 5).lines())
                .containsExactly("a", "antidisestablishment", "b");
    }
}
