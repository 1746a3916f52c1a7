package dev.unjank.query.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Binds values that a piece of SQL uses several times. Short values are repeated. Long values and queries are evaluated once
 * and passed to a lambda, so that neither text nor work doubles with each level of nesting.
 */
public final class LetBinding {
    private static final int SHORT = 200;

    private LetBinding() {}

    /** Binds one value. */
    public static String bind(String value, UnaryOperator<String> body) {
        return bind(List.of(value), values -> body.apply(values.getFirst()));
    }

    /**
     * Binds several values.
     *
     * @param values their SQL
     * @param body makes the SQL from the values' names
     */
    public static String bind(List<String> values, Function<List<String>, String> body) {
        if (values.stream().noneMatch(value -> value.length() > SHORT || value.contains("(SELECT"))) {
            return body.apply(values);
        }
        List<String> fields =
                IntStream.range(0, values.size()).mapToObj(i -> "f" + i).toList();
        String packed = IntStream.range(0, values.size())
                .mapToObj(i -> fields.get(i) + " := " + values.get(i))
                .collect(Collectors.joining(", ", "struct_pack(", ")"));
        // a unique name: a lambda may be nested in the body of another
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
