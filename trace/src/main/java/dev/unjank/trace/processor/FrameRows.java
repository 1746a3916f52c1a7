package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Frames of the frame timeline: expected and actual times of displayed frames and of the apps' frames in them. */
final class FrameRows {
    private static final String[] PRESENT_TYPES = {
        "Unspecified Present", "On-time Present", "Late Present", "Early Present", "Dropped Frame", "Unknown Present"
    };
    private static final String[] PREDICTION_TYPES = {
        "Unspecified Prediction", "Valid Prediction", "Expired Prediction", "Unknown Prediction"
    };
    private static final String[] SEVERITIES = {"Unknown", "None", "Partial", "Full"};

    private static final int JANK_NONE = 1;
    private static final int BUFFER_STUFFING = 128;
    private static final int SF_STUFFING = 512;
    private static final int DROPPED = 1024;
    private static final int NON_ANIMATING = 2048;
    private static final int DISPLAY_NOT_ON = 8192;

    /** Scheduling, prediction error, HAL, CPU and GPU deadlines. */
    private static final int DISPLAY_JANK = 2 | 4 | 8 | 16 | 32;

    /** App deadline, resynced jitter, unknown. */
    private static final int APP_JANK = 64 | 4096 | 256;

    private static final int PRESENT_DROPPED = 4;

    final ProcessorTable expected = new ProcessorTable(
            "expected_frame_timeline_slice",
            "id INT, ts INT, dur INT, track_id INT, category TEXT, name TEXT, depth INT, parent_id INT, arg_set_id INT,"
                    + " display_frame_token INT, surface_frame_token INT, upid INT, layer_name TEXT");
    final ProcessorTable actual = new ProcessorTable(
            "actual_frame_timeline_slice",
            "id INT, ts INT, dur INT, track_id INT, category TEXT, name TEXT, depth INT, parent_id INT, arg_set_id INT,"
                    + " display_frame_token INT, surface_frame_token INT, upid INT, layer_name TEXT, present_type TEXT,"
                    + " on_time_finish INT, gpu_composition INT, jank_type TEXT, jank_severity_type TEXT,"
                    + " prediction_type TEXT, jank_tag TEXT, jank_tag_experimental TEXT, jank_score REAL,"
                    + " latched_unsignaled_count INT, addressable_unsignaled_latch_count INT, latched_fence_state TEXT");

    private record Open(int upid, boolean expected) {}

    private final ProcessorContext context;
    private final Map<Long, Open> open = new HashMap<>();
    private final Map<Integer, Set<Long>> expectedTokens = new HashMap<>();
    private final Map<Long, List<Integer>> surfaceSlices = new HashMap<>();

    FrameRows(ProcessorContext context) {
        this.context = context;
    }

    void event(long ts, ProtoFields event) {
        ProtoFields expectedDisplay = event.message(1);
        ProtoFields actualDisplay = event.message(2);
        ProtoFields expectedSurface = event.message(3);
        ProtoFields actualSurface = event.message(4);
        ProtoFields end = event.message(5);
        if (ts < 0) {
            error();
        } else if (expectedDisplay != null) {
            expectedDisplay(ts, expectedDisplay);
        } else if (actualDisplay != null) {
            actualDisplay(ts, actualDisplay);
        } else if (expectedSurface != null) {
            expectedSurface(ts, expectedSurface);
        } else if (actualSurface != null) {
            actualSurface(ts, actualSurface);
        } else if (end != null && end.has(1)) {
            end(ts, end.number(1));
        } else {
            error();
        }
    }

    private void error() {
        context.metadata.count("frame_timeline_event_parser_errors");
    }

    private int begin(long ts, boolean isExpected, long pid, long cookie, long token, SliceRows.ArgsOf args) {
        int upid = context.processes.process(pid);
        open.put(cookie, new Open(upid, isExpected));
        int track = context.asyncTracks.begin(set(upid, isExpected), cookie, true, context.strings);
        return context.slices.begin(ts, track, -1, context.intern(Long.toString(token)), args);
    }

    private AsyncTracks.TrackSet set(int upid, boolean isExpected) {
        return context.asyncTracks.set(
                isExpected ? "android_expected_frame_timeline" : "android_actual_frame_timeline",
                context.args().integer("upid", upid),
                context.intern(isExpected ? "Expected Timeline" : "Actual Timeline"));
    }

    private void end(long ts, long cookie) {
        Open frame = open.remove(cookie);
        if (frame == null) {
            context.metadata.count("frame_timeline_unpaired_end_event");
            return;
        }
        int track = context.asyncTracks.end(set(frame.upid, frame.expected), cookie, context.strings);
        context.slices.end(ts, track, -1, -1, SliceRows.NO_ARGS);
    }

    private void expectedDisplay(long ts, ProtoFields frame) {
        if (!frame.has(1) || !frame.has(2) || !frame.has(3)) {
            error();
            return;
        }
        long token = frame.number(2);
        int slice = begin(
                ts, true, frame.number(3), frame.number(1), token, args -> args.integer("Display frame token", token));
        addExpected(slice, token, NULL, frame.number(3), -1);
    }

