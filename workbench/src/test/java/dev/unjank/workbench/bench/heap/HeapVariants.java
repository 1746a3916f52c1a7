package dev.unjank.workbench.bench.heap;

import java.util.Arrays;

/** The compared implementations of the heap. */
final class HeapVariants {
    private HeapVariants() {}

    /** Returns a value with the sign of x - y, computed without overflow (Warren, Hacker's Delight, section 2-12). */
    private static long sign(long x, long y) {
        return (x & ~y) | (~(x ^ y) & (x - y));
    }

    /** Returns 1 if the first key is less, else 0: the borrow of a branch-free 128-bit subtraction. */
    private static int borrow(long major1, long minor1, long major2, long minor2) {
        long low = sign(minor1, minor2) >>> 63;
        long difference = major1 - major2;
        return (int) ((sign(major1, major2) | (~difference & (difference - low))) >>> 63);
    }

    /** Compares the major words, or the minor words if the majors are equal. */
    private static boolean byWord(long major1, long minor1, long major2, long minor2) {
        boolean tie = major1 == major2;
        return (tie ? minor1 : major1) < (tie ? minor2 : major2);
    }

    /** The previous heap: four children, compared sequentially with branches. */
    static final class Sequence extends HeapTemplate {}

    /** Four children in two rounds, of which the first is two independent comparisons. */
    abstract static class Tournament extends HeapTemplate {
        @Override
        final int least(int first) {
            return first + 4 <= size ? leastOfFour(first) : super.least(first);
        }

        int leastOfFour(int first) {
            int a = lesser(first, first + 1);
            int b = lesser(first + 2, first + 3);
            return lesser(a, b);
        }

        int lesser(int a, int b) {
            return before(major(b), minor(b), major(a), minor(a)) ? b : a;
        }
    }

    /** Comparison with branches. */
    static final class Branches extends Tournament {}

    /** Comparison without short circuit. */
    static final class Bits extends Tournament {
        @Override
        @SuppressWarnings("ShortCircuitBoolean") // measured by this variant
        boolean before(long major1, long minor1, long major2, long minor2) {
            return (major1 < major2) | ((major1 == major2) & (minor1 < minor2));
        }
    }

    /** Comparison of only the word that decides: major, or minor if the majors are equal. */
    abstract static class ByWord extends Tournament {
        @Override
        boolean before(long major1, long minor1, long major2, long minor2) {
            return byWord(major1, minor1, major2, minor2);
        }
    }

    /** The current production heap. */
    static final class Word extends ByWord {}

    /** The same comparison, with sequential comparison of children. */
    static final class WordSequence extends HeapTemplate {
        @Override
        boolean before(long major1, long minor1, long major2, long minor2) {
            return byWord(major1, minor1, major2, minor2);
        }
    }

    /** The same comparison for two children. */
    static final class WordBinary extends HeapTemplate {
        @Override
        int shift() {
            return 1;
        }

        @Override
        boolean before(long major1, long minor1, long major2, long minor2) {
            return byWord(major1, minor1, major2, minor2);
        }
    }

    /** The same comparison for eight children, in three rounds. */
    static final class WordEight extends HeapTemplate {
        @Override
        int shift() {
            return 3;
        }

        @Override
        boolean before(long major1, long minor1, long major2, long minor2) {
            return byWord(major1, minor1, major2, minor2);
        }

        private int lesser(int a, int b) {
            return byWord(major(b), minor(b), major(a), minor(a)) ? b : a;
        }

        @Override
        int least(int first) {
            if (first + 8 > size) {
                return super.least(first);
            }
            int a = lesser(lesser(first, first + 1), lesser(first + 2, first + 3));
            int b = lesser(lesser(first + 4, first + 5), lesser(first + 6, first + 7));
            return lesser(a, b);
        }
    }

    /**
     * Combines three long comparisons arithmetically. Each is unpredictable, so the JIT compiles it to setl instead of
     * a branch.
     */
    static final class Less extends Tournament {
        @Override
        int leastOfFour(int first) {
            int a = first - beforeMask(first + 1, first);
            int b = first + 2 - beforeMask(first + 3, first + 2);
            return a + ((b - a) & beforeMask(b, a));
        }

