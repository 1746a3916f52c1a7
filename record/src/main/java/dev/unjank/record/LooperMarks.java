package dev.unjank.record;

import dev.unjank.looper.Clock;
import dev.unjank.looper.Looper;
import dev.unjank.looper.Message;
import dev.unjank.looper.MessageObserver;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Watches one looper and puts down what its messages do. Its notes are {@link Mark.Send}, and then {@link Mark.Run}. */
final class LooperMarks implements MessageObserver {
    final Looper looper;
    private final Clock clock;
    private final MarkBuffers buffers;
    private final String receiver;

    /** Who was last seen running the looper, null if nobody was. Written by the looper. */
    private volatile @Nullable Who thread;

    /** The delivery that is under way, null between two. Written by the looper. */
    private volatile Mark.@Nullable Run current;

    LooperMarks(Looper looper, Clock clock, MarkBuffers buffers) {
        this.looper = looper;
        this.clock = clock;
        this.buffers = buffers;
        receiver = Who.name(looper.getThread());
        thread = looper.isCurrentThread() ? Who.am() : null;
    }

    @Nullable
    Who thread() {
        return thread;
    }

    Mark.@Nullable Run current() {
        return current;
    }

    @Override
    public Object sending(Message message) {
        Who sender = Who.am();
        long now = clock.nanos();
        long due = message.getWhen();
        long delay = due == 0 ? 0 : Math.max(0, due - now / 1_000_000);
        Mark.Send send = new Mark.Send(now, sender, receiver, sender.nextFlow(), message.what, delay);
        buffers.put(sender, send);
        return send;
    }

    @Override
    public Object starting(Message message, @Nullable Object note) {
        Who who = Who.am();
        if (thread != who) {
            thread = who;
        }
        String name = Objects.requireNonNull(message.getTarget()).getTraceName(message);
        Mark.Run run = new Mark.Run(clock.nanos(), who, name, message.what, (Mark.Send) note, current);
        current = run;
        return run;
    }

    @Override
    public void finished(Message message, @Nullable Object note, @Nullable Throwable thrown) {
        if (note instanceof Mark.Run run) {
            run.end = clock.nanos();
            current = run.outer;
            buffers.put(run.looper, run);
        }
    }
}
