package dev.unjank.doctor.scene;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.report.json.JsonReport;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code docs/reference/doctor.schema.json}, which the JSON of every scene of these tests must match. */
public final class JsonReportSchema {
    public static final SchemaRegistry DRAFT = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    public static final String TEXT = text();

    private static final Schema SCHEMA = DRAFT.getSchema(TEXT);

    private JsonReportSchema() {}

    private static String text() {
        try {
            return Files.readString(
                    Path.of(System.getProperty("unjank.root", ".."), "docs", "reference", "doctor.schema.json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String json(Diagnosis diagnosis) {
        StringWriter out = new StringWriter();
        try {
            JsonReport.write(diagnosis, StubQueries.OF_TRACE, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    /** The violations of the schema. */
    public static List<Error> mistakes(String json) {
        return SCHEMA.validate(json, InputFormat.JSON);
    }

    /** The same diagnosis, after a check of its JSON against the schema. */
    public static Diagnosis checked(Diagnosis diagnosis) {
        assertThat(mistakes(json(diagnosis))).isEmpty();
        return diagnosis;
    }
}
