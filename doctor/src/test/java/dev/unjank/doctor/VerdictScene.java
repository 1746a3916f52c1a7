package dev.unjank.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unjank.trace.example.Scene;
import dev.unjank.trace.example.SceneProcess;
import dev.unjank.trace.example.SceneThread;

/**
 * A scene that gets a verdict, told from the bytes of a trace on; the tests change one thing in it so that it must not. The main thread of
 * the app, priority 110, is the one that waits, from 5 ms on.
 */
abstract class VerdictScene {
    final Scene scene = new Scene();
    final SceneProcess app = scene.process(1000, "com.example.app");
    final SceneThread main = app.mainThread("com.example.app", 110);
    final SceneProcess server = scene.process(2000, "server");

    /** Whether systrace text, as the tests write it, tells all of the scene: it has no events of binder and of system calls. */
    boolean isText = true;

    /** What was found, in a word: the verdict, whom it blames and how that is known; "none" for nothing. */
    final String verdict() {
        String found = word(Scenes.inAnyFormat(scene, DoctorOptions.defaults()));
        if (isText) {
            assertThat(word(Scenes.inText(scene, DoctorOptions.defaults())))
                    .as("in systrace text")
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
        return judgement.verdict() + " " + judgement.blamed().tid() + " " + judgement.evidence();
    }
}
