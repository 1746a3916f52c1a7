package dev.unjank.looper;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;

/**
 * A scenario written by hand, for the model checker to interleave: the operations before, in each thread at the same
 * time, and afterwards. A call reads like {@code "send 1 2"}: the name of an operation, then its arguments.
 */
final class LincheckScenario {
    private final Class<?> model;
    private final List<Actor> before = new ArrayList<>();
    private final List<List<Actor>> threads = new ArrayList<>();
    private final List<Actor> after = new ArrayList<>();

    LincheckScenario(Class<?> model) {
        this.model = model;
    }

    LincheckScenario before(String... calls) {
        before.addAll(actors(calls));
        return this;
    }

    LincheckScenario thread(String... calls) {
        threads.add(actors(calls));
        return this;
    }

    LincheckScenario after(String... calls) {
        after.addAll(actors(calls));
        return this;
    }

    ExecutionScenario build() {
        return new ExecutionScenario(before, threads, after, actor("noWakeUpIsLost"));
    }

    private List<Actor> actors(String... calls) {
        return Arrays.stream(calls).map(this::actor).toList();
    }

    private Actor actor(String call) {
        String[] words = call.split(" ", -1);
        Method method = Arrays.stream(model.getMethods())
                .filter(m -> m.getName().equals(words[0]))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(call));
        List<Object> arguments = new ArrayList<>();
        for (int i = 1; i < words.length; i++) {
            boolean flag = method.getParameterTypes()[i - 1] == boolean.class;
            arguments.add(flag ? (Object) Boolean.valueOf(words[i]) : (Object) Integer.valueOf(words[i]));
        }
        return new Actor(method, arguments);
    }
}
