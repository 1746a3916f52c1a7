package dev.unjank.record;

import dev.unjank.looper.Looper;
import dev.unjank.looper.Message;
import dev.unjank.looper.MessageObserver;
import dev.unjank.looper.spi.Clock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Records the message events of one looper. It keeps its data in the message's note: a {@link MessageEvent.Send} while
 * the message is queued, a {@link MessageEvent.Run} while it runs.
 */
final class LooperEventRecorder implements MessageObserver {
    final Looper looper;
    private final Clock clock;
    private final StripedEventBuffer buffers;
    private final String receiver;

    /** The last thread that ran the looper; null if none has. Written by the looper thread. */
    private volatile @Nullable ThreadIdentity thread;

    /** The current delivery; null between deliveries. Written by the looper thread. */
    private volatile MessageEvent.@Nullable Run current;

    LooperEventRecorder(Looper looper, Clock clock, StripedEventBuffer buffers) {
        this.looper = looper;
        this.clock = clock;
        this.buffers = buffers;
        receiver = ThreadIdentity.name(looper.getThread());
        thread = looper.isCurrentThread() ? ThreadIdentity.am() : null;
    }

    @Nullable
    ThreadIdentity thread() {
        return thread;
    }

    MessageEvent.@Nullable Run current() {
        return current;
    }

    @Override
    public Object sending(Message message) {
        ThreadIdentity sender = ThreadIdentity.am();
        long now = clock.nanos();
        long due = message.getWhen();
        long delay = due == 0 ? 0 : Math.max(0, due - now / 1_000_000);
        MessageEvent.Send send = new MessageEvent.Send(now, sender, receiver, sender.nextFlow(), message.what, delay);
        buffers.put(sender, send);
        return send;
    }

    @Override
    public Object starting(Message message, @Nullable Object note) {
        ThreadIdentity who = ThreadIdentity.am();
        if (thread != who) {
            thread = who;
        }
        String name = Objects.requireNonNull(message.getTarget()).getTraceName(message);
        MessageEvent.Run run =
                new MessageEvent.Run(clock.nanos(), who, name, message.what, (MessageEvent.Send) note, current);
        current = run;
        return run;
    }

    @Override
    public void finished(Message message, @Nullable Object note, @Nullable Throwable thrown) {
        if (note instanceof MessageEvent.Run run) {
            run.end = clock.nanos();
            current = run.outer;
            buffers.put(run.looper, run);
        }
    }
}
