package dev.unjank.doctor.scene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.doctor.model.Diagnosis;
import dev.unjank.doctor.model.DoctorOptions;
import dev.unjank.doctor.model.Judgement;
import dev.unjank.scene.Scene;
import dev.unjank.scene.SceneProcess;
import dev.unjank.scene.SceneThread;

/**
 * A scene with a verdict, from the bytes of a trace on; the tests change one thing in it to avoid the verdict. The main
 * thread of the app, priority 110, waits from 5 ms on.
 */
public abstract class VerdictScene {
    public final Scene scene = new Scene();
    public final SceneProcess app = scene.process(1000, "com.example.app");
    public final SceneThread main = app.mainThread("com.example.app", 110);
    public final SceneProcess server = scene.process(2000, "server");

    /**
     * Whether systrace text, as the tests write it, can represent the scene: it has no events of binder and of system
     * calls.
     */
    public boolean isText = true;

    /** The finding in short: the verdict, the responsible thread and the evidence; "none" without one. */
    public final String verdict() {
        String found = word(SceneDiagnoses.inAnyFormat(scene, DoctorOptions.defaults()));
        if (isText) {
            assertThat(word(SceneDiagnoses.inText(scene, DoctorOptions.defaults())))
                    .as("in systrace text")
                    .isEqualTo(found);
            assertThat(word(SceneDiagnoses.inPage(scene, DoctorOptions.defaults())))
                    .as("in a systrace page")
                    .isEqualTo(found);
        }
        return found;
    }

    private static String word(Diagnosis diagnosis) {
        if (diagnosis.incidents().isEmpty()) {
            return "none";
        }
        assertThat(diagnosis.incidents()).hasSize(1);
        Judgement judgement = diagnosis.incidents().getFirst().judgement();
        return judgement.verdict() + " " + judgement.responsibleThread().tid() + " " + judgement.evidence();
    }
}
