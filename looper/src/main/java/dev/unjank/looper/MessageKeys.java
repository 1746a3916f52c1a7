package dev.unjank.looper;

import static dev.unjank.looper.queue.NodeState.wasIntact;

import dev.unjank.looper.queue.KeyIndex;
import dev.unjank.looper.queue.Node;

/** Computes the keys of messages in a {@link KeyIndex}, from handler and code, Runnable, or token of a barrier. */
final class MessageKeys {
    private MessageKeys() {}

    static int ofCode(Handler handler, int what) {
        return KeyIndex.keyOf(System.identityHashCode(handler) + what * 31);
    }

    static int ofCallback(Runnable callback) {
        return KeyIndex.keyOf(System.identityHashCode(callback));
    }

    static int ofBarrier(int token) {
        return KeyIndex.keyOf(~token);
    }

    /** Adds a queued message to an index; a message that dies meanwhile may be left out. Called only by the looper. */
    static void enter(Node node, KeyIndex index) {
        Message m = (Message) node;
        Handler handler = m.target;
        Runnable callback = m.callback;
        int what = m.what;
        int token = m.arg1;
        if (!wasIntact(m)) {
            return;
        }
        if (handler == null) {
            index.put(ofBarrier(token), m);
            return;
        }
        if (callback != null) {
            index.put(ofCallback(callback), m);
        }
        if (callback == null || what != 0) {
            index.put(ofCode(handler, what), m);
        } else {
            index.leaveOutCodelessRunnable();
        }
    }
}
