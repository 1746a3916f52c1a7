package dev.unjank.doctor.report.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.Doctor;
import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.scene.RealTraceDiagnoses;
import dev.unjank.doctor.scene.SceneDiagnoses;
import dev.unjank.doctor.scene.StubQueries;
import dev.unjank.doctor.scene.SyntheticJvmTrace;
import dev.unjank.scene.ArtContention;
import dev.unjank.scene.LauncherExample;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

class JsonReportTest {

    private static String json(Diagnosis diagnosis) throws IOException {
        StringWriter out = new StringWriter();
        JsonReport.write(diagnosis, StubQueries.OF_TRACE, out);
        return out.toString();
    }

    private static void assertWellFormed(String json) throws IOException {
        JsonFactory strict = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        try (JsonParser parser = strict.createParser(ObjectReadContext.empty(), json)) {
            int depth = 0;
            while (parser.nextToken() != null) {
                depth += parser.currentToken().isStructStart() ? 1 : 0;
                depth -= parser.currentToken().isStructEnd() ? 1 : 0;
            }
            assertThat(depth).isZero();
        }
    }

    @Test
    void theWholeReport() throws IOException {
        Diagnosis diagnosis = Doctor.diagnose(SceneDiagnoses.read(LauncherExample.trace()), DoctorOptions.defaults());
        try (InputStream in = JsonReportTest.class.getResourceAsStream("launcher.json")) {
            String expected = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(json(diagnosis).replace(diagnosis.trace(), "launcher-inversion.pftrace"))
                    .isEqualTo(expected);
        }
    }

    /** Every key that is written stands in the table of {@code docs/reference/json.md}. */
    @Test
    void everyKeyIsDocumented() throws IOException {
        String page =
                Files.readString(Path.of(System.getProperty("unjank.root", ".."), "docs", "reference", "json.md"));
        String section = page.substring(page.indexOf("\n## JSON\n"));
        Set<String> keys = new TreeSet<>();
        try (SyntheticJvmTrace stage = new SyntheticJvmTrace()) {
            for (int i = 0; i < 3; i++) {
                stage.name(111 + i, "follower " + i)
                        .parks(111 + i, 9, 15 + i * 8, "ReentrantLock", SyntheticJvmTrace.OTHER);
            }
            stage.parks(SyntheticJvmTrace.MAIN, 10, 40, "ReentrantLock", SyntheticJvmTrace.OTHER);
            keys.addAll(keys(json(stage.diagnose())));
        }
        keys.addAll(
                keys(json(Doctor.diagnose(SceneDiagnoses.read(LauncherExample.trace()), DoctorOptions.defaults()))));
        assertThat(keys)
                .contains("convoy", "inversions", "next")
                .filteredOn(key -> !key.equals(key.toUpperCase(Locale.ROOT))) // verdicts are keys of the advice
                .allSatisfy(key -> assertThat(section).containsPattern("`\\.?" + key + "(\\[\\])?`"));
    }

    private static Set<String> keys(String json) throws IOException {
        Set<String> keys = new TreeSet<>();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.PROPERTY_NAME) {
                    keys.add(parser.currentName());
                }
            }
        }
        return keys;
    }

    @Test
    void whatIsNotKnownIsNull() throws IOException {
        Scene scene = new Scene();
        SceneProcess app = scene.process(1000, "com.example.app");
        SceneThread main = app.mainThread("com.example.app", 110);
        SceneThread worker = app.thread(1001, "worker", 120);
        ArtContention contention = new ArtContention("ghost", 7, null, "null(null:0)", 0, -1);
        worker.runs(1, Scene.ms(5));
        main.runs(0, Scene.ms(1))
                .blocksOn(contention)
                .sleeps(Scene.ms(4))
                .runnable(Scene.ms(4.1))
                .acquires();
        main.runs(0, Scene.ms(5));
        String json = json(SceneDiagnoses.diagnose(scene, DoctorOptions.defaults()));
        assertWellFormed(json);
        assertThat(json)
                .contains("\"tid\" : null")
                .contains("\"name\" : \"ghost\"")
                .contains("\"priority\" : null")
                .contains("\"method\" : null")
                .contains("\"source\" : null")
                .contains("\"blockedMethod\" : null")
                .contains("\"evidence\" : \"UNKNOWN\"")
                .contains("\"verdict\" : \"UNKNOWN\"");
    }

    /** The kernel changes priorities: an owner is shown with the one that it had while it was kept from running. */
    @Test
    void theOwnersPriorityIsTheOneThatMattered() throws IOException {
        Scene scene = new Scene();
        SceneProcess app = scene.process(1000, "com.example.app");
        SceneThread main = app.mainThread("com.example.app", 110);
        SceneThread worker = app.thread(1001, "worker", 100);
        worker.runs(1, Scene.ms(2))
                .sleeps(Scene.ms(2.1))
                .priority(115)
                .runnable(Scene.ms(6))
                .runs(1, Scene.ms(9.1));
        SceneThread other = app.thread(1002, "other", 112);
        other.sleeps(Scene.ms(1.9)).runnable(Scene.ms(2)).runs(1, Scene.ms(6));
        main.runs(0, Scene.ms(1))
                .blocksOn(ArtContention.heldBy(worker))
                .sleeps(Scene.ms(9))
                .wokenBy(worker);
        main.runnable(Scene.ms(9.05)).acquires().runs(0, Scene.ms(10));
        String json = json(SceneDiagnoses.diagnose(scene, DoctorOptions.defaults()));
        String owner = json.substring(json.indexOf("\"owner\""), json.indexOf("\"blockedMethod\""));
        assertThat(owner).contains("\"tid\" : 1001").contains("\"priority\" : 115");
    }

    @ParameterizedTest
    @ValueSource(strings = {RealTraceDiagnoses.ANDROID_15, RealTraceDiagnoses.ANDROID_13, RealTraceDiagnoses.ANDROID_7})
    void realTraces(String trace) throws IOException {
        assertWellFormed(json(RealTraceDiagnoses.everything(trace)));
    }
}
