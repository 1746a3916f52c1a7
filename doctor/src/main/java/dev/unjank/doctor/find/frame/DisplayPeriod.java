package dev.unjank.doctor.find.frame;

import dev.unjank.trace.model.Counters;
import dev.unjank.trace.model.Trace;
import java.util.Arrays;
import java.util.List;

/**
 * The period of the display: the median distance of SurfaceFlinger's vertical sync counters, which stop while the
 * screen is static; 60 Hz without such a counter.
 */
final class DisplayPeriod {
    private static final long AT_60_HZ = 16_666_667;
    private static final List<String> COUNTERS = List.of("VSYNC-app", "VSYNC-sf", "VSYNC");

    /** 240 Hz and 20 Hz, the range of displays. */
    private static final long LEAST = 4_000_000;

    private static final long MOST = 50_000_000;

    private DisplayPeriod() {}

    static long of(Trace trace) {
        Counters counters = trace.counters();
        for (String name : COUNTERS) {
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
