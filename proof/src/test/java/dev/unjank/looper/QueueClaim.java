package dev.unjank.looper;

import java.util.function.UnaryOperator;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;

/** The guarantees of the queue, each with the scenario in which it is most easily broken and a fault that breaks it. */
enum QueueClaim {
    A_MESSAGE_IS_TAKEN_OR_REMOVED(
            SeededBugModels.TakesWithoutWinning.class,
            s -> s.before("send 1 1", "take 0").thread("take 1").thread("remove 1")),
    NOTHING_SENT_IS_LOST(
            SeededBugModels.PushesWithoutComparing.class,
            s -> s.thread("send 1 1").thread("send 2 1").after("take 1", "take 1")),
    NOTHING_SENT_IS_HIDDEN(
            SeededBugModels.SwapsBeforeLinking.class,
            s -> s.before("send 1 1").thread("send 2 1").thread("take 1").after("take 1", "take 1")),
    QUIT_REFUSES_OR_DROPS(
            SeededBugModels.LooksForQuitBeforePushing.class,
            s -> s.thread("send 1 1").thread("quit false").after("take 1")),
    QUIT_CUTS_OFF_ALL_AT_ONCE(
            SeededBugModels.RunsOnAfterQuit.class,
            s -> s.before("sendToFront 1", "sendToFront 2").thread("take 1").thread("quit false")),
    SAFE_QUIT_RUNS_WHAT_IS_DUE(
            SeededBugModels.EndsTooEarly.class,
            s -> s.before("send 1 2")
                    .thread("takeOrSleep 1")
                    .thread("quit true")
                    .after("take 2")),
    SENDING_WAKES_THE_LOOPER(
            SeededBugModels.LooksBeforeParking.class,
            s -> s.thread("takeOrSleep 1").thread("send 1 1")),
    QUITTING_WAKES_THE_LOOPER(
            SeededBugModels.LooksBeforeParking.class,
            s -> s.thread("takeOrSleep 1").thread("quit false")),
    NOTHING_SENT_IS_CUT_OFF(
            SeededBugModels.PopsWithoutComparing.class,
            s -> s.before("send 1 1", "take 1")
                    .thread("takeOrSleep 1")
                    .thread("send 2 1")
                    .after("take 1")),
    A_MESSAGE_IS_REMOVED_ONCE(
            SeededBugModels.RemovesWithoutWinning.class,
            s -> s.before("send 1 1").thread("remove 1").thread("removeByToken 1")),
    A_HANDLE_CANCELS_WHAT_IS_NOT_TAKEN(
            SeededBugModels.TakesWithoutWinning.class,
            s -> s.before("send 1 1", "take 0").thread("take 1").thread("cancel 1")),
    A_RUNNABLE_IS_TAKEN_OR_REMOVED(
            SeededBugModels.TakesWithoutWinning.class,
            s -> s.before("post 1 1", "take 0").thread("take 1").thread("removeRunnable 1")),
    A_BARRIER_IS_REMOVED_ONCE(
            SeededBugModels.RemovesWithoutWinning.class,
            s -> s.before("postSyncBarrier").thread("removeSyncBarrier 1").thread("removeSyncBarrier 1")),
    A_BARRIER_THAT_FALLS_WAKES_THE_LOOPER(
            SeededBugModels.ForgetsAFallenBarrier.class,
            s -> s.before("postBarrier 1 1", "send 2 1").thread("takeOrSleep 1").thread("removeBarrier 1")),
    AN_ASYNCHRONOUS_MESSAGE_PASSES_A_BARRIER(
            SeededBugModels.HoldsUpEverything.class,
            s -> s.before("postBarrier 1 1", "send 2 1").thread("takeOrSleep 1").thread("sendAsynchronous 3 1")),
    SENDING_WAKES_A_LOOPER_EARLIER_IN_A_MILLISECOND(
            SeededBugModels.SleepsByWholeMilliseconds.class,
            s -> s.before("sendHalfPast 1 1").thread("takeOrSleep 1").thread("send 2 1")),
    NOBODY_RELIES_ON_A_WAKE_UP_TO_COME(
            SeededBugModels.EndsTheSleepBeforeWaking.class,
            s -> s.before("takeOrSleep 1").thread("send 1 1").thread("send 2 1", "isAwake")),
    THE_REPLACEMENT_OF_WHAT_IS_NEW_KEEPS_ITS_PLACE(
            SeededBugModels.ForgetsWhoDiedOnTheWay.class,
            s -> s.before("send 9 2", "take 2", "send 1 1", "send 2 2")
                    .thread("take 2")
                    .thread("send 3 1", "remove 1")),
    THE_REPLACEMENT_OF_WHAT_IS_KNOWN_KEEPS_ITS_PLACE(
            SeededBugModels.ForgetsWhoDiedInItsPlace.class,
            s -> s.before("send 1 1", "send 2 2", "take 0").thread("take 2").thread("send 3 1", "remove 1")),
    THE_REPLACEMENT_OF_WHAT_IS_CHOSEN_KEEPS_ITS_PLACE(
            SeededBugModels.TakesTheNextItKnows.class,
            s -> s.before("send 1 1", "send 2 2", "take 0").thread("take 2").thread("send 3 1", "remove 1")),
    WHAT_GOES_TO_THE_FRONT_IS_TAKEN_NEXT(
            SeededBugModels.TakesWhatIsAtHand.class,
            s -> s.before("send 1 1", "send 2 1", "send 3 1", "take 1")
                    .thread("take 1")
                    .thread("sendToFront 4")
                    .after("take 1", "take 1")),
    WHAT_GOES_TO_THE_FRONT_GOES_BEFORE_WHAT_WENT_THERE(
            SeededBugModels.TakesWhatIsAtHand.class,
            s -> s.before("sendToFront 1", "sendToFront 2", "sendToFront 3", "take 1")
                    .thread("take 1")
                    .thread("sendToFront 4")
                    .after("take 1", "take 1")),
    WHAT_OVERTAKES_WHILE_THE_LOOPER_LOOKS_IS_TAKEN_NEXT(
            SeededBugModels.DoesNotLookAgain.class,
            s -> s.before("send 1 2", "send 2 2", "send 3 2")
                    .thread("take 2")
                    .thread("send 4 1")
                    .after("take 2", "take 2")),
    WHAT_STAYS_IS_SEEN(
            SeededBugModels.CutsWhatItUnlinks.class,
            s -> s.before("send 1 3", "send 2 1", "send 3 3", "take 0")
                    .thread("takeOrSleep 1", "takeOrSleep 1")
                    .thread("has 1")),
    WHAT_SETTLES_IS_FOUND_BY_ITS_CODE(
            SeededBugModels.SettlesBeforeIndexing.class,
            s -> s.before("settleMany 64", "send 1 3").thread("takeOrSleep 1").thread("has 1")),
    WHAT_SETTLES_FIRST_IS_FOUND_BY_ITS_CODE(
            SeededBugModels.SettlesBeforeIndexing.class,
            s -> s.before("settleMany 63", "send 1 3").thread("takeOrSleep 1").thread("remove 1")),
    WHAT_SETTLES_IS_FOUND_BY_ITS_RUNNABLE(
            SeededBugModels.SettlesBeforeIndexing.class,
            s -> s.before("settleMany 64", "post 1 3").thread("takeOrSleep 1").thread("hasRunnable 1"));

    /** A queue that breaks this guarantee. */
    final Class<? extends DeliveryModel> broken;

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final UnaryOperator<LincheckScenario> steps;

    QueueClaim(Class<? extends DeliveryModel> broken, UnaryOperator<LincheckScenario> steps) {
        this.broken = broken;
        this.steps = steps;
    }

    ExecutionScenario scenario(Class<? extends DeliveryModel> model) {
        return steps.apply(new LincheckScenario(model)).build();
    }
}
