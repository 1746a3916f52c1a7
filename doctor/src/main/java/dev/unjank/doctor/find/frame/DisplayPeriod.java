package dev.unjank.doctor.find.frame;

import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.Trace;
import java.util.Arrays;
import java.util.List;

/**
 * For how long the display shows a frame. SurfaceFlinger flips a counter at each vertical sync; the median distance counts, since
 * the counter rests while nothing moves. Without one the display is taken to have 60 Hz.
 */
final class DisplayPeriod {
    private static final long AT_60_HZ = 16_666_667;
    private static final List<String> FLIPPED = List.of("VSYNC-app", "VSYNC-sf", "VSYNC");

    /** 240 Hz and 20 Hz: what is outside is no period of a display. */
    private static final long LEAST = 4_000_000;

    private static final long MOST = 50_000_000;

    private DisplayPeriod() {}

    static long of(Trace trace) {
        Counters counters = trace.counters();
        for (String name : FLIPPED) {
            for (int track = 0; track < counters.tracks(); track++) {
                if (counters.name(track).equals(name)) {
                    long period = median(counters, track);
                    if (period > 0) {
                        return period;
                    }
                }
            }
        }
        return AT_60_HZ;
    }

    private static long median(Counters counters, int track) {
        long[] distances = new long[Math.max(0, counters.end(track) - counters.first(track) - 1)];
        int count = 0;
        for (int row = counters.first(track); row + 1 < counters.end(track); row++) {
            long distance = counters.ts(row + 1) - counters.ts(row);
            if (distance >= LEAST && distance <= MOST) {
                distances[count++] = distance;
            }
        }
        Arrays.sort(distances, 0, count);
        return count == 0 ? 0 : distances[count / 2];
    }
}
