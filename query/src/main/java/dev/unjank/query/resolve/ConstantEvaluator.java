package dev.unjank.query.resolve;

import dev.unjank.query.function.AggregateFunctions;
import dev.unjank.query.source.Token;
import dev.unjank.query.tree.Expr;
import dev.unjank.query.tree.Query;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Values of calls of recursive functions with constant arguments. Other functions are inlined, which recursion would
 * not end. Each result is computed once, so functions that call themselves several times take no longer than their
 * depth.
 */
final class ConstantEvaluator {
    private static final int MAX_DEPTH = 1_000;

    /** Thrown for an expression whose value depends on a table, or that this class does not compute. */
    private static final class NotConstant extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotConstant() {
            super(null, null, false, false);
        }
    }

    private record Key(String function, List<Optional<Object>> arguments) {}

    private final Catalog catalog;
    private final Map<Key, Optional<Object>> results = new HashMap<>();
    private int depth;

    ConstantEvaluator(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Whether a function consists of one expression that calls the function. */
    static boolean isRecursive(String name, Query body) {
        Expr expression = expression(body);
        return expression != null && calls(expression, name);
    }

    private static boolean calls(Expr expr, String name) {
        return (expr instanceof Expr.Call call && call.name().equals(name))
                || AggregateFunctions.children(expr).anyMatch(child -> calls(child, name));
    }

    private static @Nullable Expr expression(Query body) {
        return body.first() instanceof Query.Select select
                        && body.rest().isEmpty()
                        && select.from() == null
                        && select.where() == null
                        && select.items().size() == 1
                        && select.items().getFirst() instanceof Query.Column column
                ? column.value()
                : null;
    }

    /**
     * A constant.
     *
     * @param value a Long, Double or String; null is NULL
     */
    record Constant(@Nullable Object value) {}

    /** The value of a call, or empty if it is not constant. */
    Optional<Constant> value(Expr.Call call) {
        try {
            return Optional.of(new Constant(evaluate(call, Map.of())));
        } catch (NotConstant | ArithmeticException e) {
            return Optional.empty(); // an overflow has no value either
        }
    }

    private @Nullable Object evaluate(Expr expr, Map<String, Optional<Object>> parameters) {
        return switch (expr) {
            case Expr.Literal literal -> literal(literal.at());
            case Expr.Name name
            when name.at().kind() == Token.Kind.DOUBLE_QUOTED -> name.at().text();
            case Expr.Parameter parameter -> parameter(parameter.at().text(), parameters);
            case Expr.Unary unary -> unary(unary.operator(), evaluate(unary.operand(), parameters));
            case Expr.Binary binary ->
                binary(binary.operator(), evaluate(binary.left(), parameters), evaluate(binary.right(), parameters));
            case Expr.Case choice when choice.operand() == null -> choice(choice, parameters);
            case Expr.Call call -> call(call, parameters);
            default -> throw new NotConstant();
        };
    }

    private static @Nullable Object literal(Token token) {
        return switch (token.kind()) {
            case INTEGER -> Long.decode(token.text());
            case REAL -> Double.parseDouble(token.text());
            case STRING -> token.text();
            default ->
                switch (token.keyword()) {
                    case "NULL" -> null;
                    case "TRUE" -> 1L;
                    case "FALSE" -> 0L;
                    default -> throw new NotConstant();
                };
        };
    }

    private static @Nullable Object parameter(String name, Map<String, Optional<Object>> parameters) {
        Optional<Object> value = parameters.get(Scope.lower(name));
        if (value == null) {
            throw new NotConstant();
        }
        return value.orElse(null);
    }

    private static @Nullable Object unary(String operator, @Nullable Object operand) {
        if (operand == null) {
            return null;
        }
        return switch (operator) {
            case "-" -> negated(operand);
            case "NOT" -> truth(!isTrue(operand));
            default -> throw new NotConstant();
        };
    }

    private static Object negated(Object operand) {
        if (operand instanceof Long number) {
            return -number;
        }
        return -real(operand);
    }

    private static @Nullable Object binary(String operator, @Nullable Object left, @Nullable Object right) {
        return switch (operator) {
            case "IS" -> truth(Objects.equals(left, right));
            case "IS NOT" -> truth(!Objects.equals(left, right));
            case "AND", "OR" -> logic(operator, left, right);
            default -> left == null || right == null ? null : ofValues(operator, left, right);
        };
    }

    private static @Nullable Object ofValues(String operator, Object left, Object right) {
        return switch (operator) {
            case "||" -> left.toString() + right;
            case "=" -> truth(compare(left, right) == 0);
            case "<>" -> truth(compare(left, right) != 0);
            case "<" -> truth(compare(left, right) < 0);
            case "<=" -> truth(compare(left, right) <= 0);
            case ">" -> truth(compare(left, right) > 0);
            case ">=" -> truth(compare(left, right) >= 0);
            default -> arithmetic(operator, left, right);
        };
    }

    private static @Nullable Object logic(String operator, @Nullable Object left, @Nullable Object right) {
        boolean decisive = operator.equals("OR");
        if ((left != null && isTrue(left) == decisive) || (right != null && isTrue(right) == decisive)) {
            return truth(decisive);
        }
        return left == null || right == null ? null : truth(!decisive);
    }

    private static @Nullable Object arithmetic(String operator, Object left, Object right) {
        if (left instanceof Long a && right instanceof Long b) {
            return switch (operator) {
                case "+" -> Math.addExact(a, b);
                case "-" -> Math.subtractExact(a, b);
                case "*" -> Math.multiplyExact(a, b);
                case "/" -> b == 0 ? null : Long.valueOf(a / b);
                case "%" -> b == 0 ? null : Long.valueOf(a % b);
                default -> throw new NotConstant();
            };
        }
        double a = real(left);
        double b = real(right);
        return switch (operator) {
            case "+" -> a + b;
            case "-" -> a - b;
            case "*" -> a * b;
            case "/" -> b == 0 ? null : Double.valueOf(a / b);
            default -> throw new NotConstant();
        };
    }

    private @Nullable Object choice(Expr.Case choice, Map<String, Optional<Object>> parameters) {
        for (Expr.When when : choice.whens()) {
            if (isTrue(evaluate(when.condition(), parameters))) {
                return evaluate(when.result(), parameters);
            }
        }
        Expr otherwise = choice.otherwise();
        return otherwise == null ? null : evaluate(otherwise, parameters);
    }

    private @Nullable Object call(Expr.Call call, Map<String, Optional<Object>> parameters) {
        return switch (call.name()) {
            case "iif", "if" -> conditional(call.arguments(), parameters);
            case "ifnull", "coalesce" ->
                call.arguments().stream()
                        .flatMap(expr -> Optional.ofNullable(evaluate(expr, parameters)).stream())
                        .findFirst()
                        .orElse(null);
            case "char" ->
                values(call.arguments(), parameters).stream()
                        .flatMap(Optional::stream)
                        .map(code -> Character.toString((int) real(code)))
                        .collect(Collectors.joining());
            default -> written(call.name(), values(call.arguments(), parameters));
        };
    }

    private @Nullable Object conditional(List<Expr> given, Map<String, Optional<Object>> parameters) {
        for (int i = 0; i + 1 < given.size(); i += 2) {
            if (isTrue(evaluate(given.get(i), parameters))) {
                return evaluate(given.get(i + 1), parameters);
            }
        }
        return given.size() % 2 == 0 ? null : evaluate(given.getLast(), parameters);
    }

    private List<Optional<Object>> values(List<Expr> given, Map<String, Optional<Object>> parameters) {
        List<Optional<Object>> values = new ArrayList<>();
        for (Expr expr : given) {
            values.add(Optional.ofNullable(evaluate(expr, parameters)));
        }
        return values;
    }

    private @Nullable Object written(String name, List<Optional<Object>> arguments) {
        Catalog.Function function = catalog.functions.get(name);
        Expr body = function == null ? null : expression(function.body());
        if (function == null || body == null || function.parameters().size() != arguments.size() || depth > MAX_DEPTH) {
            throw new NotConstant();
        }
        Key key = new Key(name, arguments);
        Optional<Object> known = results.get(key);
        if (known != null) {
            return known.orElse(null);
        }
        Map<String, Optional<Object>> parameters = new HashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            parameters.put(Scope.lower(function.parameters().get(i).name().text()), arguments.get(i));
        }
        depth++;
        Object value = evaluate(body, parameters);
        depth--;
        results.put(key, Optional.ofNullable(value));
        return value;
    }

    private static Long truth(boolean value) {
        return value ? 1L : 0L;
    }

    private static boolean isTrue(@Nullable Object value) {
        return value instanceof Number number && number.doubleValue() != 0;
    }

    private static double real(Object value) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        throw new NotConstant();
    }

    private static int compare(Object left, Object right) {
        if (left instanceof Long a && right instanceof Long b) {
            return a.compareTo(b);
        }
        if (left instanceof String a && right instanceof String b) {
            return a.compareTo(b);
        }
        return Double.compare(real(left), real(right));
    }
}
