package dev.unjank.doctor.judge;

import dev.unjank.doctor.model.Frame;
import dev.unjank.trace.model.SliceNameFilter;
import dev.unjank.trace.model.Slices;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;

/** The slices in which Android's render threads draw frames; their names end with the frame's token. */
final class DrawingSlices {
    private static final String DRAW = "DrawFrames ";

    private final Trace trace;
    private final Slices slices;
    private final Threads threads;
    private final SliceNameFilter names;

    DrawingSlices(Trace trace) {
        this.trace = trace;
        this.slices = trace.slices();
        this.threads = trace.threads();
        this.names = new SliceNameFilter(trace, name -> name.startsWith(DRAW));
    }

    /**
     * {@return the slice in which a frame of the frame timeline was drawn; the last of several windows; -1 if there is
     * none}
     */
    int of(Frame frame) {
        int drawn = -1;
        if (frame.source() != Frame.Source.TIMELINE
                || frame.display()
                || frame.upid() < 0
                || trace.processes().isJvm(frame.upid())) {
            return drawn;
        }
        String name = DRAW + trace.frames().surfaceToken(frame.row());
        for (int utid = 0; utid < threads.size(); utid++) {
            if (threads.upid(utid) != frame.upid() || utid == frame.utid()) {
                continue;
            }
            int from = Math.max(slices.first(utid), slices.firstAfter(utid, frame.startNs() - 1));
            int end = Math.min(slices.end(utid), slices.firstAfter(utid, frame.endNs() - 1));
            for (int row = names.next(from, end); row < end; row = names.next(row + 1, end)) {
                if (slices.name(row).equals(name) && (drawn < 0 || slices.endNs(row) > slices.endNs(drawn))) {
                    drawn = row;
                }
            }
        }
        return drawn;
    }
}
