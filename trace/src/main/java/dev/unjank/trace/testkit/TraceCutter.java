package dev.unjank.trace.testkit;

import dev.unjank.trace.model.UnusableTraceException;
import dev.unjank.trace.proto.PacketFields.Trace;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.proto.ProtoWriter;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes stretches of a trace, moved in time: many traces of one, each such as the device might have recorded at another time. What
 * tells of the machine, its processes and its clocks stays, as do events that are not the kernel's. The same arguments make the same
 * bytes. Not thread-safe.
 */
public final class TraceCutter {
    private final TraceRepeater source;
    private final int bundles;
    private final ProtoWriter framed = new ProtoWriter();

    /** Makes ready to cut a trace. */
    public TraceCutter(byte[] source) throws IOException {
        this.source = new TraceRepeater(source);
        int count = 0;
        ProtoReader packets = this.source.packets();
        while (packets.next()) {
            count += isBundle(packets) ? 1 : 0;
        }
        bundles = count;
    }

    /**
     * Writes a stretch.
     *
     * @param shiftNs by how much to move it, in ns
     * @param from the index of the first byte, as a share of the kernel's bundles of events, 0 to 1
     */
    public void write(long shiftNs, double from, double to, OutputStream out) throws IOException {
        source.shiftBy(shiftNs);
        long first = Math.round(from * bundles);
        long end = Math.round(to * bundles);
        int bundle = 0;
        ProtoReader packets = source.packets();
        while (packets.next()) {
            boolean kept = true;
            if (isBundle(packets)) {
                kept = bundle >= first && bundle < end;
                bundle++;
            }
            if (kept) {
                framed.clear();
                framed.message(Trace.PACKET, source.rewritten(packets));
                framed.writeTo(out);
            }
        }
    }

    private static boolean isBundle(ProtoReader packets) {
        ProtoReader fields = new ProtoReader().resetToField(packets);
        while (fields.next()) {
            if (fields.field() == TracePacket.FTRACE_EVENTS) {
                return true;
            }
        }
        return false;
    }
}
