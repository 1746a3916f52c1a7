package dev.unjank.doctor.find.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.CallStack;
import dev.unjank.doctor.model.CodeLocation;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CodeSiteFinderTest {
    private static final CallStack SLEEPING_HOLDER = stack(
            "java.lang.Thread.sleep",
            "shop.Disk.sync",
            "shop.Shop.writeJournal",
            "shop.Shop.handle",
            "java.lang.Thread.run");

    private final CodeSiteFinder guess = new CodeSiteFinder(null);

    @Test
    void theCodeSiteIsTheInnermostFrameOutsideOfTheJdkAndFrameworks() {
        CallStack stack =
                stack("java.net.Socket.read", "com.zaxxer.hikari.Pool.get", "shop.Db.query", "shop.Shop.handle");
        assertThat(method(guess.of(stack))).isEqualTo("shop.Db.query");
    }

    @Test
    void withoutSuchAFrameItIsTheInnermost() {
        assertThat(method(guess.of(stack("java.lang.Object.wait", "java.lang.Thread.run"))))
                .isEqualTo("java.lang.Object.wait");
        assertThat(guess.of(CallStack.NONE)).isNull();
    }

    @Test
    void theHolderOfALockIsTheFrameThatAcquiredItAndNoHelperBelow() {
        assertThat(method(guess.ofHolder(SLEEPING_HOLDER, frame("shop.Shop.writeJournal"))))
                .isEqualTo("shop.Shop.writeJournal");
    }

    @Test
    void aHolderThatTookTheLockElsewhereInTheClassIsFoundByTheClass() {
        assertThat(method(guess.ofHolder(SLEEPING_HOLDER, frame("shop.Shop.readJournal"))))
                .isEqualTo("shop.Shop.writeJournal");
        assertThat(method(guess.ofHolder(SLEEPING_HOLDER, frame("shop.Other.read"))))
                .isEqualTo("shop.Disk.sync");
        assertThat(method(guess.ofHolder(SLEEPING_HOLDER, null))).isEqualTo("shop.Disk.sync");
    }

    @Test
    void aPrefixOverridesTheGuess() {
        CallStack stack = stack("lib.Pool.take", "org.apache.app.Service.call", "shop.Shop.handle");
        assertThat(method(guess.of(stack))).isEqualTo("lib.Pool.take");
        assertThat(method(new CodeSiteFinder("org.apache.app.").of(stack))).isEqualTo("org.apache.app.Service.call");
        assertThat(method(new CodeSiteFinder("none.").of(stack))).isEqualTo("lib.Pool.take");
    }

    private static String method(@Nullable CodeLocation site) {
        return Objects.requireNonNull(site).method();
    }

    private static CallStack stack(String... methods) {
        return new CallStack(Stream.of(methods).map(CodeSiteFinderTest::frame).toList());
    }

    private static CodeLocation frame(String method) {
        return new CodeLocation(method, "X.java", 7);
    }
}
