package dev.unjank.record.jvm;

import dev.unjank.trace.model.Flows;
import dev.unjank.trace.model.MessageQueueEvents;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.write.TrackEventWriter;
import java.util.HashMap;
import java.util.Map;

/** Says of the slices of a chunk that are about messages what they are, with the arrows from sendings to deliveries. */
final class JfrMessageCopier {
    private final MessageQueueEvents messages;
    private final Flows flows;

    /** The arrow that starts at a slice. */
    private final Map<Integer, Integer> departures = new HashMap<>();

    /** The number of the first arrow. Chunks are further apart in time than one has arrows, so their numbers differ. */
    private final long firstFlow;

    JfrMessageCopier(Trace chunk, JfrClockConverter clock) {
        messages = chunk.queueEvents();
        flows = chunk.flows();
        firstFlow = clock.nanos(chunk.startNs());
        for (int arrow = 0; arrow < flows.size(); arrow++) {
            departures.put(flows.out(arrow), arrow);
        }
    }

    /** Says it of the event of a slice, if that is about a message. */
    TrackEventWriter.Event describe(TrackEventWriter.Event event, int slice) {
        int message = messages.find(slice);
        if (message < 0) {
            return event;
        }
        Integer departure = departures.get(slice);
        if (departure != null) {
            event.flow(firstFlow + departure);
        }
        for (int arrow = flows.first(slice); arrow < flows.end(slice); arrow++) {
            event.terminatingFlow(firstFlow + arrow);
        }
        String receiver = messages.receiver(message);
        return event.messageQueue(
                messages.sender(message),
                receiver == null ? "" : receiver,
                messages.code(message),
                messages.delayMs(message));
    }
}