    private void expectedSurface(long ts, ProtoFields frame) {
        if (!frame.has(1) || !frame.has(2) || !frame.has(3) || !frame.has(4)) {
            error();
            return;
        }
        long token = frame.number(2);
        int upid = context.processes.process(frame.number(4));
        open.put(frame.number(1), new Open(upid, true));
        if (!expectedTokens.computeIfAbsent(upid, _ -> new HashSet<>()).add(token)) {
            return;
        }
        int layer = layer(frame);
        int slice = begin(
                ts,
                true,
                frame.number(4),
                frame.number(1),
                token,
                args -> args.integer("Surface frame token", token)
                        .integer("Display frame token", frame.number(3))
                        .nullableString("Layer name", layer));
        addExpected(slice, frame.number(3), token, frame.number(4), layer);
    }

    private void addExpected(int slice, long displayToken, long surfaceToken, long pid, int layer) {
        if (slice >= 0) {
            long[] row = row(expected, slice);
            row[9] = displayToken;
            row[10] = surfaceToken;
            row[11] = context.processes.process(pid);
            row[12] = layer < 0 ? NULL : layer;
            expected.add(row);
        }
    }

    private static long[] row(ProcessorTable table, int slice) {
        long[] row = new long[table.columns().size()];
        Arrays.fill(row, NULL);
        row[0] = slice;
        return row;
    }

    private int layer(ProtoFields frame) {
        ProtoFields.Bytes name = frame.bytes(5);
        return name == null ? -1 : context.strings.intern(name.array(), name.from(), name.length());
    }

    /** Field numbers of an actual frame, which differ between displayed frames and those of apps. */
    private record Numbers(
            int present,
            int onTime,
            int gpu,
            int jank,
            int prediction,
            int severity,
            int presentDelay,
            int jankExperimental,
            int presentExperimental,
            int severityScore) {}

