package dev.unjank.query.conformance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares a table with trace processor's: first row by row in the given order, then sorted by all columns whose values
 * or ids can be compared. Equal rows extend the mapping of ids.
 */
final class TableComparison {
    private static final String NULL = "[NULL]";

    private static final Set<String> MAPPED_FIRST = Set.of("thread", "process", "track", "args", "slice");

    private final IdMapping ids;
    private final String object;

    TableComparison(IdMapping ids, String object) {
        this.ids = ids;
        this.object = object;
    }

    /** The first difference, null if the tables are equal. */
    @Nullable
    String difference(ExpectedTable theirs, ExpectedTable ours) {
        if (!theirs.columns().equals(ours.columns())) {
            List<String> missing = new ArrayList<>(theirs.columns());
            missing.removeAll(ours.columns());
            return "columns " + (missing.isEmpty() ? "are " + ours.columns() : "without " + missing);
        }
        theirs.rows().removeIf(row -> row.size() != theirs.columns().size()); // contains quotes and separators
        if (object.equals("args")) {
            mapArgs(theirs, ours);
        }
        if (theirs.rows().size() != ours.rows().size()) {
            return theirs.rows().size() + " rows expected, not " + ours.rows().size();
        }
        String inOrder = pair(theirs.columns(), theirs.rows(), ours.rows());
        if (inOrder == null) {
            return null;
        }
        List<List<String>> sortedTheirs = sorted(theirs, true);
        List<List<String>> sortedOurs = sorted(ours, false);
        return pair(theirs.columns(), sortedTheirs, sortedOurs) == null ? null : inOrder;
    }

    /** Maps sets of arguments by their contents: no two sets are equal. */
    private void mapArgs(ExpectedTable theirs, ExpectedTable ours) {
        Map<String, String> known = new HashMap<>();
        contents(ours).forEach((id, content) -> known.put(content, id));
        contents(theirs).forEach((id, content) -> {
            String our = known.get(content);
            if (our != null) {
                ids.add("args", id, our);
            }
        });
    }

    private static Map<String, String> contents(ExpectedTable table) {
        Map<String, String> contents = new LinkedHashMap<>();
        int set = table.columns().indexOf("arg_set_id");
        for (List<String> row : table.rows()) {
            contents.merge(row.get(set), String.join("\t", row.subList(2, row.size())), (a, b) -> a + "\n" + b);
        }
        return contents;
    }

    private List<List<String>> sorted(ExpectedTable table, boolean theirs) {
        Comparator<List<String>> order = Comparator.comparing(row -> key(table.columns(), row, theirs));
        return table.rows().stream().sorted(order).toList();
    }

    private String key(List<String> columns, List<String> row, boolean theirs) {
        StringBuilder key = new StringBuilder();
        for (int i = 0; i < columns.size(); i++) {
            String kind = IdMapping.kind(object, columns.get(i));
            String value = row.get(i);
            if (kind == null || value.equals(NULL)) {
                key.append(value).append('\t');
            } else if (!theirs || ids.our(kind, value) != null) {
                String id = theirs ? ids.our(kind, value) : value;
                key.append(MAPPED_FIRST.contains(kind) ? id : "").append('\t');
            }
        }
        return key.toString();
    }

    /** Pairs rows in order; adds their ids to the mapping if all are equal. */
    private @Nullable String pair(List<String> columns, List<List<String>> theirs, List<List<String>> ours) {
        IdMapping local = new IdMapping();
        for (int row = 0; row < theirs.size(); row++) {
            for (int i = 0; i < columns.size(); i++) {
                String kind = IdMapping.kind(object, columns.get(i));
                String their = theirs.get(row).get(i);
                String our = ours.get(row).get(i);
                boolean isValue = kind == null || their.equals(NULL) || our.equals(NULL);
                boolean equal = isValue
                        ? equalValues(their, our)
                        : ids.allows(kind, their, our) && local.allows(kind, their, our);
                if (!equal) {
                    return "row %d, %s: %s expected, not %s".formatted(row, columns.get(i), their, our);
                }
                if (kind != null && !their.equals(NULL)) {
                    local.add(kind, their, our);
                }
            }
        }
        local.forEach(ids::add);
        return null;
    }

    private static boolean equalValues(String their, String our) {
        if (their.equals(our)) {
            return true;
        }
        if (their.indexOf('.') < 0 || our.indexOf('.') < 0) {
            return false;
        }
        try {
            double a = Double.parseDouble(their);
            double b = Double.parseDouble(our);
            return Math.abs(a - b) <= 1e-6 * Math.max(1, Math.max(Math.abs(a), Math.abs(b)));
        } catch (NumberFormatException _) {
            return false;
        }
    }
}
