package dev.unjank.looper;

/** The queues with a fault, each as a class of its own, as the model checker wants it. */
public final class FaultyModel {
    private FaultyModel() {}

    public static final class WithoutFault extends OrderModel {
        public WithoutFault() {
            super(new BareQueue(BareQueue.Fault.NONE));
        }
    }

    public static final class TakesWithoutWinning extends OrderModel {
        public TakesWithoutWinning() {
            super(new BareQueue(BareQueue.Fault.TAKES_WITHOUT_WINNING));
        }
    }

    public static final class RemovesWithoutWinning extends OrderModel {
        public RemovesWithoutWinning() {
            super(new BareQueue(BareQueue.Fault.REMOVES_WITHOUT_WINNING));
        }
    }

    public static final class PushesWithoutComparing extends OrderModel {
        public PushesWithoutComparing() {
            super(new BareQueue(BareQueue.Fault.PUSHES_WITHOUT_COMPARING));
        }
    }

    public static final class SwapsBeforeLinking extends OrderModel {
        public SwapsBeforeLinking() {
            super(new BareQueue(BareQueue.Fault.SWAPS_BEFORE_LINKING));
        }
    }

    public static final class PopsWithoutComparing extends OrderModel {
        public PopsWithoutComparing() {
            super(new BareQueue(BareQueue.Fault.POPS_WITHOUT_COMPARING));
        }
    }

    public static final class LooksForQuitBeforePushing extends OrderModel {
        public LooksForQuitBeforePushing() {
            super(new BareQueue(BareQueue.Fault.LOOKS_FOR_QUIT_BEFORE_PUSHING));
        }
    }

    public static final class LooksBeforeParking extends OrderModel {
        public LooksBeforeParking() {
            super(new BareQueue(BareQueue.Fault.LOOKS_BEFORE_PARKING));
        }
    }

    public static final class ForgetsAFallenBarrier extends OrderModel {
        public ForgetsAFallenBarrier() {
            super(new BareQueue(BareQueue.Fault.FORGETS_A_FALLEN_BARRIER));
        }
    }

    public static final class HoldsUpEverything extends OrderModel {
        public HoldsUpEverything() {
            super(new BareQueue(BareQueue.Fault.HOLDS_UP_EVERYTHING));
        }
    }

    public static final class SleepsByWholeMilliseconds extends OrderModel {
        public SleepsByWholeMilliseconds() {
            super(new BareQueue(BareQueue.Fault.SLEEPS_BY_WHOLE_MILLISECONDS));
        }
    }

    public static final class EndsTheSleepBeforeWaking extends OrderModel {
        public EndsTheSleepBeforeWaking() {
            super(new BareQueue(BareQueue.Fault.ENDS_THE_SLEEP_BEFORE_WAKING));
        }
    }

    public static final class CutsWhatItUnlinks extends OrderModel {
        public CutsWhatItUnlinks() {
            super(new BareQueue(BareQueue.Fault.CUTS_WHAT_IT_UNLINKS));
        }
    }

    public static final class SettlesBeforeIndexing extends OrderModel {
        public SettlesBeforeIndexing() {
            super(new BareQueue(BareQueue.Fault.SETTLES_BEFORE_INDEXING));
        }
    }

    public static final class ForgetsWhoDiedOnTheWay extends OrderModel {
        public ForgetsWhoDiedOnTheWay() {
            super(new BareQueue(BareQueue.Fault.FORGETS_WHO_DIED_ON_THE_WAY));
        }
    }

    public static final class ForgetsWhoDiedInItsPlace extends OrderModel {
        public ForgetsWhoDiedInItsPlace() {
            super(new BareQueue(BareQueue.Fault.FORGETS_WHO_DIED_IN_ITS_PLACE));
        }
    }

    public static final class TakesTheNextItKnows extends OrderModel {
        public TakesTheNextItKnows() {
            super(new BareQueue(BareQueue.Fault.TAKES_THE_NEXT_IT_KNOWS));
        }
    }

    public static final class TakesWhatIsAtHand extends OrderModel {
        public TakesWhatIsAtHand() {
            super(new BareQueue(BareQueue.Fault.TAKES_WHAT_IS_AT_HAND));
        }
    }

    public static final class DoesNotLookAgain extends OrderModel {
        public DoesNotLookAgain() {
            super(new BareQueue(BareQueue.Fault.DOES_NOT_LOOK_AGAIN));
        }
    }

    public static final class RunsOnAfterQuit extends OrderModel {
        public RunsOnAfterQuit() {
            super(new BareQueue(BareQueue.Fault.RUNS_ON_AFTER_QUIT));
        }
    }

    public static final class EndsTooEarly extends OrderModel {
        public EndsTooEarly() {
            super(new BareQueue(BareQueue.Fault.ENDS_TOO_EARLY));
        }
    }
}
