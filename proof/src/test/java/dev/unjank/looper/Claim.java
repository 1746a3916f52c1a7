package dev.unjank.looper;

import java.util.function.UnaryOperator;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;

/** What the queue promises, each with the scenario in which it is most easily broken and a fault that breaks it. */
enum Claim {
    A_MESSAGE_IS_TAKEN_OR_REMOVED(
            OrderModel.TakesWithoutWinning.class,
            s -> s.before("send 1 1", "take 0").thread("take 1").thread("remove 1")),
    NOTHING_SENT_IS_LOST(
            OrderModel.PushesWithoutComparing.class,
            s -> s.thread("send 1 1").thread("send 2 1").after("take 1", "take 1")),
    NOTHING_SENT_IS_HIDDEN(
            OrderModel.SwapsBeforeLinking.class,
            s -> s.before("send 1 1").thread("send 2 1").thread("take 1").after("take 1", "take 1")),
    QUIT_REFUSES_OR_DROPS(
            OrderModel.LooksForQuitBeforePushing.class,
            s -> s.thread("send 1 1").thread("quit false").after("take 1")),
    QUIT_CUTS_OFF_ALL_AT_ONCE(
            OrderModel.RunsOnAfterQuit.class,
            s -> s.before("sendToFront 1", "sendToFront 2").thread("take 1").thread("quit false")),
    SAFE_QUIT_RUNS_WHAT_IS_DUE(
            OrderModel.EndsTooEarly.class,
            s -> s.before("send 1 2")
                    .thread("takeOrSleep 1")
                    .thread("quit true")
                    .after("take 2")),
    SENDING_WAKES_THE_LOOPER(
            OrderModel.LooksBeforeParking.class, s -> s.thread("takeOrSleep 1").thread("send 1 1")),
    QUITTING_WAKES_THE_LOOPER(
            OrderModel.LooksBeforeParking.class, s -> s.thread("takeOrSleep 1").thread("quit false")),
    A_REPLACEMENT_KEEPS_ITS_PLACE(
            OrderModel.TrustsAStaleView.class,
            s -> s.before("send 1 1", "send 2 2").thread("take 2").thread("send 3 1", "remove 1")),
    WHAT_STAYS_IS_SEEN(
            OrderModel.CutsWhatItUnlinks.class,
            s -> s.before("send 1 3", "send 2 1", "send 3 3", "take 0")
                    .thread("take 1")
                    .thread("has 1"));

    /** A queue that does not keep this promise. */
    final Class<? extends OrderModel> broken;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final UnaryOperator<Scenario> steps;

    Claim(Class<? extends OrderModel> broken, UnaryOperator<Scenario> steps) {
        this.broken = broken;
        this.steps = steps;
    }

    ExecutionScenario scenario(Class<? extends OrderModel> model) {
        return steps.apply(new Scenario(model)).build();
    }
}
