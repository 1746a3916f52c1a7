package dev.unjank.trace.processor;

import org.jspecify.annotations.Nullable;

/** Typed arguments of track events: where a task was posted, its priority and queue, and where an event was recorded. */
final class TypedArgs {
    private static final int SOURCE_LOCATIONS = 4;

    private final ProcessorContext context;
    private final PacketSequence.Generation generation;
    private final ArgList args;

    TypedArgs(ProcessorContext context, PacketSequence.Generation generation, ArgList args) {
        this.context = context;
        this.generation = generation;
        this.args = args;
    }

    void read(ProtoFields event) {
        ProtoFields task = event.message(5);
        if (task != null) {
            location("task.posted_from", task.number(1));
        }
        if (event.has(34)) {
            location("source", event.number(34));
        }
        ProtoFields log = event.message(21);
        if (log != null) {
            String body = generation.text(20, log.number(2));
            if (body != null) {
                args.string("track_event.log_message", body);
            }
        }
    }

    private void location(String prefix, long iid) {
        ProtoFields.@Nullable Bytes entry = generation.find(SOURCE_LOCATIONS, iid);
        if (entry == null) {
            return;
        }
        ProtoFields location = entry.fields();
        args.string(prefix + ".file_name", context.intern(location.text(2)))
                .string(prefix + ".function_name", context.intern(location.text(3)))
                .unsigned(prefix + ".line_number", location.number(4));
    }
}
