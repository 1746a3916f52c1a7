package dev.unjank.workbench.bench.heap;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Compares ways to write the looper's heap.
 *
 * <p>All variants take turns in one Java VM, each with classes of its own, so with profiles and machine code of its
 * own. Every variant sees all orders of keys in turn, as the heap of a long running program would: its code is not made
 * for one of them. A ratio is the median of the ratios of the rounds.
 */
public final class HeapStudy {
    static final List<Class<? extends HeapTemplate>> ALL = List.of(
            HeapVariants.Sequence.class,
            HeapVariants.Branches.class,
            HeapVariants.Word.class,
            HeapVariants.WordSequence.class,
            HeapVariants.Bits.class,
            HeapVariants.Less.class,
            HeapVariants.Borrow.class,
            HeapVariants.TieBranch.class,
            HeapVariants.Min.class,
            HeapVariants.BottomUpBranches.class,
            HeapVariants.BottomUpWord.class,
            HeapVariants.Binary.class,
            HeapVariants.WordBinary.class,
            HeapVariants.Eight.class,
            HeapVariants.WordEight.class,
            HeapVariants.TwoArrays.class,
            HeapVariants.Aligned.class);
    private static final int WARM_UPS = 5;

    private HeapStudy() {}

    /**
     * Prints the nanoseconds of the first variant and the ratios of the others to it.
     *
     * @param args the number of rounds, 15 if there is none; then what is to be measured, by its name: variants, orders
     *     and operations; of a kind that is not named, all
     */
    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 15;
        Set<String> named = Set.of(args);
        Set<String> names = ALL.stream().map(Class::getSimpleName).collect(Collectors.toCollection(LinkedHashSet::new));
        keepNamed(names, named);
        Set<String> operations = names(HeapMeasurement.Operation.values());
        keepNamed(operations, named);
        Set<String> orders = names(HeapMeasurement.Order.values());
        keepNamed(orders, named);
        int[] works = IntStream.range(0, HeapMeasurement.ALL.size())
                .filter(i -> operations.contains(name(HeapMeasurement.ALL.get(i).operation())))
                .filter(i -> orders.contains(name(HeapMeasurement.ALL.get(i).order())))
                .toArray();

        List<Variant> variants = ALL.stream()
                .filter(variant -> names.contains(variant.getSimpleName()))
                .map(variant -> new Variant(
                        variant.getSimpleName(),
                        load(variant.getName()),
                        new double[HeapMeasurement.ALL.size()][rounds]))
                .toList();
        for (int round = -WARM_UPS; round < rounds; round++) {
            for (int work : works) {
                for (Variant variant : variants) {
                    double ns = variant.workload.applyAsDouble(work);
                    if (round >= 0) {
                        variant.ns[work][round] = ns;
                    }
                }
            }
        }
        print(works, variants);
    }

    /** With its figures, by work and round. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Variant(String name, IntToDoubleFunction workload, double[][] ns) {}

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static Set<String> names(Enum<?>[] constants) {
        return Arrays.stream(constants).map(HeapStudy::name).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Those that are named, or all if none is. */
    private static void keepNamed(Set<String> all, Set<String> named) {
        if (!Collections.disjoint(all, named)) {
            all.retainAll(named);
        }
    }

    private static void print(int[] works, List<Variant> variants) {
        Variant base = variants.get(0);
        System.out.printf("%-22s", "");
        variants.forEach(variant ->
                System.out.printf("%10s", variant.name.substring(0, Math.min(variant.name.length(), 9))));
        for (int i : works) {
            HeapMeasurement work = HeapMeasurement.ALL.get(i);
            System.out.printf(
                    "%n%-8s%-7s%7d%7.1f ns",
                    name(work.operation()), name(work.order()), work.size(), median(base.ns[i]));
            for (Variant variant : variants.subList(1, variants.size())) {
                System.out.printf("%10.2f", ratio(variant.ns[i], base.ns[i]));
            }
        }
        System.out.println();
    }

    private static double ratio(double[] figures, double[] base) {
        return median(IntStream.range(0, base.length)
                .mapToDouble(round -> figures[round] / base[round])
                .toArray());
    }

    private static double median(double[] figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static IntToDoubleFunction load(String variant) {
        try {
            ClassLoader loader = new OwnClasses();
            var heap = Class.forName(variant, true, loader).getDeclaredConstructor();
            heap.setAccessible(true);
            Supplier<Object> heaps = () -> {
                try {
                    return heap.newInstance();
                } catch (ReflectiveOperationException e) {
                    throw new LinkageError(variant, e);
                }
            };
            var workload =
                    Class.forName(HeapWorkload.class.getName(), true, loader).getDeclaredConstructor(Supplier.class);
            workload.setAccessible(true);
            return (IntToDoubleFunction) workload.newInstance(heaps);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(variant, e);
        }
    }

    /** Has its own of everything in this package but the study itself. */
    private static final class OwnClasses extends ClassLoader {
        OwnClasses() {
            super(HeapStudy.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            boolean own =
                    name.startsWith(HeapStudy.class.getPackageName()) && !name.startsWith(HeapStudy.class.getName());
            if (!own) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in =
                    HeapStudy.class.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
