package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

/** Slices and counters that programs and drivers write in atrace's format: a letter, a process and a name. */
final class AtraceRows {
    private final ProcessorContext context;
    private final int lmk;

    AtraceRows(ProcessorContext context) {
        this.context = context;
        lmk = context.intern("mem.lmk");
    }

    /** Parses a string written into the kernel's trace marker. */
    void mark(long ts, long tid, String text) {
        String line = text;
        while (!line.isEmpty() && (line.endsWith("\n") || line.endsWith("\0"))) {
            line = line.substring(0, line.length() - 1);
        }
        if (line.startsWith("trace_event_clock_sync:")) {
            return;
        }
        if (line.isEmpty() || (line.length() > 1 && line.charAt(1) != '|')) {
            context.metadata.count("systrace_parse_failure");
            return;
        }
        char phase = line.charAt(0);
        String[] parts = line.split("\\|", -1);
        long process = parts.length > 1 ? number(parts[1], 0) : 0;
        switch (phase) {
            case 'B' -> {
                int at = line.indexOf('|', 2);
                String name = at < 0 ? "" : line.substring(at + 1);
                point(ts, tid, 'B', process, name.isEmpty() ? "[empty slice name]" : name, "", 0);
            }
            case 'E' -> point(ts, tid, 'E', process, "", "", 0);
            case 'S', 'F' -> {
                if (parts.length > 2) {
                    point(ts, tid, phase, process, parts[2], "", parts.length > 3 ? number(parts[3], 0) : 0);
                }
            }
            case 'I' -> {
                if (parts.length > 2) {
                    point(ts, tid, 'I', process, parts[2], "", 0);
                }
            }
            case 'N' -> {
                if (parts.length > 3) {
                    int at = line.indexOf('|', line.indexOf('|', 2) + 1);
                    point(ts, tid, 'N', process, line.substring(at + 1), parts[2], 0);
                }
            }
            case 'G' -> {
                if (parts.length > 3) {
                    point(ts, tid, 'G', process, parts[3], parts[2], parts.length > 4 ? number(parts[4], 0) : 0);
                }
            }
            case 'H' -> {
                if (parts.length > 3) {
                    long cookie = parts.length > 4 ? number(parts[4], 0) : number(parts[3], 0);
                    point(ts, tid, 'H', process, "", parts[2], cookie);
                }
            }
            case 'C' -> {
                if (parts.length > 3) {
                    point(ts, tid, 'C', process, parts[2], "", number(parts[3], 0));
                }
            }
            default -> context.metadata.count("systrace_parse_failure");
        }
    }

    private static long number(String text, long otherwise) {
        int end = 0;
        while (end < text.length() && (Character.isDigit(text.charAt(end)) || (end == 0 && text.charAt(0) == '-'))) {
            end++;
        }
        try {
            return end == 0 ? otherwise : Long.parseLong(text.substring(0, end));
        } catch (NumberFormatException _) {
            return otherwise;
        }
    }

    private int utid(long tid, long process) {
        return process == 0 ? context.processes.thread(tid) : context.processes.thread(tid, process);
    }

    /** An event: {@code phase} is atrace's letter, {@code value} a cookie or a counter's value. */
    void point(long ts, long tid, char phase, long process, String name, String trackName, long value) {
        switch (phase) {
            case 'B' -> {
                int track = context.threadTrack(utid(tid, process));
                context.slices.begin(ts, track, -1, context.intern(name), SliceRows.NO_ARGS);
                lowMemoryKill(ts, name);
            }
            case 'E' -> {
                int utid = process == 0 ? context.processes.threadOrNone(tid) : context.processes.thread(tid, process);
                if (utid >= 0) {
                    context.slices.end(ts, context.threadTrack(utid), -1, -1, SliceRows.NO_ARGS);
                }
            }
            case 'S', 'F' -> async(ts, phase, process, name, value);
            case 'I' -> {
                int track = context.threadTrack(utid(tid, process));
                context.slices.complete(ts, track, -1, context.intern(name), 0, SliceRows.NO_ARGS);
            }
            case 'N', 'G', 'H' -> onTrack(ts, tid, phase, process, name, trackName, value);
            case 'C' -> counter(ts, tid, process, name, value);
            default -> {}
        }
    }

