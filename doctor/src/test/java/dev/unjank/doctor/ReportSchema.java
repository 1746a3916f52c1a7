package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** {@code docs/doctor.schema.json}, which the JSON of every scene of these tests is held against. */
final class ReportSchema {
    static final JsonSchemaFactory DRAFT = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);
    static final String TEXT = text();

    private static final JsonSchema SCHEMA = DRAFT.getSchema(TEXT);

    private ReportSchema() {}

    private static String text() {
        try {
            return Files.readString(Path.of(System.getProperty("unjank.root", ".."), "docs", "doctor.schema.json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String json(Diagnosis diagnosis) {
        StringWriter out = new StringWriter();
        try {
            JsonReport.write(diagnosis, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    /** What the schema finds wrong. */
    static Set<ValidationMessage> mistakes(String json) {
        return SCHEMA.validate(json, InputFormat.JSON);
    }

    /** The same diagnosis, once its JSON was found to be as the schema says. */
    static Diagnosis checked(Diagnosis diagnosis) {
        assertThat(mistakes(json(diagnosis))).isEmpty();
        return diagnosis;
    }
}
