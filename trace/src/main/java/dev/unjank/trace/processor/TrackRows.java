package dev.unjank.trace.processor;

import static dev.unjank.trace.processor.ProcessorTable.NULL;

import dev.unjank.trace.collections.StringPool;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tracks of slices and counters. A track is identified by its type and dimensions. */
final class TrackRows {
    static final int NAME = 1;
    static final int PARENT = 4;
    static final int SOURCE_ARGS = 5;

    private static final String[] DIMENSION_COLUMNS = {
        "utid", "upid", "cpu", "ugpu", "gpu", "perf_session_id", "context_id", "is_timebase"
    };

    /** Whether tracks hold counters. */
    enum Kind {
        SLICES,
        COUNTERS
    }

    final ProcessorTable table = new ProcessorTable(
            "_track",
            "id INT, name TEXT, type TEXT, dimension_arg_set_id INT, parent_id INT, source_arg_set_id INT, machine_id INT,"
                    + " track_group_id INT, is_counter INT, unit TEXT, description TEXT, utid INT, upid INT, cpu INT,"
                    + " ugpu INT, gpu INT, perf_session_id INT, context_id INT, is_timebase INT");
    private final StringPool strings;
    private final ArgSets args;
    private final int firstDimension;

    private record Key(int type, List<ArgSets.Arg> dimensions) {}

    private final Map<Key, Integer> ids = new HashMap<>();

    TrackRows(StringPool strings, ArgSets args) {
        this.strings = strings;
        this.args = args;
        firstDimension = table.column("utid");
    }

    /** What a new track has besides its dimensions; {@code group} is NULL for none. */
    record Details(
            Kind kind,
            int name,
            @Nullable String unit,
            long group,
            @Nullable ArgList source) {
        static Details slices(int name) {
            return new Details(Kind.SLICES, name, null, NULL, null);
        }

        static Details counter(int name) {
            return new Details(Kind.COUNTERS, name, null, NULL, null);
        }

        static Details counter(int name, String unit) {
            return new Details(Kind.COUNTERS, name, unit, NULL, null);
        }
    }

    /** The track with given dimensions, created if there is none. */
    int intern(String type, ArgList dimensions, Details details) {
        Key key = new Key(strings.intern(type), dimensions.args());
        Integer known = ids.get(key);
        if (known != null) {
            return known;
        }
        int id = create(type, dimensions, details);
        ids.put(new Key(key.type, List.copyOf(dimensions.args())), id);
        return id;
    }

    /** Creates a track without looking for an equal one. */
    int create(String type, ArgList dimensions, Details details) {
        int id = table.rows();
        long[] row = new long[table.columns().size()];
        java.util.Arrays.fill(row, NULL);
        row[0] = id;
        row[NAME] = details.name < 0 ? NULL : details.name;
        row[2] = strings.intern(type);
        row[3] = args.add(dimensions.args());
        row[SOURCE_ARGS] = details.source == null ? NULL : args.add(details.source.args());
        row[6] = 0;
        row[7] = details.group;
        row[8] = details.kind == Kind.COUNTERS ? 1 : 0;
        row[9] = details.unit == null ? NULL : strings.intern(details.unit);
        for (int i = 0; i < DIMENSION_COLUMNS.length; i++) {
            int column = strings.intern(DIMENSION_COLUMNS[i]);
            for (ArgSets.Arg arg : dimensions.args()) {
                if (arg.key() == column) {
                    row[firstDimension + i] = arg.value();
                }
            }
        }
        return table.add(row);
    }

    void describe(int track, String description) {
        table.set(track, table.column("description"), strings.intern(description));
    }
}
