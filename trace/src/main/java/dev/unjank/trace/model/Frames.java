package dev.unjank.trace.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Android's frame timeline: what SurfaceFlinger reported about each frame, in order of the time at which work on it began.
 * There are <i>display frames</i>, SurfaceFlinger's own, and <i>surface frames</i>, one app's content of one layer, which
 * a display frame then shows. A frame has a token: the surface token names the app's frame (several layers may share it),
 * the display token the display frame.
 *
 * <p>For each frame that happened the trace usually holds the one that was expected: {@link #expectedStartNs} and {@link
 * #deadlineNs} are its times.
 */
public final class Frames {
    /** An expected time that the trace does not hold. */
    public static final long NO_TIME = Long.MIN_VALUE;

    private final Strings strings;
    private final FrameColumns columns;
    private final List<Missed> missed;
    private final long traceEnd;

    /**
     * A frame that was expected and never came.
     *
     * @param expectedStartNs when work on it should have begun, ns
     * @param deadlineNs when it should have been handed over, {@link #NO_TIME} if unknown
     * @param upid the process that should have made it
     * @param surfaceToken as {@link Frames#surfaceToken} has it
     * @param displayToken as {@link Frames#displayToken} has it
     * @param layerId the id of the layer's name, -1 for a display frame
     */
    public record Missed(
            long expectedStartNs, long deadlineNs, int upid, long surfaceToken, long displayToken, int layerId) {}

    public Frames(Strings strings, FrameColumns columns, List<Missed> missed, long traceEnd) {
        this.strings = strings;
        this.columns = columns;
        this.missed = List.copyOf(missed);
        this.traceEnd = traceEnd;
    }

    /**
     * How many frames there are.
     *
     * @return the count of actual frames, the display's and the surfaces'
     */
    public int size() {
        return columns.times.length;
    }

    /**
     * The frames that were expected and never came: skipped, or still to come when the trace ended.
     *
     * @return each once, in order of time; unmodifiable
     */
    public List<Missed> missed() {
        return missed;
    }

    /**
     * When work on a frame began.
     *
     * @param row a row
     * @return the time in ns
     */
    public long ts(int row) {
        return columns.times[row];
    }

    /**
     * How long a frame took until it was handed over.
     *
     * @param row a row
     * @return ns; for an open frame until the trace's end
     */
    public long dur(int row) {
        return isOpen(row) ? traceEnd - ts(row) : columns.durations[row];
    }

    /**
     * When a frame was handed over.
     *
     * @param row a row
     * @return the time in ns; for an open frame the trace's end
     */
    public long endNs(int row) {
        return ts(row) + dur(row);
    }

    /**
     * Whether the trace does not show how a frame ended.
     *
     * @param row a row
     * @return true if it was under way when the trace ended
     */
    public boolean isOpen(int row) {
        return columns.durations[row] < 0;
    }

    /**
     * When work on a frame should have begun.
     *
     * @param row a row
     * @return the time in ns, {@link #NO_TIME} if unknown
     */
    public long expectedStartNs(int row) {
        return columns.expectedStarts[row];
    }

    /**
     * When a frame should have been handed over.
     *
     * @param row a row
     * @return the time in ns, {@link #NO_TIME} if unknown
     */
    public long deadlineNs(int row) {
        return columns.deadlines[row];
    }

    /**
     * The process that made a frame.
     *
     * @param row a row
     * @return its upid
     */
    public int upid(int row) {
        return columns.upids[row];
    }

    /**
     * The layer of a surface frame.
     *
     * @param row a row
     * @return its name; null for a display frame
     */
    public @Nullable String layer(int row) {
        return strings.getOrNull(columns.layers[row]);
    }

    /**
     * The layer of a frame that never came.
     *
     * @param frame one of {@link #missed}
     * @return its name; null for a display frame
     */
    public @Nullable String layer(Missed frame) {
        return strings.getOrNull(frame.layerId());
    }

    /**
     * The token of the app's frame, the number that {@code Choreographer#doFrame} slices carry.
     *
     * @param row a row
     * @return the token, 0 for a display frame
     */
    public long surfaceToken(int row) {
        return columns.surfaceTokens[row];
    }

    /**
     * The token of the display frame that this is or that showed it.
     *
     * @param row a row
     * @return the token, 0 if it was never shown
     */
    public long displayToken(int row) {
        return columns.displayTokens[row];
    }

    /**
     * Why a frame was janky.
     *
     * @param row a row
     * @return bits of {@link JankType}; 0 if unknown
     */
    public int jankMask(int row) {
        return columns.jankMasks[row];
    }

    /**
     * When a frame was shown, against when it was expected.
     *
     * @param row a row
     * @return how it was presented
     */
    public PresentType presentType(int row) {
        return PresentType.of(columns.flags[row] >>> FrameColumns.PRESENT_SHIFT);
    }

    /**
     * Whether the frame's maker was done in time, whatever became of the frame afterwards.
     *
     * @param row a row
     * @return true if it met its deadline
     */
    public boolean onTimeFinish(int row) {
        return (columns.flags[row] & FrameColumns.ON_TIME_FINISH) != 0;
    }

    /**
     * Whether the GPU composed the frame.
     *
     * @param row a row
     * @return true for GPU composition
     */
    public boolean gpuComposition(int row) {
        return (columns.flags[row] & FrameColumns.GPU_COMPOSITION) != 0;
    }
}
