package dev.unjank.doctor.find.thread;

import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.report.text.TextPage;
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

/** Says in one line that nothing has the name that a user gave, and which names are like it; where none is, how to list them. */
public final class NameSuggestions {
    /** So many names are told though none of them is like the one that is not there. */
    private static final int FEW_NAMES = 5;

    private static final int MOST_NAMES = 3;

    /** A name is like another one if so many characters of it make up for one that differs, up to so many that do. */
    private static final int CHARACTERS_PER_SLIP = 3;

    private static final int MOST_SLIPS = 3;

    /** A name of a trace may be a megabyte; what tells names apart comes sooner. */
    private static final int LONGEST = 60;

    private final Threads threads;
    private final Processes processes;
    private final DoctorOptions options;
    private final @Nullable String query;

    /** A hint on a trace; {@code query} begins a command line that asks it in SQL, null if there is none. */
    public NameSuggestions(Trace trace, DoctorOptions options, @Nullable String query) {
        this.query = query;
        this.threads = trace.threads();
        this.processes = trace.processes();
        this.options = options;
    }

    /**
     * {@return why no thread fits the options, in one line}
     */
    public String whyNone() {
        String process = options.process();
        if (process != null && processes(process).isEmpty()) {
            return "the trace shows no process " + quoted(process)
                    + (isThread(process) ? "; it is a thread: --thread " + quoted(process) : processHint(process));
        }
        IntPredicate ofInterest = process == null ? utid -> true : new HashSet<>(processes(process))::contains;
        String where = process == null ? "the trace" : "process " + quoted(process);
        String thread = options.thread();
        return thread != null && options.isThreadNamed() && !options.isMainThreads()
                ? where + " shows no thread " + quoted(thread)
                        + hint(
                                "thread",
                                thread,
                                IntStream.range(1, threads.size()).filter(utid -> ofInterest.test(threads.upid(utid))),
                                threads::name)
                : where + " shows no main thread";
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

    private String processHint(String wanted) {
        return hint("process", wanted, IntStream.range(0, processes.size()), processes::name);
    }

    /** The names that are like it; all if they are few. */
    private String hint(String table, String wanted, IntStream rows, IntFunction<@Nullable String> name) {
        Set<String> names = rows.mapToObj(name)
                .filter(text -> text != null && !text.isEmpty())
                .map(NameSuggestions::shortened)
                .collect(Collectors.toSet());
        if (names.isEmpty()) {
            return "; it names none";
        }
        String lower = shortened(wanted).toLowerCase(Locale.ROOT);
        List<String> nearest = names.stream()
                .filter(text -> names.size() <= FEW_NAMES || isLike(lower, text.toLowerCase(Locale.ROOT)))
                .sorted(Comparator.comparingInt((String text) -> distance(lower, text.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(names.size() <= FEW_NAMES ? FEW_NAMES : MOST_NAMES)
                .map(TextPage::printable)
                .toList();
        if (!nearest.isEmpty()) {
            return (names.size() <= FEW_NAMES ? "; there are: " : "; there is something like it: ")
                    + String.join(", ", nearest);
        }
        String none = "; none of its " + names.size() + " names is like that";
        return query == null
                ? none
                : none + ", and this lists them: " + query + " \"SELECT DISTINCT name FROM " + table + "\"";
    }

    private static boolean isLike(String wanted, String name) {
        return distance(wanted, name) <= Math.min(MOST_SLIPS, wanted.length() / CHARACTERS_PER_SLIP);
    }

    private static String quoted(String name) {
        return '"' + TextPage.printable(shortened(name)) + '"';
    }

    private static String shortened(String name) {
        return name.length() <= LONGEST ? name : name.substring(0, LONGEST) + "…";
    }

    /**
     * How many characters have to be changed, added or removed (Levenshtein); a name that holds the other one is nearer than any that
     * does not.
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