        private int beforeMask(int i, int j) {
            int majors = less(major(j), major(i)) - less(major(i), major(j));
            return (2 * majors - less(minor(i), minor(j))) >> 31;
        }

        private static int less(long x, long y) {
            return x < y ? 1 : 0;
        }
    }

    /** Children are compared by arithmetic; whether to go on is a branch. */
    static final class Borrow extends Tournament {
        @Override
        int leastOfFour(int first) {
            int a = first + borrow(major(first + 1), minor(first + 1), major(first), minor(first));
            int b = first + 2 + borrow(major(first + 3), minor(first + 3), major(first + 2), minor(first + 2));
            return a + ((b - a) & -borrow(major(b), minor(b), major(a), minor(a)));
        }
    }

    /** A branch on equal majors, and an arithmetic comparison. */
    static final class TieBranch extends Tournament {
        @Override
        int leastOfFour(int first) {
            int a = first + less(first + 1, first);
            int b = first + 2 + less(first + 3, first + 2);
            return a + ((b - a) & -less(b, a));
        }

        private int less(int i, int j) {
            long x = major(i);
            long y = major(j);
            return (int) ((x == y ? sign(minor(i), minor(j)) : sign(x, y)) >>> 63);
        }
    }

    /** The least major with the branch-free Math.min; compares minors only if the least major occurs twice. */
    static final class Min extends Tournament {
        @Override
        int leastOfFour(int first) {
            long a = major(first);
            long b = major(first + 1);
            long c = major(first + 2);
            long d = major(first + 3);
            long min = Math.min(Math.min(a, b), Math.min(c, d));
            // 0 for the least child, 1 for the others
            long notA = (a - min | min - a) >>> 63;
            long notB = (b - min | min - b) >>> 63;
            long notC = (c - min | min - c) >>> 63;
            long notD = (d - min | min - d) >>> 63;
            if (notA + notB + notC + notD != 3) {
                return super.leastOfFour(first);
            }
            return first + (int) (notA + (notA & notB) + (notA & notB & notC));
        }
    }

    /** Two children. */
    static final class Binary extends HeapTemplate {
        @Override
        int shift() {
            return 1;
        }
    }

    /** Eight children. */
    static final class Eight extends HeapTemplate {
        @Override
        int shift() {
            return 3;
        }
    }

    /** Bottom-up heapsort (Wegener): moves the hole to a leaf, then sifts the replacement up from there. */
    abstract static class BottomUp extends Tournament {
        @Override
        final void siftDown(int from, Object item, long major, long minor) {
            int i = from;
            for (int first = 4 * from + 1; first < size; first = (i << 2) + 1) {
                int least = least(first);
                move(least, i);
                i = least;
            }
            siftUp(from, i, item, major, minor);
        }
    }

    /** The same with branches. */
    static final class BottomUpBranches extends BottomUp {}

    /** The same with comparison of only the word that decides. */
    static final class BottomUpWord extends BottomUp {
        @Override
        boolean before(long major1, long minor1, long major2, long minor2) {
            return byWord(major1, minor1, major2, minor2);
        }
    }

    /** An array for each part of the keys. */
    static final class TwoArrays extends ByWord {
        private long[] minors = new long[16];

        @Override
        void resize(int capacity) {
            keys = Arrays.copyOf(keys, capacity);
            minors = Arrays.copyOf(minors, capacity);
            items = Arrays.copyOf(items, capacity);
        }

        @Override
        long major(int i) {
            return keys[i];
        }

        @Override
        long minor(int i) {
            return minors[i];
        }

        @Override
        void put(int i, Object item, long major, long minor) {
            keys[i] = major;
            minors[i] = minor;
            items[i] = item;
        }
    }

    /**
     * The array header is as large as a key, so four siblings share a cache line if the array starts at a cache line
     * boundary.
     */
    static final class Aligned extends ByWord {
        @Override
        int padding() {
            return 2;
        }
    }
}