    private void async(long ts, char phase, long process, String name, long cookie) {
        int upid = context.processes.process(process);
        int nameId = context.intern(name);
        AsyncTracks.TrackSet set = context.asyncTracks.set(
                "atrace_async_slice", context.args().integer("upid", upid).string("name", nameId), nameId);
        if (phase == 'S') {
            int track = context.asyncTracks.begin(set, cookie, true, context.strings);
            context.slices.beginUnnestable(ts, track, nameId, args -> args.integer("cookie", cookie));
        } else {
            int track = context.asyncTracks.end(set, cookie, context.strings);
            context.slices.end(ts, track, -1, -1, SliceRows.NO_ARGS);
        }
    }

    private void onTrack(long ts, long tid, char phase, long process, String name, String trackName, long cookie) {
        int nameId = context.intern(name);
        int trackNameId = context.intern(trackName);
        if (phase == 'N' && trackName.equals("DeviceStateChanged")) {
            int track = context.tracks.intern(
                    "android_device_state", context.args(), TrackRows.Details.slices(trackNameId));
            context.slices.complete(ts, track, -1, nameId, 0, SliceRows.NO_ARGS);
            return;
        }
        boolean global = phase == 'N' && trackName.startsWith("battery_stats.");
        ArgList dimensions = context.args();
        if (!global) {
            dimensions.integer("upid", context.processes.process(process));
        }
        AsyncTracks.TrackSet set = context.asyncTracks.set(
                "atrace_async_slice_for_track", dimensions.string("name", trackNameId), trackNameId);
        switch (phase) {
            case 'N' -> {
                int track = context.asyncTracks.complete(set, ts, 0, context.strings);
                int utid = context.processes.thread(tid);
                context.slices.complete(
                        ts, track, -1, nameId, 0, global ? SliceRows.NO_ARGS : args -> args.unsigned("utid", utid));
            }
            case 'G' -> {
                int track = context.asyncTracks.begin(set, cookie, true, context.strings);
                int utid = context.processes.thread(tid);
                context.slices.begin(ts, track, -1, nameId, args -> args.unsigned("utid", utid));
            }
            default -> {
                int track = context.asyncTracks.end(set, cookie, context.strings);
                int utid = context.processes.thread(tid);
                context.slices.end(ts, track, -1, -1, args -> args.unsigned("end_utid", utid));
            }
        }
    }

    private void counter(long ts, long tid, long process, String name, long value) {
        if (name.equals("kill_one_process") && value != 0) {
            killed(ts, context.processes.process(value));
        } else if (name.equals("ScreenState")) {
            int track = context.tracks.intern(
                    "screen_state", context.args(), TrackRows.Details.counter(context.intern(name)));
            context.count(ts, track, value);
            return;
        } else if (name.startsWith("battery_stats.")) {
            int track = context.tracks.intern(
                    "battery_stats",
                    context.args().string("counter_key", name),
                    TrackRows.Details.counter(context.intern(name)));
            context.count(ts, track, value);
            return;
        }
        int upid = context.processes.process(process);
        int utid = context.processes.threadOrNone(tid);
        int track = context.processCounter(upid, name);
        long args = utid < 0
                ? NULL
                : context.args.add(context.args().unsigned("utid", utid).args());
        context.counters.add(context.counters.rows(), ts, track, Double.doubleToRawLongBits(value), args);
    }

    /** Slices "lmk,PID,REASON,SCORE,..." also set the killed process's score. */
    private void lowMemoryKill(long ts, String name) {
        if (!name.startsWith("lmk,")) {
            return;
        }
        String[] parts = name.split(",", -1);
        if (parts.length >= 4 && number(parts[1], NULL) != NULL && number(parts[3], NULL) != NULL) {
            int upid = context.processes.process(number(parts[1], 0));
            int track = context.tracks.intern(
                    "oom_score_adj",
                    context.args().integer("upid", upid),
                    TrackRows.Details.counter(context.intern("oom_score_adj")));
            context.count(ts, track, number(parts[3], 0));
            killed(ts, upid);
        }
    }

    private void killed(long ts, int upid) {
        int track = context.tracks.intern(
                "android_lmk", context.args().integer("upid", upid), TrackRows.Details.slices(context.intern("LMK")));
        context.slices.complete(ts, track, -1, lmk, 0, SliceRows.NO_ARGS);
    }
}
