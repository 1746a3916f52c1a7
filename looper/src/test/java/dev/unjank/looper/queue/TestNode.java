package dev.unjank.looper.queue;

import static dev.unjank.looper.queue.NodeState.END;
import static dev.unjank.looper.queue.NodeState.setClaimedPlain;

/** A node with a code. */
final class TestNode extends Node {
    final int what;

    TestNode(int what) {
        this.what = what;
    }

    /** An end marker. */
    static TestNode end() {
        TestNode end = new TestNode(0);
        setClaimedPlain(end, END);
        return end;
    }
}
