package dev.unjank.doctor.report.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.dialect.DialectId;
import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.AppStartup;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Evidence;
import dev.unjank.doctor.model.Frame;
import dev.unjank.doctor.model.OwnerState;
import dev.unjank.doctor.model.Verdict;
import dev.unjank.doctor.model.WaitKind;
import dev.unjank.doctor.scene.JsonReportSchema;
import dev.unjank.doctor.scene.RealTraceDiagnoses;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.doctor.scene.SyntheticTrace;
import dev.unjank.scene.LauncherExample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ObjectNode;

/** The schema says what is written, no more and no less: a key too many is as wrong as one that is missing. */
class JsonReportSchemaTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** These a reader may not find. */
    private static final Set<String> OPTIONAL = Set.of("inheritedPriority", "backlog", "convoy");

    /** Reports that have between them all that a report may have. */
    private static List<String> reports() {
        List<String> reports = new ArrayList<>();
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            for (int i = 0; i < 3; i++) {
                stage.name(111 + i, "follower " + i)
                        .parks(111 + i, 9, 15 + i * 8, "ReentrantLock", SyntheticJvmTrace.OTHER);
            }
            stage.parks(SyntheticJvmTrace.MAIN, 10, 40, "ReentrantLock", SyntheticJvmTrace.OTHER);
            reports.add(JsonReportSchema.json(stage.diagnose()));
        }
        reports.add(JsonReportSchema.json(
                Doctor.diagnose(SceneDiagnoses.read(LauncherExample.trace()), DoctorOptions.defaults())));
        reports.add(JsonReportSchema.json(new SyntheticTrace()
                .process(SyntheticTrace.APP, "app")
                .process(SyntheticTrace.SERVER, "server")
                .message(SyntheticTrace.SERVER, 1, 0, SyntheticTrace.APP, "a", 1, 5)
                .message(SyntheticTrace.SERVER, 2, 0, SyntheticTrace.APP, "b", 5, 9)
                .message(SyntheticTrace.SERVER, 3, 0, SyntheticTrace.APP, "c", 9, 13)
                .message(SyntheticTrace.SERVER, 4, 0, SyntheticTrace.APP, "d", 13, 17)
                .message(SyntheticTrace.SERVER, 5, 0, SyntheticTrace.APP, "e", 17, 21)
                .diagnose(DoctorOptions.defaults())));
        return reports;
    }

    @Test
    void itIsASchema() {
        assertThat(JsonReportSchema.DRAFT
                        .getSchema(SchemaLocation.of(DialectId.DRAFT_2020_12))
                        .validate(JsonReportSchema.TEXT, InputFormat.JSON))
                .isEmpty();
    }

    @Test
    void whatIsWrittenFitsIt() {
        assertThat(reports())
                .allSatisfy(
                        report -> assertThat(JsonReportSchema.mistakes(report)).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {RealTraceDiagnoses.ANDROID_15, RealTraceDiagnoses.ANDROID_13, RealTraceDiagnoses.ANDROID_7})
    void soDoRealTraces(String trace) {
        assertThat(JsonReportSchema.mistakes(JsonReportSchema.json(RealTraceDiagnoses.everything(trace))))
                .isEmpty();
    }

    @Test
    void noObjectMayHaveAKeyMore() throws IOException {
        for (String report : reports()) {
            JsonNode root = JSON.readTree(report);
            for (ObjectNode object : objects(root)) {
                object.put("surplus", 1);
                assertThat(JsonReportSchema.mistakes(root.toString()))
                        .as(object.toString())
                        .isNotEmpty();
                object.remove("surplus");
            }
        }
    }

    @Test
    void noKeyMayBeMissing() throws IOException {
        Set<String> seen = new TreeSet<>();
        for (String report : reports()) {
            JsonNode root = JSON.readTree(report);
            for (ObjectNode object : objects(root)) {
                if (object.equals(root.get("advice"))) {
                    continue;
                }
                for (String key : names(object)) {
                    seen.add(key);
                    JsonNode value = object.remove(key);
                    boolean fits = JsonReportSchema.mistakes(root.toString()).isEmpty();
                    assertThat(fits).as(key + " of " + object).isEqualTo(OPTIONAL.contains(key));
                    object.set(key, value);
                }
            }
        }
        assertThat(seen).contains("unbounded", "backlog", "convoy", "leaves", "costs", "ranNs");
    }

    @Test
    void itsNamesAreThoseOfTheProgram() throws IOException {
        JsonNode parts = JSON.readTree(JsonReportSchema.TEXT).get("$defs");
        assertThat(texts(parts.at("/verdict/enum"))).isEqualTo(names(Verdict.values()));
        assertThat(texts(parts.at("/kind/enum"))).isEqualTo(names(WaitKind.values()));
        assertThat(texts(parts.at("/state/enum"))).isEqualTo(names(OwnerState.values()));
        assertThat(texts(parts.at("/evidence/enum"))).isEqualTo(names(Evidence.values()));
        assertThat(texts(parts.at("/frame/properties/source/enum"))).isEqualTo(names(Frame.Source.values()));
        assertThat(texts(parts.at("/startUp/properties/shares/items/properties/cause/enum")))
                .isEqualTo(names(AppStartup.Cause.values()));
        assertThat(JSON.readTree(JsonReportSchema.TEXT)
                        .at("/properties/version/const")
                        .intValue())
                .isEqualTo(JsonReport.VERSION);
    }

    private static List<ObjectNode> objects(JsonNode root) {
        List<ObjectNode> found = new ArrayList<>();
        if (root instanceof ObjectNode object) {
            found.add(object);
        }
        root.forEach(child -> found.addAll(objects(child)));
        return found;
    }

    private static List<String> names(ObjectNode object) {
        return List.copyOf(object.propertyNames());
    }

    private static List<String> names(Enum<?>[] values) {
        return Arrays.stream(values).map(Enum::name).toList();
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asString)
                .toList();
    }
}
