package dev.unjank.trace.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Android's frame timeline: SurfaceFlinger's record of each frame, ordered by the start of its work. <i>Display
 * frames</i> are SurfaceFlinger's own; <i>surface frames</i> are an app's content of one layer, which a display frame
 * then presents. Frames have tokens: the surface token identifies the app's frame (several layers may share it), the
 * display token the display frame.
 *
 * <p>For each actual frame the trace usually contains an expected one: {@link #expectedStartNs} and {@link
 * #deadlineNs} are its times.
 */
public final class Frames {
    /** An expected time that is unknown. */
    public static final long NO_TIME = Long.MIN_VALUE;

    private final Strings strings;
    private final FrameColumns columns;
    private final List<Missed> missed;
    private final List<Missed> replaced;
    private final long traceEnd;

    /**
     * An expected frame without an actual one.
     *
     * @param expectedStartNs the planned start of its work, ns
     * @param deadlineNs the deadline, {@link #NO_TIME} if unknown
     * @param upid the process that should have produced it
     * @param surfaceToken as in {@link Frames#surfaceToken}
     * @param displayToken as in {@link Frames#displayToken}
     * @param layerId the id of the layer's name, -1 for a display frame
     */
    public record Missed(
            long expectedStartNs, long deadlineNs, int upid, long surfaceToken, long displayToken, int layerId) {}

    /**
     * Creates the table from its columns; they are not copied.
     *
     * @param strings the strings of the trace
     * @param columns the columns
     * @param missed the expected frames without an actual one, in time order
     * @param replaced the expected display frames that another one with the same token replaced, in time order
     * @param traceEnd the trace's end in ns
     */
    public Frames(Strings strings, FrameColumns columns, List<Missed> missed, List<Missed> replaced, long traceEnd) {
        this.strings = strings;
        this.columns = columns;
        this.missed = List.copyOf(missed);
        this.replaced = List.copyOf(replaced);
        this.traceEnd = traceEnd;
    }

    /** {@return the number of actual frames, the display's and the surfaces'} */
    public int size() {
        return columns.times.length;
    }

    /**
     * {@return the expected frames without an actual one, in time order: skipped, or still pending at the end of the
     * trace}
     */
    public List<Missed> missed() {
        return missed;
    }

    /** {@return the expected display frames that another one with the same token replaced, in time order} */
    public List<Missed> replaced() {
        return replaced;
    }

    /**
     * {@return the start of a frame's work in ns}
     *
     * @param row a row
     */
    public long ts(int row) {
        return columns.times[row];
    }

    /**
     * {@return the duration in ns from the start of a frame's work until it was handed over, or until the trace's end}
     *
     * @param row a row
     */
    public long dur(int row) {
        return isOpen(row) ? traceEnd - ts(row) : columns.durations[row];
    }

    /**
     * {@return the time in ns at which a frame was handed over; for an open frame the trace's end}
     *
     * @param row a row
     */
    public long endNs(int row) {
        return ts(row) + dur(row);
    }

    /**
     * {@return whether a frame was in progress when the trace ended}
     *
     * @param row a row
     */
    public boolean isOpen(int row) {
        return columns.durations[row] < 0;
    }

    /**
     * {@return the planned start of a frame's work in ns, {@link #NO_TIME} if unknown}
     *
     * @param row a row
     */
    public long expectedStartNs(int row) {
        return columns.expectedStarts[row];
    }

    /**
     * {@return the deadline of a frame in ns, {@link #NO_TIME} if unknown}
     *
     * @param row a row
     */
    public long deadlineNs(int row) {
        return columns.deadlines[row];
    }

    /**
     * {@return the upid of the process that produced a frame}
     *
     * @param row a row
     */
    public int upid(int row) {
        return columns.upids[row];
    }

    /**
     * {@return the name of a surface frame's layer; null for a display frame}
     *
     * @param row a row
     */
    public @Nullable String layer(int row) {
        return strings.getOrNull(columns.layers[row]);
    }

    /**
     * {@return the name of the layer of an expected frame without an actual one; null for a display frame}
     *
     * @param frame one of {@link #missed}
     */
    public @Nullable String layer(Missed frame) {
        return strings.getOrNull(frame.layerId());
    }

    /**
     * {@return the token of the app's frame, the number that {@code Choreographer#doFrame} slices carry; 0 for a
     * display frame}
     *
     * @param row a row
     */
    public long surfaceToken(int row) {
        return columns.surfaceTokens[row];
    }

    /**
     * {@return the token of the display frame that this is or that presented it, 0 if it was never presented}
     *
     * @param row a row
     */
    public long displayToken(int row) {
        return columns.displayTokens[row];
    }

    /**
     * {@return why a frame was janky: bits of {@link JankType}; 0 if unknown}
     *
     * @param row a row
     */
    public int jankMask(int row) {
        return columns.jankMasks[row];
    }

    /**
     * {@return whether a frame was presented early, on time or late}
     *
     * @param row a row
     */
    public PresentType presentType(int row) {
        return PresentType.of(type(row, FrameColumns.PRESENT_SHIFT));
    }

    private int type(int row, int shift) {
        return columns.flags[row] >>> shift & FrameColumns.TYPE_MASK;
    }

    /**
     * {@return whether SurfaceFlinger had a plan for a frame}
     *
     * @param row a row
     */
    public PredictionType predictionType(int row) {
        return PredictionType.of(type(row, FrameColumns.PREDICTION_SHIFT));
    }

    /**
     * {@return how much of a missed deadline was visible}
     *
     * @param row a row
     */
    public JankSeverity severity(int row) {
        return JankSeverity.of(type(row, FrameColumns.SEVERITY_SHIFT));
    }

    /**
     * {@return whether the process finished the frame before its deadline, regardless of its presentation}
     *
     * @param row a row
     */
    public boolean onTimeFinish(int row) {
        return (columns.flags[row] & FrameColumns.ON_TIME_FINISH) != 0;
    }

    /**
     * {@return whether the GPU composed the frame}
     *
     * @param row a row
     */
    public boolean gpuComposition(int row) {
        return (columns.flags[row] & FrameColumns.GPU_COMPOSITION) != 0;
    }
}