    private static final Numbers DISPLAY = new Numbers(4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
    private static final Numbers SURFACE = new Numbers(6, 7, 8, 9, 10, 12, 13, 15, 16, 17);

    /** What both kinds of actual frames have. */
    private final class Actual {
        final String presentType;
        final boolean validPresent;
        final String presentExperimental;
        final String jankType;
        final String jankExperimental;
        final String severity;
        final String prediction;
        final long onTime;
        final long gpu;
        final double score;
        final double delay;

        Actual(ProtoFields frame, Numbers numbers) {
            validPresent = frame.has(numbers.present) && isValid(frame.number(numbers.present), 5);
            presentType = PRESENT_TYPES[validPresent ? (int) frame.number(numbers.present) : 0];
            presentExperimental =
                    frame.has(numbers.presentExperimental) && isValid(frame.number(numbers.presentExperimental), 5)
                            ? PRESENT_TYPES[(int) frame.number(numbers.presentExperimental)]
                            : PRESENT_TYPES[0];
            jankType = jankName((int) frame.number(numbers.jank));
            jankExperimental = jankName((int) frame.number(numbers.jankExperimental));
            long type = frame.number(numbers.severity);
            severity = frame.has(numbers.severity) && type >= 0 && type < SEVERITIES.length
                    ? SEVERITIES[(int) type]
                    : SEVERITIES[frame.number(numbers.jank) == JANK_NONE ? 1 : 0];
            prediction = PREDICTION_TYPES[
                    frame.has(numbers.prediction) && isValid(frame.number(numbers.prediction), 3)
                            ? (int) frame.number(numbers.prediction)
                            : 0];
            onTime = frame.number(numbers.onTime);
            gpu = frame.number(numbers.gpu);
            score = frame.real32(numbers.severityScore);
            delay = frame.real32(numbers.presentDelay);
        }

        private boolean isValid(long type, int most) {
            if (type < 1 || type > most) {
                error();
                return false;
            }
            return true;
        }

        void addMiddle(ArgList args) {
            args.string("Present type", presentType)
                    .string("Present type (experimental)", presentExperimental)
                    .integer("On time finish", onTime)
                    .integer("GPU composition", gpu)
                    .string("Jank type", jankType)
                    .string("Jank type (experimental)", jankExperimental)
                    .string("Jank severity type", severity)
                    .real("Jank Severity Score", score)
                    .string("Prediction type", prediction);
        }
    }

    private void actualDisplay(long ts, ProtoFields frame) {
        if (!frame.has(1) || !frame.has(2) || !frame.has(3)) {
            error();
            return;
        }
        long token = frame.number(2);
        Actual actualFrame = new Actual(frame, DISPLAY);
        String tag = displayTag((int) frame.number(DISPLAY.jank));
        String experimental = displayTag((int) frame.number(DISPLAY.jankExperimental));
        int slice = begin(ts, false, frame.number(3), frame.number(1), token, args -> {
            args.integer("Display frame token", token).real("Present Delay (ms)", actualFrame.delay);
            actualFrame.addMiddle(args);
            args.string("Jank tag", tag)
                    .string("Jank tag (experimental)", experimental)
                    .real("Jank Metadata (debugging only)", 0);
        });
        if (slice >= 0) {
            addActual(slice, token, NULL, frame.number(3), -1, actualFrame, tag, experimental);
            for (int surface : surfaceSlices.getOrDefault(token, List.of())) {
                context.flow(surface, slice, NULL);
            }
        }
        surfaceSlices.remove(token);
    }

    private void actualSurface(long ts, ProtoFields frame) {
        if (!frame.has(1) || !frame.has(2) || !frame.has(3) || !frame.has(4)) {
            error();
            return;
        }
        long token = frame.number(2);
        Actual actualFrame = new Actual(frame, SURFACE);
        int layer = layer(frame);
        String tag = surfaceTag((int) frame.number(SURFACE.jank), actualFrame.validPresent ? (int) frame.number(6) : 0);
        String experimental = surfaceTag(
                (int) frame.number(SURFACE.jankExperimental), (int) frame.number(SURFACE.presentExperimental));
        String buffer = frame.has(11) ? frame.number(11) != 0 ? "Yes" : "No" : "Unspecified";
        int slice = begin(ts, false, frame.number(4), frame.number(1), token, args -> {
            args.integer("Surface frame token", token)
                    .integer("Display frame token", frame.number(3))
                    .real("Present Delay (ms)", actualFrame.delay)
                    .real("Vsync Resynced Jitter (ms)", frame.real32(14))
                    .nullableString("Layer name", layer);
            actualFrame.addMiddle(args);
            args.string("Jank tag", tag)
                    .string("Jank tag (experimental)", experimental)
                    .string("Is Buffer?", buffer)
                    .real("Jank Metadata (debugging only)", 0);
        });
        if (slice >= 0) {
            addActual(slice, frame.number(3), token, frame.number(4), layer, actualFrame, tag, experimental);
            surfaceSlices
                    .computeIfAbsent(frame.number(3), _ -> new ArrayList<>())
                    .add(slice);
        }
    }

    private void addActual(
            int slice,
            long displayToken,
            long surfaceToken,
            long pid,
            int layer,
            Actual frame,
            String tag,
            String experimental) {
        long[] row = row(actual, slice);
        row[9] = displayToken;
        row[10] = surfaceToken;
        row[11] = context.processes.process(pid);
        row[12] = layer < 0 ? NULL : layer;
        row[13] = context.intern(frame.presentType);
        row[14] = frame.onTime;
        row[15] = frame.gpu;
        row[16] = context.intern(frame.jankType);
        row[17] = context.intern(frame.severity);
        row[18] = context.intern(frame.prediction);
        row[19] = context.intern(tag);
        row[20] = context.intern(experimental);
        row[21] = Double.doubleToRawLongBits(frame.score);
        actual.add(row);
    }

    private static String jankName(int bits) {
        if (bits <= JANK_NONE) {
            return bits == JANK_NONE ? "None" : "Unspecified";
        }
        List<String> reasons = new ArrayList<>();
        for (JankReason reason : JankReason.values()) {
            if ((bits & reason.bit()) != 0) {
                reasons.add(reason.text());
            }
        }
        return String.join(", ", reasons);
    }

    private static String displayTag(int bits) {
        if (bits == 0) {
            return "Unspecified";
        } else if (isOnly(bits) && (bits & DISPLAY_JANK) != 0) {
            return "Self Jank";
        }
        String other = otherTag(bits);
        return bits == SF_STUFFING ? "SurfaceFlinger Stuffing" : bits == DROPPED ? "Dropped Frame" : other;
    }

    private static String surfaceTag(int bits, int presentType) {
        if (bits == 0) {
            return "Unspecified";
        } else if (isOnly(bits) && (bits & APP_JANK) != 0) {
            return "Self Jank";
        } else if (isOnly(bits) && (bits & DISPLAY_JANK) != 0) {
            return "Other Jank";
        } else if (bits == BUFFER_STUFFING) {
            return "Buffer Stuffing";
        }
        return presentType == PRESENT_DROPPED ? "Dropped Frame" : otherTag(bits);
    }

    /** Whether a mask of jank is none of those that never count as jank. */
    private static boolean isOnly(int bits) {
        return bits != JANK_NONE && bits != NON_ANIMATING && bits != DISPLAY_NOT_ON;
    }

    private static String otherTag(int bits) {
        return bits == NON_ANIMATING ? "Non Animating" : bits == DISPLAY_NOT_ON ? "Display not ON" : "No Jank";
    }

    /** Copies times, tracks and arguments of the slices. */
    void finish() {
        copy(expected);
        copy(actual);
    }

    private void copy(ProcessorTable table) {
        for (int row = 0; row < table.rows(); row++) {
            int slice = (int) table.get(row, 0);
            for (int column = 1; column <= 8; column++) {
                table.set(row, column, context.slices.table.get(slice, column));
            }
        }
    }
}
