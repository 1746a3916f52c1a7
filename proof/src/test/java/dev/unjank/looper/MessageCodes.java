package dev.unjank.looper;

import java.util.Random;
import org.jetbrains.lincheck.datastructures.ParameterGenerator;
import org.jetbrains.lincheck.datastructures.RandomProvider;

/**
 * Codes for messages: a new one for each send, so that no two messages are alike, and a recent one for each removal or
 * search. Public for the model checker.
 */
public abstract class MessageCodes implements ParameterGenerator<Integer> {
    private static final int RECENT = 3;

    private static int last;

    private MessageCodes() {}

    public static final class New extends MessageCodes {
        public New(RandomProvider random, String configuration) {}

        @Override
        public Integer generate() {
            return ++last;
        }
    }

    public static final class Recent extends MessageCodes {
        private final Random random;

        public Recent(RandomProvider random, String configuration) {
            this.random = random.createRandom();
        }

        @Override
        public Integer generate() {
            return last - random.nextInt(RECENT);
        }
    }
}
