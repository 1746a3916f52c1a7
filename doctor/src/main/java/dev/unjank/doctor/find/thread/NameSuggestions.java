package dev.unjank.doctor.find.thread;

import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Warning;
import dev.unjank.trace.model.Processes;
import dev.unjank.trace.model.Threads;
import dev.unjank.trace.model.Trace;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Explains an empty selection, and finds names similar to the one that the trace does not contain. */
public final class NameSuggestions {
    /** A trace with at most this number of names gets all of them listed. */
    private static final int FEW_NAMES = 5;

    private static final int MOST_NAMES = 3;

    /** Characters of a name that allow for one edit in a similar name. */
    private static final int CHARACTERS_PER_EDIT = 3;

    private static final int MOST_EDITS = 3;

    /** Longer names are compared and listed by their first characters. */
    private static final int LONGEST = 60;

    private final Threads threads;
    private final Processes processes;
    private final DoctorOptions options;

    public NameSuggestions(Trace trace, DoctorOptions options) {
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.options = options;
    }

    /** {@return the reason why the options select no thread} */
    public Warning.EmptySelection explain() {
        String process = options.process();
        if (process != null && processes(process).isEmpty()) {
            boolean isThread = isThread(process);
            Set<String> names = isThread ? Set.of() : names(IntStream.range(0, processes.size()), processes::name);
            return explain(Warning.Missing.PROCESS, process, isThread, names);
        }
        String thread = options.thread();
        if (thread == null || !options.isThreadNamed() || options.isMainThreads()) {
            return explain(Warning.Missing.MAIN_THREAD, "", false, Set.of());
        }
        IntPredicate ofProcess = process == null ? upid -> true : new HashSet<>(processes(process))::contains;
        Set<String> names = names(
                IntStream.range(1, threads.size()).filter(utid -> ofProcess.test(threads.upid(utid))), threads::name);
        return explain(Warning.Missing.THREAD, thread, false, names);
    }

    private Warning.EmptySelection explain(
            Warning.Missing missing, String wanted, boolean isThread, Set<String> names) {
        return new Warning.EmptySelection(
                missing,
                options.process(),
                options.thread(),
                isThread,
                names.size(),
                similar(wanted, names),
                names.size() <= FEW_NAMES);
    }

    private List<Integer> processes(String wanted) {
        return IntStream.range(0, processes.size())
                .filter(upid ->
                        wanted.equals(processes.name(upid)) || wanted.equals(Integer.toString(processes.pid(upid))))
                .boxed()
                .toList();
    }

    private boolean isThread(String name) {
        return IntStream.range(1, threads.size()).anyMatch(utid -> ThreadNameMatcher.agree(name, threads.name(utid)));
    }

    private static Set<String> names(IntStream rows, IntFunction<@Nullable String> name) {
        return rows.mapToObj(name)
                .filter(text -> text != null && !text.isEmpty())
                .map(NameSuggestions::shortened)
                .collect(Collectors.toSet());
    }

    /** The names similar to a wanted one, nearest first; all if they are few. */
    private static List<String> similar(String wanted, Set<String> names) {
        String lower = shortened(wanted).toLowerCase(Locale.ROOT);
        return names.stream()
                .filter(text -> names.size() <= FEW_NAMES || isLike(lower, text.toLowerCase(Locale.ROOT)))
                .sorted(Comparator.comparingInt((String text) -> distance(lower, text.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(names.size() <= FEW_NAMES ? FEW_NAMES : MOST_NAMES)
                .toList();
    }

    private static boolean isLike(String wanted, String name) {
        return distance(wanted, name) <= Math.min(MOST_EDITS, wanted.length() / CHARACTERS_PER_EDIT);
    }

    private static String shortened(String name) {
        return name.length() <= LONGEST ? name : name.substring(0, LONGEST) + "…";
    }

    /**
     * The edit distance (Levenshtein); a name that contains the wanted one is nearer than any other.
     */
    private static int distance(String wanted, String name) {
        if (!wanted.isEmpty() && name.contains(wanted)) {
            return name.length() - wanted.length() - 2 * LONGEST;
        }
        int[] before = IntStream.rangeClosed(0, name.length()).toArray();
        for (int i = 1; i <= wanted.length(); i++) {
            int[] row = new int[name.length() + 1];
            row[0] = i;
            for (int j = 1; j <= name.length(); j++) {
                int change = before[j - 1] + (wanted.charAt(i - 1) == name.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(before[j], row[j - 1]) + 1);
            }
            before = row;
        }
        return before[name.length()];
    }
}
