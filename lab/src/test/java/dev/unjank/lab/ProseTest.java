package dev.unjank.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProseTest {

    @Test
    void aLineEndsBeforeTheWordThatDoesNotFit() {
        assertThat(Prose.wrapped("one two three four", 7).lines()).containsExactly("one two", "three", "four");
        assertThat(Prose.wrapped("one two three four", 9).lines()).containsExactly("one two", "three", "four");
        assertThat(Prose.wrapped("one two three four", 10).lines()).containsExactly("one two", "three four");
    }

    @Test
    void aWordWiderThanTheLineStaysWhole() {
        assertThat(Prose.wrapped("a antidisestablishment b", 5).lines())
                .containsExactly("a", "antidisestablishment", "b");
    }
}
