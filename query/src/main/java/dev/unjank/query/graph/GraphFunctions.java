package dev.unjank.query.graph;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The functions that the engine calls. Each takes two strings of numbers and returns one, or null for no rows: fields
 * are separated by spaces, rows by semicolons.
 */
public final class GraphFunctions {
    /** A function on strings whose result may be null. */
    @FunctionalInterface
    public interface StringFunction {
        /** The result for both arguments. */
        @Nullable
        String apply(String first, String second);
    }

    /** A function under its name in the engine, and the columns of its rows. */
    public record Entry(String engineName, StringFunction function, List<String> columns) {}

    private static final Map<String, Entry> BY_NAME = Map.of(
            "__intrinsic_graph_dfs",
            new Entry("unjank_graph_dfs", GraphSearch::depthFirst, List.of("node_id", "parent_node_id")),
            "__intrinsic_graph_bfs",
            new Entry("unjank_graph_bfs", GraphSearch::breadthFirst, List.of("node_id", "parent_node_id")),
            "__intrinsic_graph_dfs_floor",
            new Entry(
                    "unjank_graph_dfs_floor",
                    (edges, roots) -> GraphSearch.bounded(edges, roots, true),
                    List.of("root_node_id", "node_id", "parent_node_id")),
            "__intrinsic_graph_dfs_ceiling",
            new Entry(
                    "unjank_graph_dfs_ceiling",
                    (edges, roots) -> GraphSearch.bounded(edges, roots, false),
                    List.of("root_node_id", "node_id", "parent_node_id")),
            "__intrinsic_dominator_tree",
            new Entry("unjank_dominator_tree", DominatorTree::of, List.of("node_id", "dominator_node_id")));

    /** The engine's name of the function that computes a row for the last of several slices, without columns. */
    public static final String LAYOUT = "unjank_layout";

    /** The engine's name of {@link FnvHash}, without columns. */
    public static final String HASH = "unjank_hash";

    private GraphFunctions() {}

    /** The names as table functions of PerfettoSQL. */
    public static Set<String> names() {
        return BY_NAME.keySet();
    }

    /** The function of a name in PerfettoSQL; null if there is none. */
    public static @Nullable Entry named(String name) {
        return BY_NAME.get(name);
    }

    /** The function of a name in the engine; null if there is none. */
    public static @Nullable StringFunction inEngine(String engineName) {
        if (engineName.equals(LAYOUT)) {
            return SliceLayout::ofLast;
        }
        if (engineName.equals(HASH)) {
            return FnvHash::of;
        }
        return BY_NAME.values().stream()
                .filter(entry -> entry.engineName.equals(engineName))
                .map(Entry::function)
                .findFirst()
                .orElse(null);
    }
}
