package dev.unjank.bench.queue;

import java.util.List;

/** All questions, in the order in which they are put. */
final class Questions {

    static final List<Question> ALL = List.of(
            new PostToRun(),
            new InsertAmongPending(),
            new PostBesideTimers(),
            new DrainHeldTimers(),
            new DrainTogether(),
            new RemoveByCode(),
            new PostAndCancel(),
            new RetainedMemory(),
            new AllocatedBytes(),
            new WatchedDispatch(),
            new WakeLatency(),
            new ReadModifyWrites(),
            new UiUnderLoad());

    private Questions() {}

    static Question named(String name) {
        return ALL.stream()
                .filter(question -> question.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name));
    }
}
