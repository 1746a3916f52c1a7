package dev.unjank.scene;

import dev.unjank.trace.proto.PacketFields.Trace;
import dev.unjank.trace.proto.PacketFields.TracePacket;
import dev.unjank.trace.proto.ProtoReader;
import dev.unjank.trace.proto.ProtoWriter;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Cuts periods out of a trace and shifts them in time, to create many different traces from one. Packets about the
 * machine, its processes and clocks are kept, as well as all events that are not kernel events. The output depends only
 * on the arguments. Not thread-safe.
 */
public final class TraceCutter {
    private final TraceRepeater source;
    private final int bundles;
    private final ProtoWriter framed = new ProtoWriter();

    /** Creates a cutter. */
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
     * Writes a period.
     *
     * @param shiftNs the shift in ns
     * @param from the start, as a fraction of the bundles of kernel events, 0 to 1
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
