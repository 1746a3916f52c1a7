package dev.unjank.query.tables;

import dev.unjank.query.load.TableDefinition;
import dev.unjank.query.result.Rows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Definitions of the tables with trace processor's rows and ids in place of the model's. */
public final class ProcessorDefinitions {
    /** Tables that both have, and the columns that only trace processor's have. */
    private static final Map<String, List<String>> SHARED = Map.ofEntries(
            Map.entry("slice", List.of()),
            Map.entry("args", List.of()),
            Map.entry("flow", List.of()),
            Map.entry("thread", List.of()),
            Map.entry("process", List.of()),
            Map.entry("thread_state", List.of()),
            Map.entry("sched", List.of()),
            Map.entry("cpu", List.of()),
            Map.entry("counter", List.of()),
            Map.entry("trace_bounds", List.of()),
            Map.entry("metadata", List.of()),
            Map.entry("package_list", List.of()),
            Map.entry("perf_sample", List.of()),
            Map.entry("stack_profile_callsite", List.of()),
            Map.entry("stack_profile_frame", List.of("type TEXT")),
            Map.entry("stack_profile_mapping", List.of()),
            Map.entry("stack_profile_symbol", List.of()),
            Map.entry("expected_frame_timeline_slice", List.of()),
            Map.entry(
                    "actual_frame_timeline_slice",
                    List.of(
                            "latched_unsignaled_count INT",
                            "addressable_unsignaled_latch_count INT",
                            "latched_fence_state TEXT")));

    private ProcessorDefinitions() {}

    /**
     * The model's definitions, with those of trace processor's tables instead where it has a table.
     *
     * @param model all definitions of the model
     * @param source trace processor's rows
     */
    public static List<TableDefinition> over(List<TableDefinition> model, ProcessorSource source) {
        Map<String, TableDefinition> all = new LinkedHashMap<>();
        for (TableDefinition definition : model) {
            List<String> added = SHARED.get(definition.name());
            all.put(definition.name(), added == null ? definition : replaced(definition, added, source));
        }
        new TrackTables(source).definitions().forEach(definition -> all.put(definition.name(), definition));
        new SystemTables(source).definitions().forEach(definition -> all.put(definition.name(), definition));
        return List.copyOf(all.values());
    }

    private static TableDefinition replaced(TableDefinition model, List<String> added, ProcessorSource source) {
        List<Rows.Column> columns = new ArrayList<>(model.columns());
        if (!added.isEmpty()) {
            columns.addAll(TableDefinition.table(model.name(), String.join(", ", added))
                    .columns());
        }
        return new TableDefinition(model.name(), List.copyOf(columns), List.of(source.rows(model.name())), null);
    }
}
