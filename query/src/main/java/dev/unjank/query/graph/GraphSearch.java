package dev.unjank.query.graph;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Searches of a graph from start nodes. Results are rows of a node and the node from which it was reached, in order of
 * the search.
 */
final class GraphSearch {
    private record Step(long node, @Nullable Long parent, long weight) {}

    private GraphSearch() {}

    /** Depth first: the first edge of a node is followed to its end before the second. */
    static @Nullable String depthFirst(String edges, String starts) {
        return search(edges, starts, true);
    }

    static @Nullable String breadthFirst(String edges, String starts) {
        return search(edges, starts, false);
    }

    private static @Nullable String search(String edges, String starts, boolean depthFirst) {
        Graph graph = Graph.parse(edges);
        Graph.Output output = new Graph.Output();
        Set<Long> seen = new HashSet<>();
        Deque<Step> open = new ArrayDeque<>();
        for (long[] start : Graph.rows(starts)) {
            open.addLast(new Step(start[0], null, 0));
            while (!open.isEmpty()) {
                Step step = open.removeFirst();
                if (seen.add(step.node)) {
                    output.add(step.node, step.parent);
                    extend(open, graph, step.node, depthFirst);
                }
            }
        }
        return output.text();
    }

    private static void extend(Deque<Step> open, Graph graph, long node, boolean depthFirst) {
        List<Graph.Edge> edges = graph.from(node);
        for (Graph.Edge edge : depthFirst ? edges.reversed() : edges) {
            Step next = new Step(edge.to(), node, edge.weight());
            if (depthFirst) {
                open.addFirst(next);
            } else {
                open.addLast(next);
            }
        }
    }

    /**
     * Depth first from each root, up to its target weight: the sum of the weights of all edges followed so far.
     *
     * @param roots rows of a node and its target weight
     * @param floor whether the search ends after the sum has passed the target; otherwise it ends before
     */
    static @Nullable String bounded(String edges, String roots, boolean floor) {
        Graph graph = Graph.parse(edges);
        Graph.Output output = new Graph.Output();
        for (long[] root : Graph.rows(roots)) {
            long total = 0;
            Set<Long> seen = new HashSet<>();
            Deque<Step> open = new ArrayDeque<>(List.of(new Step(root[0], null, 0)));
            while (!open.isEmpty()) {
                Step step = open.removeFirst();
                long next = total + step.weight;
                if ((floor ? total : next) > root[1]) {
                    break;
                }
                if (seen.add(step.node)) {
                    total = next;
                    output.add(root[0], step.node, step.parent);
                    extend(open, graph, step.node, true);
                }
            }
        }
        return output.text();
    }
}
