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
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Trace processor's tables of a trace, read from its file when first needed. By default there are none. */
public final class ProcessorSource {
    private final Supplier<Trace> trace;
    private final @Nullable Path file;
    private final Arena arena = Arena.ofAuto();
    private @Nullable ProcessorTables tables;
    private @Nullable StringDictionary strings;
    private @Nullable ModelIds ids;

    private ProcessorSource(Supplier<Trace> trace, @Nullable Path file) {
        this.trace = trace;
        this.file = file;
    }

    /** Tables from a Perfetto or systrace file. */
    public static ProcessorSource of(Supplier<Trace> trace, Path file) {
        return new ProcessorSource(trace, file);
    }

    /** No tables: ids are the model's. */
    public static ProcessorSource none(Supplier<Trace> trace) {
        return new ProcessorSource(trace, null);
    }

    /** Rows of one of the tables. */
    TableDefinition.Part rows(String name) {
        return to -> {
            ProcessorTables read = tables();
            ProcessorTable table = read == null ? null : read.table(name);
            return read == null || table == null ? noRows(to) : copy(to, read, table);
        };
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

    private @Nullable ProcessorTables tables() {
        if (tables == null && file != null) {
            try {
                tables = ProcessorTablesReader.read(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return tables;
    }

    private static NativeTable noRows(Arena to) {
        return new NativeTable(to, 0).ints("id", _ -> 0); // the engine needs a column
    }

    private NativeTable copy(Arena to, ProcessorTables read, ProcessorTable table) {
        NativeTable result = new NativeTable(to, table.rows());
        for (int i = 0; i < table.columns().size(); i++) {
            int column = i;
            String name = table.columns().get(i).name();
            switch (table.columns().get(i).type()) {
                case INT -> result.longs(name, ProcessorTable.NULL, row -> table.get(row, column));
                case TEXT -> result.strings(name, strings(read), row -> (int) Math.max(-1, table.get(row, column)));
                case REAL ->
                    result.doubles(name, row -> {
                        long bits = table.get(row, column);
                        return bits == ProcessorTable.NULL ? Double.NaN : Double.longBitsToDouble(bits);
                    });
            }
        }
        return result;
    }

    private StringDictionary strings(ProcessorTables read) {
        StringDictionary dictionary = strings;
        if (dictionary == null || dictionary.size() != read.strings()) {
            dictionary = StringDictionary.of(arena, read.strings(), read::string);
            strings = dictionary;
        }
        return dictionary;
    }
}
