package dev.unjank.query.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Values that a piece of the engine's SQL names several times. Short ones are written each time. Where one is long, or has a query
 * in it, they are worked out once and given to a lambda, so that neither text nor work doubles with each level of nesting.
 */
public final class LetBinding {
    private static final int SHORT = 200;

    private LetBinding() {}

    /** SQL that names one value. */
    public static String in(String value, UnaryOperator<String> body) {
        return in(List.of(value), values -> body.apply(values.getFirst()));
    }

    /**
     * SQL that names some values.
     *
     * @param values their SQL
     * @param body gives the SQL, from how the values can be named in it
     */
    public static String in(List<String> values, Function<List<String>, String> body) {
        if (values.stream().noneMatch(value -> value.length() > SHORT || value.contains("(SELECT"))) {
            return body.apply(values);
        }
        List<String> fields =
                IntStream.range(0, values.size()).mapToObj(i -> "f" + i).toList();
        String packed = IntStream.range(0, values.size())
                .mapToObj(i -> fields.get(i) + " := " + values.get(i))
                .collect(Collectors.joining(", ", "struct_pack(", ")"));
        // a name of its own, for a lambda may stand in the body of another
        String name = "v";
        for (int i = 1; packed.contains(name + "."); i++) {
            name = "v" + i;
        }
        List<String> named = new ArrayList<>();
        for (String field : fields) {
            named.add(name + "." + field);
        }
        return "list_extract(list_transform([" + packed + "], lambda " + name + ": " + body.apply(named) + "), 1)";
    }
}
