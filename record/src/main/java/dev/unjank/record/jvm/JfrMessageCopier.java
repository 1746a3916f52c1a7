package dev.unjank.record.jvm;

import dev.unjank.trace.model.Flows;
import dev.unjank.trace.model.MessageQueueEvents;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.write.TrackEventWriter;
import java.util.HashMap;
import java.util.Map;

/** Copies the message queue arguments and the flows from sends to deliveries of a chunk's slices. */
final class JfrMessageCopier {
    private final MessageQueueEvents messages;
    private final Flows flows;

    /** The flow that starts at a slice. */
    private final Map<Integer, Integer> departures = new HashMap<>();

    /** The id of the first flow. Start times in ns differ by more than a chunk has flows, so ids are unique. */
    private final long firstFlow;

    JfrMessageCopier(Trace chunk, JfrClockConverter clock) {
        messages = chunk.queueEvents();
        flows = chunk.flows();
        firstFlow = clock.nanos(chunk.startNs());
        for (int flow = 0; flow < flows.size(); flow++) {
            departures.put(flows.out(flow), flow);
        }
    }

    /** Adds arguments and flows to the event of a slice, if it is a message event. */
    TrackEventWriter.Event describe(TrackEventWriter.Event event, int slice) {
        int message = messages.find(slice);
        if (message < 0) {
            return event;
        }
        Integer departure = departures.get(slice);
        if (departure != null) {
            event.flow(firstFlow + departure);
        }
        for (int flow = flows.first(slice); flow < flows.end(slice); flow++) {
            event.terminatingFlow(firstFlow + flow);
        }
        String receiver = messages.receiver(message);
        return event.messageQueue(
                messages.sender(message),
                receiver == null ? "" : receiver,
                messages.code(message),
                messages.delayMs(message));
    }
}
