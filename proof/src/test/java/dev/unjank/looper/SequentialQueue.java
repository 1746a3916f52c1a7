package dev.unjank.looper;

import java.util.ArrayList;
import java.util.List;

/**
 * What a queue does if one thing happens after another: the specification. A list in the order of delivery and the
 * words of the documentation, nothing else. Public, with public methods, for the model checker.
 */
public final class SequentialQueue {
    /** What taking returns if nothing is due. */
    static final int NOTHING = 0;

    /** What taking returns if nothing will ever be. */
    static final int ENDED = -1;

    private record Waiting(int what, int when) {}

    private final List<Waiting> waiting = new ArrayList<>();
    private boolean quit;

    /** Behind everything that is due at the same time or earlier. */
    public boolean send(int what, int when) {
        if (quit) {
            return false;
        }
        int place = 0;
        while (place < waiting.size() && waiting.get(place).when <= when) {
            place++;
        }
        waiting.add(place, new Waiting(what, when));
        return true;
    }

    public boolean sendDue(int what) {
        return send(what, 1);
    }

    /** Before everything, also before what was sent to the front earlier. */
    public boolean sendToFront(int what) {
        if (quit) {
            return false;
        }
        waiting.add(0, new Waiting(what, 0));
        return true;
    }

    public boolean remove(int what) {
        return waiting.removeIf(w -> w.what == what);
    }

    public boolean has(int what) {
        return waiting.stream().anyMatch(w -> w.what == what);
    }

    public boolean isIdle(int now) {
        return waiting.isEmpty() || waiting.get(0).when > now;
    }

    /** The first, if it is due. */
    public int take(int now) {
        if (isIdle(now)) {
            return quit && waiting.isEmpty() ? ENDED : NOTHING;
        }
        return waiting.remove(0).what;
    }

    public int takeOrSleep(int now) {
        return take(now);
    }

    public void quit(boolean safely) {
        if (!quit) {
            quit = true;
            waiting.removeIf(w -> !safely || w.when > QueueUnderProof.QUIT_TIME);
        }
    }
}
