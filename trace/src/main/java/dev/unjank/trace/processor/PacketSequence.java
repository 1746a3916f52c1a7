package dev.unjank.trace.processor;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The state of a sequence of packets: interned data and default values, which a packet may discard. */
final class PacketSequence {
    final int id;
    Generation generation = new Generation();

    PacketSequence(int id) {
        this.id = id;
    }

    /** The state since the last packet that discarded it. */
    static final class Generation {
        private final Map<Long, ProtoFields.Bytes> interned = new HashMap<>();

        @Nullable
        ProtoFields defaults;

        boolean valid = true;
        long pid = -1;
        long tid = -1;
        long threadTime;
        long instructions;
        long time;

        private static long key(int kind, long iid) {
            return (long) kind << 56 | iid;
        }

        void intern(int kind, ProtoFields.Bytes entry) {
            interned.putIfAbsent(key(kind, entry.fields().number(1)), entry);
        }

        ProtoFields.@Nullable Bytes find(int kind, long iid) {
            return interned.get(key(kind, iid));
        }

        /** An interned string. */
        @Nullable
        String text(int kind, long iid) {
            ProtoFields.Bytes entry = find(kind, iid);
            return entry == null ? null : entry.fields().text(2);
        }
    }

    void clear() {
        Generation old = generation;
        generation = new Generation();
        generation.valid = true;
        generation.pid = old.pid;
        generation.tid = old.tid;
    }
}
