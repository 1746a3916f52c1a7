package dev.unjank.query.tables;

import dev.unjank.query.load.NativeTable;
import dev.unjank.query.load.StringDictionary;
import dev.unjank.query.load.TableDefinition;
import dev.unjank.trace.model.Trace;
import dev.unjank.trace.processor.ProcessorTable;
import dev.unjank.trace.processor.ProcessorTables;
import dev.unjank.trace.read.ProcessorTablesReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Trace processor's tables of the trace, read from its file when first needed. Traces without a file and formats that trace
 * processor does not read have none: then the tables come from the model.
 */
public final class ProcessorSource {
    private final Supplier<Trace> trace;
    private final Arena arena = Arena.ofAuto();
    private boolean read;
    private @Nullable ProcessorTables tables;
    private @Nullable StringDictionary strings;
    private @Nullable ModelIds ids;

    public ProcessorSource(Supplier<Trace> trace) {
        this.trace = trace;
    }

    /** The tables, null if the trace has none. */
    @Nullable
    ProcessorTables tables() {
        if (!read) {
            read = true;
            var file = trace.get().source();
            if (file != null && Files.isRegularFile(file)) {
                try {
                    tables = ProcessorTablesReader.read(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return tables;
    }

    /** Rows of one of the tables, otherwise those of the model. */
    TableDefinition.Part rows(String name, TableDefinition.Part model) {
        return to -> {
            ProcessorTables known = tables();
            ProcessorTable table = known == null ? null : known.table(name);
            if (known == null) {
                return model.rows(to);
            } else if (table == null) {
                return none(to);
            }
            return copy(to, table);
        };
    }

    /** Rows of a table that the model lacks. */
    TableDefinition.Part rows(String name) {
        return rows(name, ProcessorSource::none);
    }

    /** Ids for rows of the model. */
    ModelIds ids() {
        ModelIds known = ids;
        if (known == null) {
            known = new ModelIds(trace.get(), tables());
            ids = known;
        }
        return known;
    }

    /** No rows. */
    static NativeTable none(Arena to) {
        return new NativeTable(to, 0).ints("id", _ -> 0); // the engine needs a column
    }

    /** Whether the tables come from the file. */
    boolean isPresent() {
        return tables() != null;
    }

    private NativeTable copy(Arena to, ProcessorTable table) {
        NativeTable result = new NativeTable(to, table.rows());
        for (int i = 0; i < table.columns().size(); i++) {
            int column = i;
            String name = table.columns().get(i).name();
            switch (table.columns().get(i).type()) {
                case INT -> result.longs(name, ProcessorTable.NULL, row -> table.get(row, column));
                case TEXT -> result.strings(name, strings(), row -> (int) Math.max(-1, table.get(row, column)));
                case REAL -> result.doubles(name, row -> {
                    long bits = table.get(row, column);
                    return bits == ProcessorTable.NULL ? Double.NaN : Double.longBitsToDouble(bits);
                });
            }
        }
        return result;
    }

    private StringDictionary strings() {
        ProcessorTables known = tables;
        StringDictionary dictionary = strings;
        if (known != null && (dictionary == null || dictionary.size() != known.strings())) {
            dictionary = StringDictionary.of(arena, known.strings(), known::string);
            strings = dictionary;
        }
        if (dictionary == null) {
            throw new IllegalStateException();
        }
        return dictionary;
    }
}
