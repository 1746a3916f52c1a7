package dev.unjank.query.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Immediate dominators of the nodes that can be reached from a root: the last node, other than the node itself, on all
 * paths to it. Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm": repeats until no dominator changes, in
 * reverse postorder.
 */
final class DominatorTree {
    private static final int NONE = -1;

    /** Nodes in postorder, and their numbers in it. */
    private final List<Long> nodes = new ArrayList<>();

    private final Map<Long, Integer> numbers = new HashMap<>();
    private final Graph graph;

    private DominatorTree(Graph graph) {
        this.graph = graph;
    }

    /** Rows of a node and its dominator, the root first. */
    static @Nullable String of(String edges, String root) {
        Graph.Output output = new Graph.Output();
        List<long[]> roots = Graph.rows(root);
        if (!roots.isEmpty()) {
            new DominatorTree(Graph.parse(edges)).write(roots.getFirst()[0], output);
        }
        return output.text();
    }

    private void write(long root, Graph.Output output) {
        number(root);
        int[] dominators = dominators();
        for (int node = nodes.size() - 1; node >= 0; node--) {
            boolean first = node == nodes.size() - 1;
            output.add(nodes.get(node), first ? null : nodes.get(dominators[node]));
        }
    }

    /** Numbers the nodes in postorder, without recursion. */
    private void number(long root) {
        Deque<Long> path = new ArrayDeque<>();
        Deque<Iterator<Graph.Edge>> open = new ArrayDeque<>();
        path.push(root);
        open.push(graph.from(root).iterator());
        numbers.put(root, NONE);
        while (!path.isEmpty()) {
            Iterator<Graph.Edge> edges = open.element();
            if (!edges.hasNext()) {
                open.pop();
                long node = path.pop();
                numbers.put(node, nodes.size());
                nodes.add(node);
                continue;
            }
            long next = edges.next().to();
            if (numbers.putIfAbsent(next, NONE) == null) {
                path.push(next);
                open.push(graph.from(next).iterator());
            }
        }
    }

    private int[] dominators() {
        List<List<Integer>> predecessors = new ArrayList<>();
        nodes.forEach(node -> predecessors.add(new ArrayList<>()));
        for (int node = 0; node < nodes.size(); node++) {
            for (Graph.Edge edge : graph.from(nodes.get(node))) {
                predecessors.get(numbers.getOrDefault(edge.to(), NONE)).add(node);
            }
        }
        int root = nodes.size() - 1;
        int[] dominators = new int[nodes.size()];
        Arrays.fill(dominators, NONE);
        dominators[root] = root;
        for (boolean changed = true; changed; ) {
            changed = false;
            for (int node = root - 1; node >= 0; node--) {
                int dominator = common(predecessors.get(node), dominators);
                changed |= dominators[node] != dominator;
                dominators[node] = dominator;
            }
        }
        return dominators;
    }

    private static int common(List<Integer> predecessors, int[] dominators) {
        int common = NONE;
        for (int predecessor : predecessors) {
            if (dominators[predecessor] != NONE) {
                common = common == NONE ? predecessor : intersect(common, predecessor, dominators);
            }
        }
        return common;
    }

    private static int intersect(int a, int b, int[] dominators) {
        int left = a;
        int right = b;
        while (left != right) {
            while (left < right) {
                left = dominators[left];
            }
            while (right < left) {
                right = dominators[right];
            }
        }
        return left;
    }
}
