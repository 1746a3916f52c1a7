package dev.unjank.looper;

/** The queues with a fault, each as a class of its own, as the model checker requires. */
public final class SeededBugModels {
    private SeededBugModels() {}

    public static final class WithoutFault extends DeliveryModel {
        public WithoutFault() {
            super(new SeededBugQueue(SeededBugQueue.Fault.NONE));
        }
    }

    public static final class TakesWithoutWinning extends DeliveryModel {
        public TakesWithoutWinning() {
            super(new SeededBugQueue(SeededBugQueue.Fault.TAKES_WITHOUT_WINNING));
        }
    }

    public static final class RemovesWithoutWinning extends DeliveryModel {
        public RemovesWithoutWinning() {
            super(new SeededBugQueue(SeededBugQueue.Fault.REMOVES_WITHOUT_WINNING));
        }
    }

    public static final class PushesWithoutComparing extends DeliveryModel {
        public PushesWithoutComparing() {
            super(new SeededBugQueue(SeededBugQueue.Fault.PUSHES_WITHOUT_COMPARING));
        }
    }

    public static final class SwapsBeforeLinking extends DeliveryModel {
        public SwapsBeforeLinking() {
            super(new SeededBugQueue(SeededBugQueue.Fault.SWAPS_BEFORE_LINKING));
        }
    }

    public static final class PopsWithoutComparing extends DeliveryModel {
        public PopsWithoutComparing() {
            super(new SeededBugQueue(SeededBugQueue.Fault.POPS_WITHOUT_COMPARING));
        }
    }

    public static final class LooksForQuitBeforePushing extends DeliveryModel {
        public LooksForQuitBeforePushing() {
            super(new SeededBugQueue(SeededBugQueue.Fault.LOOKS_FOR_QUIT_BEFORE_PUSHING));
        }
    }

    public static final class LooksBeforeParking extends DeliveryModel {
        public LooksBeforeParking() {
            super(new SeededBugQueue(SeededBugQueue.Fault.LOOKS_BEFORE_PARKING));
        }
    }

    public static final class ForgetsAFallenBarrier extends DeliveryModel {
        public ForgetsAFallenBarrier() {
            super(new SeededBugQueue(SeededBugQueue.Fault.FORGETS_A_FALLEN_BARRIER));
        }
    }

    public static final class HoldsUpEverything extends DeliveryModel {
        public HoldsUpEverything() {
            super(new SeededBugQueue(SeededBugQueue.Fault.HOLDS_UP_EVERYTHING));
        }
    }

    public static final class SleepsByWholeMilliseconds extends DeliveryModel {
        public SleepsByWholeMilliseconds() {
            super(new SeededBugQueue(SeededBugQueue.Fault.SLEEPS_BY_WHOLE_MILLISECONDS));
        }
    }

    public static final class EndsTheSleepBeforeWaking extends DeliveryModel {
        public EndsTheSleepBeforeWaking() {
            super(new SeededBugQueue(SeededBugQueue.Fault.ENDS_THE_SLEEP_BEFORE_WAKING));
        }
    }

    public static final class CutsWhatItUnlinks extends DeliveryModel {
        public CutsWhatItUnlinks() {
            super(new SeededBugQueue(SeededBugQueue.Fault.CUTS_WHAT_IT_UNLINKS));
        }
    }

    public static final class SettlesBeforeIndexing extends DeliveryModel {
        public SettlesBeforeIndexing() {
            super(new SeededBugQueue(SeededBugQueue.Fault.SETTLES_BEFORE_INDEXING));
        }
    }

    public static final class ForgetsWhoDiedOnTheWay extends DeliveryModel {
        public ForgetsWhoDiedOnTheWay() {
            super(new SeededBugQueue(SeededBugQueue.Fault.FORGETS_WHO_DIED_ON_THE_WAY));
        }
    }

    public static final class ForgetsWhoDiedInItsPlace extends DeliveryModel {
        public ForgetsWhoDiedInItsPlace() {
            super(new SeededBugQueue(SeededBugQueue.Fault.FORGETS_WHO_DIED_IN_ITS_PLACE));
        }
    }

    public static final class TakesTheNextItKnows extends DeliveryModel {
        public TakesTheNextItKnows() {
            super(new SeededBugQueue(SeededBugQueue.Fault.TAKES_THE_NEXT_IT_KNOWS));
        }
    }

    public static final class TakesWhatIsAtHand extends DeliveryModel {
        public TakesWhatIsAtHand() {
            super(new SeededBugQueue(SeededBugQueue.Fault.TAKES_WHAT_IS_AT_HAND));
        }
    }

    public static final class DoesNotLookAgain extends DeliveryModel {
        public DoesNotLookAgain() {
            super(new SeededBugQueue(SeededBugQueue.Fault.DOES_NOT_LOOK_AGAIN));
        }
    }

    public static final class RunsOnAfterQuit extends DeliveryModel {
        public RunsOnAfterQuit() {
            super(new SeededBugQueue(SeededBugQueue.Fault.RUNS_ON_AFTER_QUIT));
        }
    }

    public static final class EndsTooEarly extends DeliveryModel {
        public EndsTooEarly() {
            super(new SeededBugQueue(SeededBugQueue.Fault.ENDS_TOO_EARLY));
        }
    }
}
